import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/evals/delete.ts';
import { handler as listEvals } from '#functions/api/evals/list.ts';
import { handler as createRun } from '#functions/api/evals/runs/create.ts';
import { handler as getRun } from '#functions/api/evals/runs/get.ts';
import { handler as listRuns } from '#functions/api/evals/runs/list.ts';
import { handler as listItems } from '#functions/api/evals/runs/output-items/list.ts';
import { evals, sweepQueuedRuns, sweepRemovedEvals } from '#shared/evals/wire.ts';
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

test('an eval is deleted with its runs and their output items', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(3, 3) });
  await workRun(world);
  const remove = (as: Caller) => world.call(handler, { as, params: { eval_id: id } });
  const params = { eval_id: id, run_id: run.id };

  expect((await remove(strangerTo(owner))).problem.code).toBe('eval_not_found');
  expect((await remove(owner)).body).toEqual({ object: 'eval.deleted', deleted: true, eval_id: id });
  // At once nobody finds them any more.
  expect((await remove(owner)).problem.code).toBe('eval_not_found');
  expect((await world.call(listEvals, { as: owner })).body.data).toEqual([]);
  expect((await world.call(getRun, { as: owner, params })).problem.code).toBe('eval_not_found');
  expect((await world.call(listItems, { as: owner, params })).problem.code).toBe('eval_not_found');
  expect((await world.call(listRuns, { as: owner, params: { eval_id: id } })).problem.code).toBe(
    'eval_not_found',
  );

  expect(await world.use(sweepRemovedEvals)()).toEqual([]);
  expect(world.objects.keys().filter((key) => key.startsWith('evals/'))).toEqual([]);
  expect(world.table.items().filter(({ pk }) => String(pk).startsWith('EVALS#'))).toEqual([]);
});

test('an eval whose deletion has begun gets no more runs, and those that wait or go on ask nothing more', async () => {
  const { id } = await seedEval(world, owner);
  for (let n = 0; n < 7; n += 1) await seedRun(world, owner, id, { type: 'jsonl', source: content(3, 3) });
  await world.call(handler, { as: owner, params: { eval_id: id } });
  const kept = world.objects.keys();

  const { problem } = await world.call(createRun, {
    as: owner,
    params: { eval_id: id },
    body: { data_source: { type: 'jsonl', source: content(1, 1) } },
  });

  expect(problem.code).toBe('eval_not_found');
  expect(world.objects.keys()).toEqual(kept);
  expect(await workRun(world)).toEqual({ status: 'gone' });
  await world.use(sweepRemovedEvals)();
  await world.use(sweepQueuedRuns)();
  const left = world.table.items().map(({ pk }) => String(pk));
  expect(left.filter((pk) => /^EVALS#/.test(pk))).toEqual([]);
});

test('the deletion of an eval with many runs is one write of the request, and sweeps erase a bounded number of them each', async () => {
  const { id } = await seedEval(world, owner);
  const { id: other } = await seedEval(world, owner);
  await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  const repository = world.use(evals('write'));
  const of = (await repository.list(owner.team_id))[0]?.eval_id ?? '';
  const [head] = await repository.listRuns(owner.team_id, of);
  const run = await repository.findRun(owner.team_id, of, head?.run_id ?? '');
  if (run === null) throw new Error('There is no run.');
  for (let n = 0; n < 1200; n += 1) await repository.createRun({ ...run, run_id: crypto.randomUUID() });
  const sent = vi.spyOn(world.table.client, 'send');

  await world.call(handler, { as: owner, params: { eval_id: id } });

  expect(sent.mock.calls.filter(([command]) => !(command instanceof GetCommand))).toHaveLength(1);
  sent.mockRestore();
  await world.use(sweepRemovedEvals)();
  expect(await repository.listRuns(owner.team_id, of)).toHaveLength(201);
  await world.use(sweepRemovedEvals)();
  expect(await repository.listRuns(owner.team_id, of)).toEqual([]);
  expect(await repository.listRemoved(10)).toEqual([]);
  expect((await world.call(listEvals, { as: owner })).body.data.map((each) => each.id)).toEqual([other]);
});

test('an eval whose erasure fails keeps no other from being erased, and is erased by the next sweep', async () => {
  const ids = [(await seedEval(world, owner)).id, (await seedEval(world, owner)).id];
  for (const eval_id of ids) {
    await seedRun(world, owner, eval_id, { type: 'jsonl', source: content(1, 1) });
    await world.call(handler, { as: owner, params: { eval_id } });
  }
  const { remove } = world.objects;
  world.objects.remove = async () => {
    world.objects.remove = remove;
    throw new Error('busy');
  };

  expect(await world.use(sweepRemovedEvals)()).toMatchObject([{ team_id: owner.team_id }]);
  expect(await world.use(evals('read')).listRemoved(10)).toHaveLength(1);
  expect(await world.use(sweepRemovedEvals)()).toEqual([]);
  expect(world.objects.keys().filter((key) => key.startsWith('evals/'))).toEqual([]);
});
