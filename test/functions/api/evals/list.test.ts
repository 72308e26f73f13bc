import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/list.ts';
import { handler as update } from '#functions/api/evals/update.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedEval } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('evals are listed oldest first or newest first, in pages, for their own team', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    await sleep(2);
    ids.push((await seedEval(world, owner, { name })).id);
  }
  const read = async (query: Record<string, string>, as = owner) =>
    (await world.call(handler, { as, query })).body;

  expect((await read({})).data.map(({ id }) => id)).toEqual(ids);
  expect(await read({ order: 'desc', limit: '2' })).toMatchObject({ has_more: true, first_id: ids[2] });
  expect((await read({ after: ids[1] ?? '' })).data.map(({ id }) => id)).toEqual([ids[2]]);
  expect((await read({}, strangerTo(owner))).data).toEqual([]);
});

test('evals are listed in the order of their last change, where it is asked for', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    await sleep(2);
    ids.push((await seedEval(world, owner, { name })).id);
  }
  const [a = '', b, c] = ids;
  await sleep(2);
  await world.call(update, { as: owner, params: { eval_id: a }, body: { name: 'changed' } });
  const read = async (query: Record<string, string>) =>
    (await world.call(handler, { as: owner, query })).body.data.map(({ id }) => id);

  expect(await read({ order_by: 'updated_at' })).toEqual([b, c, a]);
  expect(await read({ order_by: 'updated_at', order: 'desc' })).toEqual([a, c, b]);
  expect(await read({ order_by: 'created_at' })).toEqual([a, b, c]);
});
