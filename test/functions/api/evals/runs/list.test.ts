import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/runs/list.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { content, seedEval, seedRun, workRun } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('the runs of an eval are listed by their status, for their own team', async () => {
  const { id } = await seedEval(world, owner);
  const first = await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  await workRun(world);
  await sleep(2);
  const second = await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  const read = (query: Record<string, string>, as = owner) =>
    world.call(handler, { as, params: { eval_id: id }, query });
  const ids = async (query: Record<string, string>) => (await read(query)).body.data.map((run) => run.id);

  expect(await ids({})).toEqual([first.id, second.id]);
  expect(await ids({ order: 'desc' })).toEqual([second.id, first.id]);
  expect(await ids({ status: 'completed' })).toEqual([first.id]);
  expect((await read({}, strangerTo(owner))).problem.code).toBe('eval_not_found');
});
