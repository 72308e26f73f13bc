import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { adaptBatch } from '#shared/adaptation/adapt-batch.ts';
import { quoteAdaptation } from '#shared/adaptation/decide/quote.ts';
import {
  estimateSeconds,
  findKnownSpeed,
  type KnownSpeed,
  type SpeedObservation,
  shapeOf,
  type Work,
} from '#shared/adaptation/decide/speed.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { endAdaptation } from '#shared/lifecycle/end-adaptation.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import {
  type ActiveRunOptions,
  noBatchJobs,
  readPlan,
  requestOf,
  startRun,
} from '#test/helpers/active-run.ts';
import { adaptingPorts } from '#test/helpers/adapting-ports.ts';
import { NOW } from '#test/helpers/records.ts';
import { specification } from '#test/helpers/specification.ts';
import { createVirtualClock, type VirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const EVALUATED = 40;
const MODEL = 'a-model';

beforeAll(async () => {
  await loadLanguageDetector();
});

interface Installation {
  readonly world: World;
  readonly clock: VirtualClock;
  readonly concurrency: number;
  /** Of a call, on average; they last between half and one and a half times as long. */
  readonly latencySeconds: number;
}

function createInstallation(concurrency: number, latencySeconds: number): Installation {
  const clock = createVirtualClock(NOW);
  return { clock, concurrency, latencySeconds, world: createWorld(() => clock.now()) };
}

function modelOf({ clock, latencySeconds }: Installation): ModelClient {
  let calls = 0;
  return {
    modelId: MODEL,
    generate: async ({ messages }, signal) => {
      calls += 1;
      const row = /(?:question|answer) (\d+)/.exec(messages.at(-1)?.content ?? '')?.[1];
      await clock.sleep(latencySeconds * 1000 * (0.5 + ((calls * 7919) % 101) / 100), signal);
      return {
        text: `Give answer ${row} as soon as you know it: this is a much better and complete text about number ${row}.`,
        finishReason: 'stop',
        usage: { input_tokens: 60, output_tokens: 40 },
      };
    },
  };
}

/** Adapts rows from their launch to their end, as the machines do; answers how long it took, in seconds. */
async function adapt(
  installation: Installation,
  rows: number,
  options: ActiveRunOptions = {},
): Promise<number> {
  const { world, clock, concurrency, latencySeconds } = installation;
  const active = await startRun(world, { rows, chunkRows: 2000, modelConcurrency: concurrency, ...options });
  const { dataset_id, run_id } = active.context;
  const launchedAt = clock.now();
  await world.store.runs.recordPlan(dataset_id, run_id, {
    total_rows: rows,
    models: { answer: MODEL },
    prompt_versions: {},
  });
  // The launch's time in the record is that of the tests' callers.
  const run = await world.store.runs.find(dataset_id, run_id);
  const lateness = launchedAt - Date.parse(run?.started_at ?? '');
  await clock.advance(3000);
  const model = modelOf(installation);
  const { workers, callsPerWorker } = workforceOf(concurrency);
  const waiting = [...readPlan(world, run_id)];
  const work = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      await clock.sleep(700);
      const ports = {
        ...adaptingPorts(world, model, clock),
        callsPerWorker,
        outageSecondsMax: 600,
      };
      await adaptBatch(ports, batch, { deadlineMs: clock.now() + 86_400_000, attempt: 'a' });
    }
  };
  await clock.run(Promise.all(Array.from({ length: workers }, work)));
  const at = () => new Date(clock.now()).toISOString();
  const evaluation = { dataset_id, run_id, quality: null, results_key: null, started_at: at() };
  await clock.advance(1000);
  const scored = 2 * Math.min(rows, EVALUATED);
  await clock.advance(1500 + (1000 * latencySeconds * scored) / Math.min(concurrency, scored));
  await world.store.datasets.recordEvaluation('team', {
    ...evaluation,
    status: 'succeeded',
    updated_at: at(),
  });
  await clock.advance(2000);
  const ports = {
    datasets: world.store.datasets,
    runs: world.store.runs,
    objects: world.objects,
    trainings: world.store.trainings,
    endRun: world.endRun,
    endBatchJobs: noBatchJobs,
    measuring: { speeds: world.store.speeds, modelConcurrency: concurrency, evaluationSampleRows: EVALUATED },
  };
  await assembleRun(ports, active.context, { now: clock.now() });
  await endAdaptation(ports, active.context, null, clock.now());
  expect(lateness).toBeGreaterThanOrEqual(0);
  return (clock.now() - launchedAt) / 1000;
}

async function quoteOf(
  { world, concurrency }: Installation,
  rowCount: number,
  options: ActiveRunOptions = {},
) {
  const active = await startRun(world, { rows: 1, modelConcurrency: concurrency, ...options });
  const { specification: asked } = requestOf(world, active);
  const speed = await findKnownSpeed(world.store.speeds, MODEL, asked, active.run.team_id);
  return quoteAdaptation({
    rowCount,
    specification: asked,
    evaluationRows: EVALUATED,
    modelConcurrency: concurrency,
    measured: { modelId: MODEL, speed },
  });
}

test.each([
  { concurrency: 8, latency: 0.05, first: 50, second: 600 },
  { concurrency: 8, latency: 0.2, first: 600, second: 60 },
  { concurrency: 16, latency: 1, first: 12, second: 12 },
  { concurrency: 16, latency: 2, first: 30, second: 600 },
  { concurrency: 64, latency: 5, first: 400, second: 40 },
  { concurrency: 130, latency: 1, first: 300, second: 900 },
  { concurrency: 2, latency: 10, first: 12, second: 120 },
  { concurrency: 2, latency: 10, first: 120, second: 5 },
  { concurrency: 64, latency: 30, first: 200, second: 2 },
])(
  'the minutes of a quote are within a factor of 1.5 of what $second rows take, once $first rows were measured ($latency s a call, $concurrency at once)',
  async ({ concurrency, latency, first, second }) => {
    const installation = createInstallation(concurrency, latency);
    await adapt(installation, first);

    const { minutes, basis } = await quoteOf(installation, second);
    const seconds = await adapt(installation, second);

    expect((minutes * 60) / seconds).toBeLessThan(1.5);
    expect((minutes * 60) / seconds).toBeGreaterThan(1 / 1.5);
    expect(basis).toBe(`measured over 1 run of this kind with ${MODEL}`);
  },
);

test('the minutes of a quote of another kind rest on the calls of the model’s other runs, and say so', async () => {
  const installation = createInstallation(8, 1);
  const other = { request: { recipe_specification: { recipes: { prompt_rephrase: false } } } };
  await adapt(installation, 300);

  const { minutes, basis } = await quoteOf(installation, 300, other);

  expect(basis).toBe(`measured over 1 run of other kinds, by the call, with ${MODEL}`);
  const seconds = await adapt(installation, 300, other);
  expect((minutes * 60) / seconds).toBeLessThan(1.5);
  expect((minutes * 60) / seconds).toBeGreaterThan(1 / 1.5);
});

test('the minutes of a quote are finite and grow with the rows, whatever was observed', () => {
  const seconds = fc.double({ min: 0, max: 1e6, noNaN: true });
  const observed: fc.Arbitrary<SpeedObservation> = fc.record({
    run_id: fc.uuid(),
    rows: fc.integer({ min: 1, max: 1_000_000 }),
    calls: fc.integer({ min: 1, max: 1_000_000 }),
    quoted_calls_per_row: fc.integer({ min: 1, max: 20 }),
    call_seconds: seconds,
    work_seconds: seconds,
    evaluated_rows: fc.integer({ min: 0, max: 100 }),
    evaluation_seconds: seconds,
    other_seconds: seconds,
    concurrency: fc.integer({ min: 1, max: 1000 }),
  });
  fc.assert(
    fc.property(observed, fc.integer({ min: 0, max: 100_000 }), (each, rows) => {
      const work = (count: number): Work => ({
        rows: count,
        evaluatedRows: Math.min(count, 40),
        concurrency: 16,
        callsPerRow: null,
      });
      const estimate = estimateSeconds([each], work(rows));
      expect(Number.isFinite(estimate)).toBe(true);
      expect(estimate).toBeGreaterThanOrEqual(0);
      expect(estimateSeconds([each], work(rows * 2))).toBeGreaterThanOrEqual(estimate - 1e-6);
    }),
  );
});

test('the kind of a run leaves out what says nothing of its time: names, texts and the number of rows', () => {
  const shape = shapeOf(specification());

  expect(shapeOf(specification({ max_rows: 5 }))).toBe(shape);
  expect(shapeOf(specification({ mapping: { prompt: 'q', completion: 'a', context: ['c'] } }))).toBe(shape);
  expect(shapeOf(specification({ blueprint: 'a' }))).toBe(shapeOf(specification({ blueprint: 'b' })));
  for (const other of [
    { mode: 'chat' as const },
    { prompt_rephrase: true },
    { length: 'extensive' as const },
    { blueprint: 'a' },
    { training_type: 'preference_pairs' as const },
  ]) {
    expect(shapeOf(specification(other))).not.toBe(shape);
  }
});

test('where no model answers, nothing is known', async () => {
  const none: KnownSpeed = { observations: [], isOfThisKind: false };

  expect(await findKnownSpeed(createWorld().store.speeds, null, specification(), 'team')).toEqual(none);
});

test('a team is told its own speed; one without runs the newest of each other team, of which none decides alone', async () => {
  const { speeds } = createWorld().store;
  const shape = shapeOf(specification());
  const record = (team_id: string, run: number) =>
    speeds.recordSpeed(MODEL, shape, {
      run_id: `${team_id} ${run}`,
      team_id,
      rows: 100,
      calls: 400,
      quoted_calls_per_row: 4,
      call_seconds: 80,
      work_seconds: 6,
      evaluated_rows: 0,
      evaluation_seconds: 0,
      other_seconds: 4,
      concurrency: 16,
    });
  const runsFor = async (team: string) =>
    (await findKnownSpeed(speeds, MODEL, specification(), team)).observations.map(({ run_id }) => run_id);
  await record('a', 1);
  await record('b', 1);
  for (let run = 1; run <= 30; run += 1) await record('crowding', run);

  expect(await runsFor('a')).toEqual(['a 1']);
  expect(await runsFor('crowding')).toHaveLength(8);
  expect(await runsFor('new')).toEqual(['a 1', 'b 1', 'crowding 30']);
});
