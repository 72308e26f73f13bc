import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { type CloudAdmin, createCloudAdmin } from './cloud-admin.ts';
import { type CloudRuns, until, watchCloudRuns } from './cloud-runs.ts';
import { controlScriptedModel, type ScriptedControl } from './scripted-control.ts';
import { requireSoundEnd, requireSoundLedger, uploadRows } from './sound-end.ts';
import { testCloud } from './test-cloud.ts';

interface Chaos {
  readonly api: ApiClient;
  readonly admin: CloudAdmin;
  readonly model: ScriptedControl;
  readonly runs: CloudRuns;
  readonly team: string;
  readonly rows: number;
  readonly latencyMilliseconds: number;
  readonly seed: number;
}

/** A test of the deployed stacks: `requireChaosSurvived` with a team of its own. */
export function testChaos(options: Pick<Chaos, 'rows' | 'latencyMilliseconds' | 'seed'>): void {
  const cloud = testCloud();
  const runs = watchCloudRuns(cloud);
  const team = 'chaos';

  afterAll(() => runs.close());

  test(`a run of ${options.rows} rows whose processes are killed at random loses no row, doubles none, asks none again that was checkpointed, and is billed for what it delivers`, async () => {
    const admin = createCloudAdmin(cloud);
    const api = createApiClient(cloud.apiUrl, await admin.createKey(team, '--credits', '100'));

    await requireChaosSurvived({
      api,
      admin,
      model: controlScriptedModel(cloud.modelUrl),
      runs,
      team,
      ...options,
    });

    expect(await admin.ledgerFaults(team)).toEqual([]);
  });
}

const WORKER = 'tasks/adapt/adapt-chunk';
/** Every other function that works for a run. */
const OTHERS = [
  'tasks/adapt/plan-run',
  'tasks/adapt/calibrate-judge',
  'tasks/adapt/assemble-run',
  'tasks/adapt/settle-run',
  'tasks/evaluate/plan-evaluation',
  'tasks/evaluate/score-chunk',
  'tasks/evaluate/conclude-evaluation',
];
/** The machines try a worker five times and every other task three times: chaos may not use up the last one. */
const WORKER_KILLS = 4;
const KILLS_EACH = 2;

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function kill(processes: readonly number[]): number {
  let killed = 0;
  for (const id of processes) {
    try {
      process.kill(id, 'SIGKILL');
      killed += 1;
    } catch {
      // It has ended by itself.
    }
  }
  return killed;
}

/**
 * Adapts rows while the processes of the run are killed at random: all workers at once four times, and the process
 * of any other function of the run up to twice. Requires that every row is delivered once, none was asked again once
 * it was checkpointed, progress never went back, and exactly the delivered rows were billed.
 */
async function requireChaosSurvived(chaos: Chaos): Promise<void> {
  const { api, admin, model, runs, rows } = chaos;
  const random = createRandom(chaos.seed);
  await model.setScript({ judge: 'fair', latencyMilliseconds: chaos.latencyMilliseconds });
  const datasetId = await uploadRows(api, `chaos${chaos.seed}`, rows);
  const { run_id: runId } = await api.adapt(datasetId, {
    column_mapping: { prompt: 'question', completion: 'answer' },
  });
  if (runId === null) throw new Error('The run has no id.');

  let isOver = false;
  const progress: number[] = [];
  const watching = (async () => {
    while (!isOver) {
      // Beside a deployment a read can take longer than a request may. What is seen is what is compared.
      const seen = await api.get(datasetId).catch(() => null);
      if (seen?.progress != null) progress.push(seen.progress.processed_rows);
      await sleep(200);
    }
  })();

  /** Rows that were checkpointed when workers died, and how often they had been asked by then. */
  const settledRows = new Map<number, number>();
  let workersKilled = 0;
  const killingWorkers = (async () => {
    for (let n = 1; n <= WORKER_KILLS; n += 1) {
      const share = (n - 1 + 0.2 + 0.6 * random()) / WORKER_KILLS;
      await runs.untilCheckpointed(runId, Math.floor(rows * 0.85 * share));
      workersKilled += kill(await runs.processesOf(WORKER));
      const done = await runs.checkpointedRows(runId);
      const { byRow } = await model.stats();
      for (const row of done) settledRows.set(row, byRow[row] ?? 0);
    }
  })();
  const killingOthers = (async () => {
    const left = new Map(OTHERS.map((id) => [id, KILLS_EACH]));
    while (!isOver && left.size > 0) {
      await sleep(500 + 1500 * random());
      const ids = [...left.keys()];
      const id = ids[Math.floor(random() * ids.length)] ?? WORKER;
      if (kill(await runs.processesOf(id)) === 0) continue;
      const more = (left.get(id) ?? 0) - 1;
      if (more === 0) left.delete(id);
      else left.set(id, more);
    }
  })();

  try {
    const batches = new Set<string>();
    const asked = await until(
      'the results',
      async () => {
        for (const key of await runs.keysUnder(`${objectKeys.run(runId)}checkpoints/`)) {
          batches.add(key.split('/')[3] ?? '');
        }
        const results = await runs.keysUnder(`${objectKeys.run(runId)}results/`);
        const isDone = batches.size > 0 && results.length >= batches.size;
        return isDone ? (await model.stats()).byRow : null;
      },
      400,
    );
    await killingWorkers;
    const again = [...settledRows].filter(([row, before]) => asked[row] !== before);
    expect(again, 'checkpointed rows that were asked again').toEqual([]);
    expect(settledRows.size).toBeGreaterThan(0);
    expect(workersKilled).toBeGreaterThanOrEqual(WORKER_KILLS);

    const { status, counts } = await requireSoundEnd(api, datasetId, rows);
    expect(status.status, JSON.stringify(status.error_data)).toBe('succeeded');
    expect(counts.failed).toBe(0);
  } finally {
    isOver = true;
    await Promise.allSettled([watching, killingWorkers, killingOthers]);
    await model.setScript({ judge: 'fair' });
  }
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(new Set(progress).size).toBeGreaterThan(2);
  await requireSoundLedger(admin, chaos.team);
}
