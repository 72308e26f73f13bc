import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/me/get.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { RELEASE } from '#shared/platform/schema/release.ts';
import { makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10, { scopes: ['responses'] });
});

const get = (as = owner) => world.call(handler, { as });

test('a key is told whose it is, what it may do, its limits and its credits, and nothing else', async () => {
  const dataset = await seedDataset(world.store, owner);
  await world.store.ledger.launch(launchOf(makeRun(dataset, { reserved_credits: 4 })));

  const { status, body } = await get();

  expect(status).toBe(200);
  expect(body).toEqual({
    organization_id: owner.organization_id,
    team_id: owner.team_id,
    user_id: owner.user_id,
    key_id: owner.key_id,
    scopes: ['responses'],
    plan: owner.plan,
    balance: { granted: 10, settled: 0, held: 4, available: 6, active_runs: 1 },
    release: RELEASE,
  });
});

test('the balance is that of the team of the key', async () => {
  const other = await seedTeam(world.store, 3);

  expect((await get(other)).body.balance.available).toBe(3);
});

test('a team without a balance has no credits', async () => {
  expect((await get(strangerTo(owner))).body.balance).toEqual({
    granted: 0,
    settled: 0,
    held: 0,
    available: 0,
    active_runs: 0,
  });
});
