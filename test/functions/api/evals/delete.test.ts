import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test, vi } from 'vitest';
import { handler as createEval } from '#functions/api/evals/create.ts';
import { handler } from '#functions/api/evals/delete.ts';
import { handler as listEvals } from '#functions/api/evals/list.ts';
import { handler as createRun } from '#functions/api/evals/runs/create.ts';
import { handler as getRun } from '#functions/api/evals/runs/get.ts';
import { handler as listRuns } from '#functions/api/evals/runs/list.ts';
import { handler as listItems } from '#functions/api/evals/runs/output-items/list.ts';
import { ownEvalId } from '#shared/evals/decide/records.ts';
import { EVALS_MAX, sweepRemovedEvals } from '#shared/evals/manage-evals.ts';
import { evals, queuedRunsSweeper, removedEvalsSweeper } from '#shared/evals/wire.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { updateItem } from '#shared/platform/store/table.ts';
import { content, EVAL, seedEval, seedRun, workRun } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let now: number;

beforeEach(async () => {
  // Requests have the time of this machine.
  now = Date.now() + 60_000;
  world = createWorld(() => now);
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

  expect(await world.use(removedEvalsSweeper)()).toEqual([]);
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
  await world.use(removedEvalsSweeper)();
  await world.use(queuedRunsSweeper)();
  const left = world.table.items().map(({ pk }) => String(pk));
  expect(left.filter((pk) => /^EVALS#/.test(pk))).toEqual([]);
});

/** Stores more runs of an eval, each like the one that it has. */
async function storeRuns(teamId: string, evalId: string, count: number): Promise<void> {
  const repository = world.use(evals('write'));
  const [head] = await repository.listRuns(teamId, evalId);
  const run = await repository.findRun(teamId, evalId, head?.run_id ?? '');
  if (run === null) throw new Error('There is no run.');
  for (let n = 0; n < count; n += 1) await repository.createRun({ ...run, run_id: crypto.randomUUID() });
}

const removalsOf = (teamId: string) => world.use(evals('read')).listRemoved(teamId, '9', 2 * EVALS_MAX);

/** Has each call of the object store take some time. */
function slowDown(milliseconds: number): void {
  const { list } = world.objects;
  world.objects.list = (prefix) => {
    now += milliseconds;
    return list(prefix);
  };
}

test('the deletion of an eval with many runs is one write of the request, and each sweep erases for a minute', async () => {
  const { id } = await seedEval(world, owner);
  const { id: other } = await seedEval(world, owner);
  await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  const repository = world.use(evals('write'));
  const of = ownEvalId(id) ?? '';
  await storeRuns(owner.team_id, of, 99);
  const sent = vi.spyOn(world.table.client, 'send');

  await world.call(handler, { as: owner, params: { eval_id: id } });

  expect(sent.mock.calls.filter(([command]) => !(command instanceof GetCommand))).toHaveLength(1);
  sent.mockRestore();
  slowDown(1000);
  await world.use(removedEvalsSweeper)();
  expect(await repository.listRuns(owner.team_id, of)).toHaveLength(40);
  await world.use(removedEvalsSweeper)();
  expect(await repository.listRuns(owner.team_id, of)).toEqual([]);
  expect(await removalsOf(owner.team_id)).toEqual([]);
  expect((await world.call(listEvals, { as: owner })).body.data.map((each) => each.id)).toEqual([other]);
});

test('evals that are created and deleted again and again are stored no more of than a team may have', async () => {
  const repository = world.use(evals('write'));
  const first = await repository.find(owner.team_id, ownEvalId((await seedEval(world, owner)).id) ?? '');
  for (let n = 4; n < EVALS_MAX; n += 1) {
    const eval_id = crypto.randomUUID();
    if (first !== null) await repository.create({ ...first, eval_id });
    await repository.markRemoved(owner.team_id, eval_id, first?.created_at ?? '');
  }
  let [created, refused] = [0, 0];
  for (let n = 0; n < 6; n += 1) {
    const answer = await world.call(createEval, { as: owner, body: EVAL });
    if (answer.status === 200) {
      await world.call(handler, { as: owner, params: { eval_id: answer.body.id } });
      created += 1;
    } else if (answer.problem.code === 'runs_limit_reached') refused += 1;
  }
  expect([created, refused]).toEqual([3, 3]);
  expect(world.table.items().filter(({ sk }) => String(sk).startsWith('EVAL#'))).toHaveLength(EVALS_MAX);

  await world.use(removedEvalsSweeper)();

  expect((await world.call(createEval, { as: owner, body: EVAL })).status).toBe(200);
});

test('of evals that are created at once no more stay than a team may have', async () => {
  const repository = world.use(evals('write'));
  const first = await repository.find(owner.team_id, ownEvalId((await seedEval(world, owner)).id) ?? '');
  if (first === null) throw new Error('There is no eval.');
  for (let n = 2; n < EVALS_MAX; n += 1) await repository.create({ ...first, eval_id: crypto.randomUUID() });

  const made = await Promise.all(
    Array.from({ length: 4 }, () => world.call(createEval, { as: owner, body: EVAL })),
  );

  const stored = await repository.count(owner.team_id);
  expect(stored).toBeLessThanOrEqual(EVALS_MAX);
  expect(made.filter(({ status }) => status === 200)).toHaveLength(stored - (EVALS_MAX - 1));
  const [refused] = made.filter(({ status }) => status !== 200);
  // Each may have counted the others, so that none stays and there is room for one.
  expect(refused?.problem).toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('Try again'),
  });
  expect(refused?.headers).toMatchObject({ 'x-should-retry': 'true', 'retry-after': '5' });
});

test('an eval whose deletion by version 0.1.0 broke off is erased once its team has as many as it may', async () => {
  const repository = world.use(evals('write'));
  const { id } = await seedEval(world, owner);
  await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  const broken = await repository.find(owner.team_id, ownEvalId(id) ?? '');
  if (broken === null) throw new Error('There is no eval.');
  for (let n = 1; n < EVALS_MAX; n += 1) await repository.create({ ...broken, eval_id: crypto.randomUUID() });
  await updateItem(world.table, {
    Key: keys.eval(owner.team_id, broken.eval_id),
    UpdateExpression: 'SET is_deleting = :yes',
    ExpressionAttributeValues: { ':yes': true },
  });
  await world.use(removedEvalsSweeper)();
  expect(await repository.count(owner.team_id)).toBe(EVALS_MAX);

  const { problem } = await world.call(createEval, { as: owner, body: EVAL });
  expect(problem.message).toMatch(/499 evals, and 1 that it has deleted.*try again/);
  await world.use(removedEvalsSweeper)();

  expect(await repository.listRuns(owner.team_id, broken.eval_id)).toEqual([]);
  expect(await repository.count(owner.team_id)).toBe(EVALS_MAX - 1);
  expect((await world.call(createEval, { as: owner, body: EVAL })).status).toBe(200);
});

test('the evals of a team are erased by the first sweep, whatever other teams have deleted before', async () => {
  const teams = [owner, await seedTeam(world.store, 100), await seedTeam(world.store, 100)];
  // The last one to have its turn.
  teams.sort((a, b) => (a.team_id < b.team_id ? -1 : 1));
  const [last = owner] = teams.splice(-1);
  for (const busy of teams) {
    for (let n = 0; n < 3; n += 1) {
      const { id } = await seedEval(world, busy);
      await seedRun(world, busy, id, { type: 'jsonl', source: content(1, 1) });
      await storeRuns(busy.team_id, ownEvalId(id) ?? '', 60);
      await world.call(handler, { as: busy, params: { eval_id: id } });
    }
  }
  now += 1000;
  const { id } = await seedEval(world, last);
  await seedRun(world, last, id, { type: 'jsonl', source: content(1, 1) });
  await world.call(handler, { as: last, params: { eval_id: id } });
  slowDown(700);

  await world.use(removedEvalsSweeper)();

  expect(await removalsOf(last.team_id)).toEqual([]);
  for (const busy of teams) expect(await removalsOf(busy.team_id)).not.toEqual([]);
});

test('evals whose erasure fails each time keep none of their team from being erased, and are tried again after an hour', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { id } = await seedEval(world, owner);
    await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
    await world.call(handler, { as: owner, params: { eval_id: id } });
    ids.push(ownEvalId(id) ?? '');
    now += 1;
  }
  const { remove } = world.objects;
  const last = ids.at(-1) ?? '';
  const [run] = await world.use(evals('read')).listRuns(owner.team_id, last);
  world.objects.remove = async (keys) => {
    now += 20_000;
    if (keys.every((key) => !key.includes(run?.run_id ?? ''))) throw new Error('busy');
    await remove(keys);
  };

  const failed: number[] = [];
  for (let n = 0; n < 3; n += 1) failed.push((await world.use(removedEvalsSweeper)()).length);

  expect(failed).toEqual([3, 1, 0]);
  expect([...(await removalsOf(owner.team_id))].sort()).toEqual(ids.slice(0, 4).sort());
  world.objects.remove = remove;
  now += 3_600_000;
  expect(await world.use(removedEvalsSweeper)()).toEqual([]);
  expect(await removalsOf(owner.team_id)).toEqual([]);
  expect(world.objects.keys().filter((key) => key.startsWith('evals/'))).toEqual([]);
});

test('a team whose evals cannot be listed or deferred keeps no other from having its erased', async () => {
  const other = await seedTeam(world.store, 100);
  for (const as of [owner, other]) {
    const { id } = await seedEval(world, as);
    await world.call(handler, { as, params: { eval_id: id } });
  }
  const repository = world.use(evals('write'));
  const sweep = sweepRemovedEvals({
    objects: world.objects,
    clock: { now: () => now },
    evals: {
      ...repository,
      listRemoved: async (teamId, ...given) => {
        if (teamId === owner.team_id) throw new Error('throttled');
        return repository.listRemoved(teamId, ...given);
      },
    },
  });

  expect(await sweep).toMatchObject([{ team_id: owner.team_id }]);
  expect(await removalsOf(other.team_id)).toEqual([]);
  expect(await removalsOf(owner.team_id)).toHaveLength(1);
});
