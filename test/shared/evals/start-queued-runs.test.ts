import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as cancelRun } from '#functions/api/evals/runs/cancel.ts';
import { handler as createRun } from '#functions/api/evals/runs/create.ts';
import { handler as deleteRun } from '#functions/api/evals/runs/delete.ts';
import { handler as getRun } from '#functions/api/evals/runs/get.ts';
import { QUEUED_EVAL_RUNS_MAX } from '#shared/evals/manage-evals.ts';
import {
  claimOfEvalRun,
  EVAL_PLACE_SECONDS,
  type EvalRunAddress,
  OPEN_EVAL_RUNS_MAX,
  startQueuedRuns,
  sweepQueuedRuns,
} from '#shared/evals/start-queued-runs.ts';
import { evals, queuedRunsSweeper } from '#shared/evals/wire.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { claims } from '#shared/platform/wire.ts';
import { content, seedEval, seedRun, workRun } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const MINUTE = 60_000;
const SOURCE = { type: 'jsonl', source: content(1, 1) };
const PROGRAM = {
  testing_criteria: [{ type: 'python', name: 'code', source: 'def grade(sample, item): return 1' }],
};

let world: World;
let owner: Caller;
let evalId: string;
let passed = 0;

afterEach(() => vi.useRealTimers());

beforeEach(async () => {
  passed = 0;
  // Requests are handled by it: two of the same millisecond have no order.
  vi.useFakeTimers({ toFake: ['Date'] });
  world = createWorld(() => Date.now() + passed);
  owner = await seedTeam(world.store, 100);
  evalId = (await seedEval(world, owner)).id;
});

/** Asks for a run, at a time of its own. */
async function ask(of = evalId): Promise<string> {
  vi.setSystemTime(Date.now() + 1);
  return (await seedRun(world, owner, of, SOURCE)).id;
}
async function askMany(runs: number, of = evalId): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < runs) ids.push(await ask(of));
  return ids;
}
const started = (): string[] =>
  world.invoked.map(({ payload }) => `evalrun_${(payload as EvalRunAddress).run_id.replaceAll('-', '')}`);
const statusOf = async (run: string, of = evalId) =>
  (await world.call(getRun, { as: owner, params: { eval_id: of, run_id: run } })).body.status;
const queue = () => world.use(evals('read')).listQueued(owner.team_id);
const start = async (run: EvalRunAddress) =>
  void world.invoked.push({ functionId: 'consumers/work-eval-run', payload: run });
const ports = () => ({
  evals: world.use(evals('write')),
  claims: world.use(claims('write')),
  start,
  clock: { now: () => Date.now() + passed },
});

describe('runs beyond the places of a team', () => {
  test('a sixth run waits as queued, for longer than a worker may be silent, and starts when a run has ended', async () => {
    const runs = await askMany(OPEN_EVAL_RUNS_MAX + 2);
    expect(started()).toEqual(runs.slice(0, 5));
    expect(await queue()).toHaveLength(2);
    passed += 90 * MINUTE;
    expect(await statusOf(runs[5] as string)).toBe('queued');
    passed -= 90 * MINUTE;

    await workRun(world, { start });

    expect(started().slice(5)).toEqual([runs[5]]);
    expect(await queue()).toHaveLength(1);
    await workRun(world, { start });
    expect(await statusOf(runs[5] as string)).toBe('completed');
    expect(started().slice(5)).toEqual(runs.slice(5));
    expect(await queue()).toHaveLength(0);
  });

  test('runs with programs have two places, which other runs take last, and let those behind them pass', async () => {
    const programs = (await seedEval(world, owner, PROGRAM)).id;
    const plain = await askMany(3);
    const [one, two, three] = await askMany(3, programs);

    expect(started()).toEqual([...plain, one, two]);
    expect(await statusOf(three as string, programs)).toBe('queued');

    const [first] = world.invoked;
    const fourth = await ask();
    await world.use(claims('write')).release(claimOfEvalRun(owner.team_id, 4), runIdOf(first?.payload));
    await startQueuedRuns(ports(), owner.team_id);
    expect(started().slice(5)).toEqual([fourth]);
  });

  test('a team has a bounded number of runs that wait', async () => {
    await askMany(OPEN_EVAL_RUNS_MAX + QUEUED_EVAL_RUNS_MAX);

    const params = { eval_id: evalId };
    const { problem } = await world.call(createRun, { as: owner, params, body: { data_source: SOURCE } });

    expect(problem).toMatchObject({ statusCode: 429, code: 'runs_limit_reached' });
    expect(problem.message).toContain(String(QUEUED_EVAL_RUNS_MAX));
  });

  test('a run that is cancelled or deleted while it waits is not started, and those behind it are', async () => {
    const runs = await askMany(OPEN_EVAL_RUNS_MAX + 3);
    const params = (n: number) => ({ eval_id: evalId, run_id: runs[n] as string });
    const { body } = await world.call(cancelRun, { as: owner, params: params(5) });
    expect(body.status).toBe('canceled');
    await world.call(deleteRun, { as: owner, params: params(6) });
    expect(await queue()).toHaveLength(1);

    await workRun(world, { start });

    expect(started().slice(5)).toEqual([runs[7]]);
  });

  test('each release and each start at the same time leaves no place free while a run waits', async () => {
    const runs = await askMany(OPEN_EVAL_RUNS_MAX + 6);
    const held = world.invoked.slice(0, 5).map(({ payload }) => runIdOf(payload));
    const all = world.use(claims('write'));
    await Promise.all(
      held.map(async (runId, n) => {
        await all.release(claimOfEvalRun(owner.team_id, 4 - n), runId);
        await startQueuedRuns(ports(), owner.team_id);
      }),
    );

    expect(new Set(started())).toEqual(new Set(runs.slice(0, 10)));
    expect(started()).toHaveLength(10);
    expect(await queue()).toHaveLength(1);
  });
});

const runIdOf = (payload: unknown): string => (payload as EvalRunAddress).run_id;

describe('processes that are killed', () => {
  test('the sweep starts what a killed worker has left waiting, once its place has come free', async () => {
    const runs = await askMany(OPEN_EVAL_RUNS_MAX + 1);
    expect(await world.use(queuedRunsSweeper)()).toEqual([]);
    expect(started()).toHaveLength(5);

    passed += EVAL_PLACE_SECONDS * 1000 + MINUTE;
    expect(await world.use(queuedRunsSweeper)()).toEqual([]);

    expect(started().slice(5)).toEqual([runs[5]]);
    expect(await queue()).toEqual([]);
  });

  test('a run that could not be started is queued all the same, and the sweep starts it', async () => {
    const failures: unknown[] = [];
    const { body } = await world.call(
      createRun,
      { as: owner, params: { eval_id: evalId }, body: { data_source: SOURCE } },
      {
        start: async () => {
          throw new Error('throttled');
        },
        onFailure: (error: unknown) => failures.push(error),
      },
    );
    expect(body.status).toBe('queued');
    expect(failures).toEqual([new Error('throttled')]);

    await world.use(queuedRunsSweeper)();
    expect(started()).toEqual([]);
    passed += 2 * MINUTE;
    await world.use(queuedRunsSweeper)();
    expect(started()).toEqual([body.id]);
    expect(await queue()).toEqual([]);
  });

  /** Asks for a run that cannot be started, and ends it. */
  async function askInVain(end: 'cancelled' | 'deleted'): Promise<void> {
    vi.setSystemTime(Date.now() + 1);
    const params = { eval_id: evalId };
    const failing = {
      start: async () => {
        throw new Error('throttled');
      },
      onFailure: () => {},
    };
    const { body } = await world.call(
      createRun,
      { as: owner, params, body: { data_source: SOURCE } },
      failing,
    );
    const asked = { as: owner, params: { ...params, run_id: body.id } };
    if (end === 'cancelled') await world.call(cancelRun, asked);
    else await world.call(deleteRun, asked);
  }

  test.each(['cancelled', 'deleted'] as const)(
    'a run that could not be started and is %s gives its place back to those that wait',
    async (end) => {
      for (let n = 0; n < OPEN_EVAL_RUNS_MAX; n += 1) await askInVain(end);

      const runs = await askMany(OPEN_EVAL_RUNS_MAX);

      expect(started()).toEqual(runs);
      expect(await queue()).toEqual([]);
    },
  );

  test('a run that could not be started gives its place back to one that waits in front of it too', async () => {
    const runs = await askMany(OPEN_EVAL_RUNS_MAX - 1);
    vi.setSystemTime(Date.now() + 10);
    await askInVain('cancelled');
    vi.setSystemTime(Date.now() - 5);

    const earlier = await ask();

    expect(started()).toEqual([...runs, earlier]);
    expect(await queue()).toEqual([]);
  });

  test('a run that is cancelled after its process was killed gives its place back by the sweep', async () => {
    const waiting = {
      ...ports(),
      start: async () => {
        throw new Error('killed');
      },
    };
    const runs = await askMany(OPEN_EVAL_RUNS_MAX + 2);
    await world
      .use(claims('write'))
      .release(claimOfEvalRun(owner.team_id, 4), runIdOf(world.invoked[0]?.payload));
    await expect(startQueuedRuns(waiting, owner.team_id)).rejects.toThrow('killed');
    await world.call(cancelRun, { as: owner, params: { eval_id: evalId, run_id: runs[5] as string } });

    expect(await world.use(queuedRunsSweeper)()).toEqual([]);

    expect(started().slice(5)).toEqual([runs[6]]);
    expect(await queue()).toEqual([]);
  });

  test('the places that killed processes took for a run are given back when it ends', async () => {
    const run = await ask();
    const [{ payload } = { payload: {} }] = world.invoked;
    await world.use(claims('write')).take(claimOfEvalRun(owner.team_id, 1), 3600, runIdOf(payload));

    expect(await workRun(world, { start })).toEqual({ status: 'completed' });

    expect(await statusOf(run)).toBe('completed');
    for (let place = 0; place < 5; place += 1)
      expect(await world.use(claims('read')).isTaken(claimOfEvalRun(owner.team_id, place))).toBe(false);
  });

  test('one team that cannot be swept does not keep the others waiting', async () => {
    const other = await seedTeam(world.store, 100);
    const theirs = (await seedEval(world, other)).id;
    await askMany(OPEN_EVAL_RUNS_MAX + 1);
    for (let n = 0; n < OPEN_EVAL_RUNS_MAX + 1; n += 1) {
      vi.setSystemTime(Date.now() + 1);
      await seedRun(world, other, theirs, SOURCE);
    }
    passed += EVAL_PLACE_SECONDS * 1000 + MINUTE;
    const failures = await sweepQueuedRuns({
      ...ports(),
      start: async (run) => {
        if (run.team_id === owner.team_id) throw new Error('throttled');
        await start(run);
      },
    });

    expect(failures).toEqual([{ team_id: owner.team_id, cause: new Error('throttled') }]);
    expect(world.invoked).toHaveLength(11);
  });
});
