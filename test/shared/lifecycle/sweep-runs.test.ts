import { beforeEach, expect, test, vi } from 'vitest';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import { endInterruptedRun as contract } from '#shared/lifecycle/background.ts';
import { endInterruptedRun } from '#shared/lifecycle/end-interrupted-run.ts';
import {
  createSweepRuns,
  type EndedExecution,
  type SweepRuns,
  type SweepRunsPorts,
} from '#shared/lifecycle/sweep-runs.ts';
import { sweepRuns } from '#shared/lifecycle/wire.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { noBatchJobs, startRun } from '#test/helpers/active-run.ts';
import { endInterruptedRun as settleEnded } from '#test/helpers/operations.ts';
import { makeRun, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { faultsOf, launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const MINUTE = 60_000;

let world: World;
let clock = NOW;
let store: World['store'];
let executions: World['executions'];
let caller: Caller;

function sweeper(ports: Partial<SweepRunsPorts> = {}): SweepRuns {
  return createSweepRuns({
    runs: store.runs,
    executions: world.executions,
    claims: store.claims,
    handOver: settle,
    ...ports,
  });
}

/** Settles what it is handed at once, as the function does a little later. */
const settle: SweepRunsPorts['handOver'] = async (ended) => {
  const ports = {
    ...store,
    executions,
    objects: world.objects,
    endRun: world.endRun,
    endBatchJobs: noBatchJobs,
  };
  await endInterruptedRun(ports, { ...ended, now: NOW });
};

async function launch(minutesAgo: number): Promise<RunRecord> {
  const run = makeRun(await seedDataset(store, caller), { started_at: timestamp(NOW - minutesAgo * MINUTE) });
  await store.ledger.launch(launchOf(run, { runsAtOnce: 1000 }));
  await executions.start('adapt', run);
  return run;
}

const statusOf = async (run: RunRecord) => store.runs.find(run.dataset_id, run.run_id);

beforeEach(async () => {
  clock = NOW;
  world = createWorld(() => clock);
  ({ store, executions } = world);
  caller = await seedTeam(store, 1000);
});

test.each([
  ['missing', 'run_interrupted'],
  ['succeeded', 'run_interrupted'],
  ['failed', 'run_interrupted'],
  ['timed_out', 'run_timed_out'],
] as const)('the sweeper ends a run whose execution is %s', async (status, code) => {
  const run = await launch(5);
  executions.set(run.run_id, status);

  expect(await sweeper()({ now: NOW, runsMax: 100, handOverMax: 100 })).toEqual({
    examined: 1,
    handed_over: 1,
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

test('the sweeper leaves a dataset as it was before a launch that died before it stored its request', async () => {
  const dataset = await seedDataset(store, caller, { language_expansion: null });
  const expansion = { type: 'translate', languages: ['de'], sample_rate: 1 } as const;
  const body = { column_mapping: { prompt: 'question' }, language_expansion: expansion };
  world.objects.write = () => new Promise(() => {});
  void world.call(adapt, { as: caller, params: { dataset_id: dataset.dataset_id }, body });
  await vi.waitFor(async () =>
    expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({
      state: 'running',
      language_expansion: expansion,
    }),
  );

  const [run] = await store.runs.listOfDataset(dataset.dataset_id);
  const now = Date.parse(run?.started_at ?? '') + 5 * MINUTE;
  await sweeper()({ now, runsMax: 100, handOverMax: 100 });

  const after = await store.datasets.find(dataset.dataset_id);
  expect(after).toMatchObject({ state: 'awaiting_input', error_data: null, run_id: null });
  expect(after).toMatchObject({ configured_column_mapping: null, language_expansion: null });
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ available: 1000, held: 0 });
});

test('the sweeper lets a run be that is running or has only just begun', async () => {
  const running = await launch(600);
  const fresh = await launch(1.9);
  executions.set(fresh.run_id, 'missing');

  expect(await sweeper()({ now: NOW, runsMax: 100, handOverMax: 100 })).toMatchObject({
    examined: 2,
    handed_over: 0,
  });

  expect(await statusOf(running)).toMatchObject({ status: 'running' });
  expect(await statusOf(fresh)).toMatchObject({ status: 'running' });
});

test('the sweeper hands a run over again once a settlement that did not end it must have failed', async () => {
  const run = await launch(5);
  executions.set(run.run_id, 'missing');
  const handed: EndedExecution[] = [];
  const slow = sweeper({ handOver: async (ended) => void handed.push(ended) });
  const sweepAfter = async (minutes: number) => {
    clock = NOW + minutes * MINUTE;
    const { examined, handed_over } = await slow({ now: clock, runsMax: 100, handOverMax: 100 });
    return [examined, handed_over];
  };

  expect(await sweepAfter(0)).toEqual([1, 1]);
  expect(await sweepAfter(5)).toEqual([1, 0]);
  expect(await sweepAfter(14)).toEqual([1, 0]);
  expect(await sweepAfter(15)).toEqual([1, 1]);
  for (const ended of handed) await settle(ended);

  expect(await sweepAfter(30)).toEqual([0, 0]);
  expect(handed).toHaveLength(2);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('the sweeper hands over no more than it may, the oldest first, and leaves the others to later sweeps', async () => {
  const minutes = Array.from({ length: 25 }, (_, n) => 40 - n);
  const runs = [];
  for (const each of minutes) runs.push(await launch(each));
  for (const run of runs) executions.set(run.run_id, 'missing');
  const handed: string[] = [];
  const slow = sweeper({ handOver: async ({ name }) => void handed.push(name) });

  expect(await slow({ now: NOW, runsMax: 100, handOverMax: 20 })).toMatchObject({ handed_over: 20 });
  expect(handed.toSorted()).toEqual(
    runs
      .slice(0, 20)
      .map(({ run_id }) => run_id)
      .toSorted(),
  );
  expect(await slow({ now: NOW, runsMax: 100, handOverMax: 20 })).toMatchObject({ handed_over: 5 });
  expect(new Set(handed).size).toBe(25);
});

test('a team with many ended runs keeps those of others waiting for no sweep', async () => {
  for (let n = 0; n < 30; n += 1) executions.set((await launch(100 - n)).run_id, 'missing');
  const first = caller;
  caller = await seedTeam(store, 1000);
  const others = [await launch(9), await launch(8)];
  for (const { run_id } of others) executions.set(run_id, 'missing');
  const handed: string[] = [];
  const slow = sweeper({ handOver: async ({ name }) => void handed.push(name) });

  expect(await slow({ now: NOW, runsMax: 100, handOverMax: 20 })).toMatchObject({ handed_over: 20 });

  expect(handed.slice(1, 4)).toEqual([others[0]?.run_id, expect.any(String), others[1]?.run_id]);
  expect(await faultsOf(store, first.team_id)).toEqual([]);
});

test('the sweeper hands runs over to the function that settles ended executions, and settles none itself', async () => {
  const { context, run } = await startRun(world, { rows: 200 });
  executions.set(run.run_id, 'timed_out');
  const now = Date.parse(run.started_at) + 5 * MINUTE;

  expect(await world.use(sweepRuns)({ now, runsMax: 100, handOverMax: 100 })).toMatchObject({
    handed_over: 1,
    failures: [],
  });

  expect(await statusOf(run)).toMatchObject({ status: 'running' });
  const [{ functionId, payload } = {}] = world.invoked;
  expect(functionId).toBe('consumers/settle-ended-execution');
  const { detail } = contract.input.parse(payload);
  expect(JSON.parse(detail.input)).toEqual(context);
  await world.use(settleEnded)({ ...detail, now });
  expect(await statusOf(run)).toMatchObject({ status: 'failed', error_data: { code: 'run_timed_out' } });
});

test.each(['executions', 'handOver'] as const)(
  'the sweeper goes on past a run at which %s fail',
  async (failing) => {
    const runs = [await launch(7), await launch(6), await launch(5)] as const;
    for (const run of runs) executions.set(run.run_id, 'missing');
    const cause = new Error('throttled');
    const failAt = (runId: string): void => {
      if (runId === runs[1].run_id) throw cause;
    };
    const ports: Partial<SweepRunsPorts> =
      failing === 'executions'
        ? {
            executions: {
              find: async (pipeline, runId) => {
                failAt(runId);
                return executions.find(pipeline, runId);
              },
            },
          }
        : {
            handOver: async (ended) => {
              failAt(ended.name);
              await settle(ended);
            },
          };

    expect(await sweeper(ports)({ now: NOW, runsMax: 100, handOverMax: 2000 })).toEqual({
      examined: 3,
      handed_over: 2,
      failures: [{ run_id: runs[1].run_id, cause }],
      next: null,
    });
    expect(await sweeper()({ now: NOW, runsMax: 100, handOverMax: 2000 })).toMatchObject({
      examined: 1,
      handed_over: 1,
    });
  },
);

test('the sweeper looks at no more runs than it may, and goes on where it stopped', async () => {
  for (let minute = 10; minute > 3; minute -= 1) executions.set((await launch(minute)).run_id, 'missing');

  const first = await sweeper()({ now: NOW, runsMax: 3, handOverMax: 2000 });
  expect(first).toMatchObject({ examined: 3, handed_over: 3, next: expect.any(String) });
  const second = await sweeper()({
    now: NOW,
    runsMax: 100,
    handOverMax: 2000,
    after: first.next as string,
  });
  expect(second).toMatchObject({ examined: 4, handed_over: 4, next: null });
});

test('the sweeper sees runs of every page', async () => {
  for (let index = 0; index < 230; index += 1) {
    executions.set((await launch(1000 - index)).run_id, 'missing');
  }

  expect(await sweeper()({ now: NOW, runsMax: 1000, handOverMax: 2000 })).toMatchObject({
    examined: 230,
    handed_over: 230,
    next: null,
  });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('the sweeper leaves a run alone for two minutes, and not a moment longer', async () => {
  const run = await launch(2);
  executions.set(run.run_id, 'missing');

  expect(await sweeper()({ now: NOW - 1, runsMax: 100, handOverMax: 2000 })).toMatchObject({
    handed_over: 0,
  });
  expect(await sweeper()({ now: NOW, runsMax: 100, handOverMax: 2000 })).toMatchObject({
    handed_over: 1,
  });
});

test('the sweeper asks for no more runs than it may still look at', async () => {
  for (let minute = 10; minute > 3; minute -= 1) await launch(minute);
  const limits: number[] = [];
  const runs: SweepRunsPorts['runs'] = {
    listActive: async ({ limit, after }) => {
      limits.push(limit);
      return store.runs.listActive({ limit: Math.min(limit, 2), after });
    },
  };

  expect(await sweeper({ runs })({ now: NOW, runsMax: 5, handOverMax: 2000 })).toMatchObject({
    examined: 5,
  });
  expect(limits).toEqual([5, 3, 1]);
});
