import { beforeEach, describe, expect, test } from 'vitest';
import type { Hold } from '#shared/access/decide/ledger/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { createInspectRuns, type Inspection, type InspectRunsPorts } from '#shared/runs/inspect-runs.ts';
import { createMemoryStore, type Store } from '#test/helpers/memory-store.ts';
import { makeRun, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { endingOf, launchOf } from '#test/helpers/store-contract.ts';

const MINUTE = 60_000;

let store: Store;
let caller: Caller;
let clockMs: number;

beforeEach(async () => {
  clockMs = NOW;
  store = createMemoryStore(() => clockMs);
  caller = await seedTeam(store, 1000);
});

const inspect = (ports: Partial<InspectRunsPorts> = {}): Promise<Inspection> =>
  createInspectRuns({ ...store, objects: { head: async () => null }, ...ports })(NOW);

async function launch(minutesAgo: number): Promise<RunRecord> {
  const run = makeRun(await seedDataset(store, caller), { started_at: timestamp(NOW - minutesAgo * MINUTE) });
  await store.ledger.launch(launchOf(run, { runsAtOnce: 1000 }));
  return run;
}

test('a run stands still when it has made no progress for an hour, since its start or since the last', async () => {
  const silent = await launch(61);
  await launch(59);
  const [moving, stopped] = [await launch(600), await launch(600)];
  clockMs = NOW - 59 * MINUTE;
  await store.runs.recordBatchProgress(moving.run_id, 0, 25);
  clockMs = NOW - 60 * MINUTE;
  await store.runs.recordBatchProgress(stopped.run_id, 0, 25);

  const { active, stuck } = await inspect();

  expect(active).toBe(4);
  expect([...stuck].sort()).toEqual([silent.run_id, stopped.run_id].sort());
});

test('a run whose batch jobs were looked at within two hours does not stand still', async () => {
  const [waiting, forgotten] = [await launch(600), await launch(600)];
  const looked = new Map([
    [objectKeys.batchState(waiting.run_id), NOW - 119 * MINUTE],
    [objectKeys.batchState(forgotten.run_id), NOW - 120 * MINUTE],
  ]);
  const head = async (key: string) => {
    const modifiedMs = looked.get(key);
    return modifiedMs === undefined ? null : { bytes: 1, modifiedMs };
  };

  expect((await inspect({ objects: { head } as never })).stuck).toEqual([forgotten.run_id]);
});

test('a run of every page is looked at', async () => {
  for (let n = 0; n < 230; n += 1) await launch(n + 61);

  expect((await inspect()).stuck).toHaveLength(230);
});

describe('a hold', () => {
  /** A hold that a fault left behind: its run is gone, its credits are still held. */
  const strayOf = (run: RunRecord, fields: Partial<Hold> = {}): InspectRunsPorts['ledger'] => ({
    findBalance: async (teamId) => {
      const balance = await store.ledger.findBalance(teamId);
      return balance === null ? null : { ...balance, held: balance.held + run.reserved_credits };
    },
    listHolds: async (teamId) =>
      (await store.ledger.listHolds(teamId)).map((hold) =>
        hold.run_id === run.run_id ? { ...hold, state: 'held', ...fields } : hold,
      ),
  });

  test('a hold of an active run, and one that has ended, is none without a run', async () => {
    await launch(5);
    await store.ledger.end(endingOf(await launch(10)));

    expect((await inspect()).holdsWithoutRun).toEqual([]);
  });

  test('a hold whose run has ended is found, among those of active runs', async () => {
    await launch(5);
    const ended = await launch(10);
    await store.ledger.end(endingOf(ended));

    const { holdsWithoutRun } = await inspect({ ledger: strayOf(ended) });

    expect(holdsWithoutRun).toEqual([{ team_id: caller.team_id, run_id: ended.run_id }]);
  });

  test('a hold whose run is not there at all is found', async () => {
    const gone = await launch(10);
    const runs = {
      ...store.runs,
      listActive: async () => ({ runs: [], next: null }),
      find: async () => null,
    };

    expect((await inspect({ runs })).holdsWithoutRun).toMatchObject([{ run_id: gone.run_id }]);
  });

  test('a hold whose run ended while it was looked at is none', async () => {
    const run = await launch(10);
    const runs: InspectRunsPorts['runs'] = {
      ...store.runs,
      listActive: async () => ({ runs: [], next: null }),
      find: async (datasetId, runId) => {
        await store.ledger.end(endingOf(run));
        return store.runs.find(datasetId, runId);
      },
    };

    expect((await inspect({ runs })).holdsWithoutRun).toEqual([]);
  });

  test('a hold is given two minutes, in which the list of active runs may lag behind', async () => {
    const ended = await launch(10);
    await store.ledger.end(endingOf(ended));
    const ledger = strayOf(ended, { created_at: timestamp(NOW - 1.9 * MINUTE) });

    expect((await inspect({ ledger })).holdsWithoutRun).toEqual([]);
  });
});
