import { beforeEach, describe, expect, test } from 'vitest';
import { createSweepRuns, type SweepRuns, type SweepRunsPorts } from '#shared/lifecycle/sweep-runs.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { createSettleRun } from '#shared/runs/settle-run.ts';
import { createMemoryExecutions, type MemoryExecutions } from '#test/helpers/memory-executions.ts';
import { createMemoryStore, type Store } from '#test/helpers/memory-store.ts';
import { makeRun, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { faultsOf, launchOf } from '#test/helpers/store-contract.ts';

const MINUTE = 60_000;

let store: Store;
let executions: MemoryExecutions;
let caller: Caller;

function sweeper(ports: Partial<SweepRunsPorts> = {}): SweepRuns {
  return createSweepRuns({
    runs: store.runs,
    executions,
    settleRun: createSettleRun(store),
    delivered: async () => ({ billedCredits: 0, counts: null }),
    ...ports,
  });
}

async function launch(minutesAgo: number): Promise<RunRecord> {
  const run = makeRun(await seedDataset(store, caller), { started_at: timestamp(NOW - minutesAgo * MINUTE) });
  await store.ledger.launch(launchOf(run, { runsAtOnce: 1000 }));
  await executions.start('adapt', run);
  return run;
}

const statusOf = async (run: RunRecord) => store.runs.find(run.dataset_id, run.run_id);

beforeEach(async () => {
  store = createMemoryStore(() => NOW);
  executions = createMemoryExecutions();
  caller = await seedTeam(store, 1000);
});

describe('the sweeper', () => {
  test.each([
    ['missing', 'run_interrupted'],
    ['succeeded', 'run_interrupted'],
    ['failed', 'run_interrupted'],
    ['timed_out', 'run_timed_out'],
  ] as const)('ends a run whose execution is %s', async (status, code) => {
    const run = await launch(5);
    executions.set(run.run_id, status);

    expect(await sweeper()({ now: NOW, runsMax: 100 })).toEqual({
      examined: 1,
      settled: 1,
      failures: [],
      next: null,
    });

    expect(await statusOf(run)).toMatchObject({
      status: 'failed',
      error_data: { code },
      settled_credits: 0,
      ended_at: timestamp(NOW),
    });
    expect(await store.datasets.find(run.dataset_id)).toMatchObject({ state: 'failed', run_id: null });
    expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ available: 1000, held: 0 });
    expect(await faultsOf(store, caller.team_id)).toEqual([]);
  });

  test('lets a run be that is running or has only just begun', async () => {
    const running = await launch(600);
    const fresh = await launch(1.9);
    executions.set(fresh.run_id, 'missing');

    expect(await sweeper()({ now: NOW, runsMax: 100 })).toMatchObject({ examined: 2, settled: 0 });

    expect(await statusOf(running)).toMatchObject({ status: 'running' });
    expect(await statusOf(fresh)).toMatchObject({ status: 'running' });
  });

  test('bills what was delivered', async () => {
    const run = await launch(5);
    executions.set(run.run_id, 'failed');
    const counts = {
      total: 120,
      changed: 60,
      kept: 0,
      dropped: 0,
      failed: 60,
      not_selected: 0,
      expanded: 0,
      expansion_failed: 0,
    };

    await sweeper({ delivered: async () => ({ billedCredits: 1, counts }) })({ now: NOW, runsMax: 100 });

    expect(await statusOf(run)).toMatchObject({ status: 'failed', settled_credits: 1, counts });
    expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ settled: 1, available: 999 });
  });

  test('goes on past a run that it cannot look at, and names it', async () => {
    const runs = [await launch(7), await launch(6), await launch(5)] as const;
    for (const run of runs) executions.set(run.run_id, 'missing');
    const cause = new Error('throttled');
    const sweep = sweeper({
      executions: {
        find: async (pipeline, runId) => {
          if (runId === runs[1].run_id) throw cause;
          return executions.find(pipeline, runId);
        },
      },
    });

    expect(await sweep({ now: NOW, runsMax: 100 })).toEqual({
      examined: 3,
      settled: 2,
      failures: [{ run_id: runs[1].run_id, cause }],
      next: null,
    });
    expect(await sweeper()({ now: NOW, runsMax: 100 })).toMatchObject({ examined: 1, settled: 1 });
  });

  test('looks at no more runs than it may, and goes on where it stopped', async () => {
    for (let minute = 10; minute > 3; minute -= 1) executions.set((await launch(minute)).run_id, 'missing');

    const first = await sweeper()({ now: NOW, runsMax: 3 });
    expect(first).toMatchObject({ examined: 3, settled: 3, next: expect.any(String) });
    const second = await sweeper()({ now: NOW, runsMax: 100, after: first.next as string });
    expect(second).toMatchObject({ examined: 4, settled: 4, next: null });
  });

  test('sees runs of every page', async () => {
    for (let index = 0; index < 230; index += 1) {
      executions.set((await launch(1000 - index)).run_id, 'missing');
    }

    expect(await sweeper()({ now: NOW, runsMax: 1000 })).toMatchObject({
      examined: 230,
      settled: 230,
      next: null,
    });
    expect(await faultsOf(store, caller.team_id)).toEqual([]);
  });

  test('leaves a run alone for two minutes, and not a moment longer', async () => {
    const run = await launch(2);
    executions.set(run.run_id, 'missing');

    expect(await sweeper()({ now: NOW - 1, runsMax: 100 })).toMatchObject({ settled: 0 });
    expect(await sweeper()({ now: NOW, runsMax: 100 })).toMatchObject({ settled: 1 });
  });

  test('asks for no more runs than it may still look at', async () => {
    for (let minute = 10; minute > 3; minute -= 1) await launch(minute);
    const limits: number[] = [];
    const runs: SweepRunsPorts['runs'] = {
      listActive: async ({ limit, after }) => {
        limits.push(limit);
        return store.runs.listActive({ limit: Math.min(limit, 2), after });
      },
    };

    expect(await sweeper({ runs })({ now: NOW, runsMax: 5 })).toMatchObject({ examined: 5 });
    expect(limits).toEqual([5, 3, 1]);
  });
});
