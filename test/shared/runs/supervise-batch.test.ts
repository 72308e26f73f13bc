import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type AdaptBatchPorts, adaptBatch } from '#shared/adaptation/adapt-batch.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { endAdaptation } from '#shared/lifecycle/end-adaptation.ts';
import { connectOpenAi } from '#shared/models/adapters/openai-compatible.ts';
import { type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { NO_BUDGET, type RunBudget } from '#shared/runs/decide/budget.ts';
import {
  type ActiveRun,
  type ActiveRunOptions,
  linesOf,
  noBatchJobs,
  questionOf,
  startRun,
} from '#test/helpers/active-run.ts';
import { adaptingPorts } from '#test/helpers/adapting-ports.ts';
import { NOW } from '#test/helpers/records.ts';
import { startScriptedModel } from '#test/helpers/scripted-model.ts';
import { createVirtualClock, type VirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const CALLS = 4;
const only = { recipe_specification: { recipes: { prompt_rephrase: false } } };
let world: World;
let clock: VirtualClock;
let asked: number;

// Virtual time does not wait for a file to be read.
beforeAll(async () => {
  await loadLanguageDetector();
});

beforeEach(() => {
  world = createWorld();
  clock = createVirtualClock(NOW);
  asked = 0;
});

/** Takes a second and a hundred tokens; what it is not told to answer fails. */
function modelOf(answers: (row: number) => boolean = () => true): ModelClient {
  return {
    modelId: 'm',
    generate: async ({ messages }, signal) => {
      asked += 1;
      const row = Number(/(?:question|answer) (\d+)/.exec(messages.at(-1)?.content ?? '')?.[1]);
      await clock.sleep(1000, signal);
      if (!answers(row)) throw new ModelError('rejected', 'The model refuses it');
      return {
        text: `Give answer ${row} as soon as you know it, which is a much better text about ${row}.`,
        finishReason: 'stop',
        usage: { input_tokens: 60, output_tokens: 40 },
      };
    },
  };
}

function work(active: ActiveRun, n: number, overrides: Partial<AdaptBatchPorts> = {}, model = modelOf()) {
  const batch = active.batches[n];
  if (batch === undefined) throw new Error(`The plan has no batch ${n}.`);
  const ports: AdaptBatchPorts = {
    ...adaptingPorts(world, model, clock),
    callsPerWorker: CALLS,
    ...overrides,
  };
  return adaptBatch(ports, batch, { deadlineMs: clock.now() + 900_000, attempt: `a${n}` });
}

async function budgeted(rows: number, budget: Partial<RunBudget>, started: ActiveRunOptions = {}) {
  const active = await startRun(world, {
    rows,
    chunkRows: 100,
    modelConcurrency: 64,
    request: only,
    ...started,
  });
  const key = objectKeys.runRequest(active.run.run_id);
  const request = JSON.parse(world.objects.text(key));
  await world.objects.write(
    key,
    JSON.stringify({ ...request, budget: { ...NO_BUDGET, ...budget } }),
    'application/json',
  );
  return active;
}

const endPorts = () => ({
  datasets: world.store.datasets,
  runs: world.store.runs,
  objects: world.objects,
  trainings: world.store.trainings,
  endRun: world.endRun,
  endBatchJobs: noBatchJobs,
});
const runOf = ({ dataset, run }: ActiveRun) => world.store.runs.find(dataset.dataset_id, run.run_id);
const rowsDone = ({ run }: ActiveRun, n: number): number =>
  world.objects
    .keys()
    .filter((key) => key.startsWith(objectKeys.checkpoints(run.run_id, n)))
    .flatMap((key) => linesOf(world.objects.text(key))).length;

test('a run with a budget takes no row beyond its tokens, checkpoints those in work and says why', async () => {
  const active = await budgeted(60, { tokens: 1000, minutes: null });

  expect(await clock.run(work(active, 0))).toEqual({ status: 'stopped' });

  // Ten rows take the 1000 tokens; three more were in work.
  expect(rowsDone(active, 0)).toBeGreaterThanOrEqual(10);
  expect(rowsDone(active, 0)).toBeLessThan(10 + CALLS);
  expect(asked).toBe(rowsDone(active, 0));
  expect((await runOf(active))?.stop_reason).toMatchObject({
    code: 'run_budget_exceeded',
    message: expect.stringContaining('1000'),
  });
});

test('a run with a budget counts the tokens of all its workers, also of rows that an earlier invocation did', async () => {
  const active = await budgeted(600, { tokens: 15_000, minutes: null });

  await clock.run(Promise.all([work(active, 0), work(active, 1)]));

  // 150 rows, and what two workers begin within 10 s: less than if each counted its own alone.
  const done = rowsDone(active, 0) + rowsDone(active, 1);
  expect(done).toBeGreaterThanOrEqual(150);
  expect(done).toBeLessThan(150 + 2 * 10 * CALLS);
  expect(2 * 10 * CALLS).toBeLessThan(150);
  expect(await clock.run(work(active, 0))).toEqual({ status: 'stopped' });
  expect(rowsDone(active, 0) + rowsDone(active, 1)).toBe(done);
});

test('a run with a budget ends within 5 s of its minutes, though its model does not answer', async () => {
  const active = await budgeted(60, { tokens: null, minutes: 2 });
  const deaf: ModelClient = {
    modelId: 'm',
    generate: async (_request, signal) => {
      await clock.sleep(3_600_000, signal);
      throw new Error('It should have been given up.');
    },
  };

  expect(await clock.run(work(active, 0, {}, deaf))).toEqual({ status: 'stopped' });

  expect(clock.now() - NOW).toBeGreaterThanOrEqual(120_000);
  expect(clock.now() - NOW).toBeLessThanOrEqual(125_000);
  expect((await runOf(active))?.stop_reason).toMatchObject({
    code: 'run_budget_exceeded',
    message: expect.stringContaining('minutes_per_run'),
  });
});

test('a run with a budget fails with that reason, and what was done before is billed and kept', async () => {
  const active = await budgeted(200, { tokens: 1000, minutes: null });
  for (const n of [0, 1]) await clock.run(work(active, n));
  const ports = endPorts();

  const assembled = assembleRun(ports, active.context, { now: clock.now() });
  const error = await assembled.then(
    () => null,
    ({ code, message }) => ({ code, message, level: 'error' as const }),
  );
  expect(error?.code).toBe('run_budget_exceeded');
  const ended = await endAdaptation(ports, active.context, error, clock.now());

  expect(ended).toMatchObject({ status: 'failed', reserved_credits: 2, settled_credits: 1 });
  expect(ended.counts?.changed).toBe(rowsDone(active, 0) + rowsDone(active, 1));
});

test('a run with a budget without limits ends with its rows', async () => {
  const active = await budgeted(60, { tokens: null, minutes: null });

  expect(await clock.run(work(active, 0))).toEqual({ status: 'finished' });
});

test('stop within 5 s when one of them has found that the model is out of service', async () => {
  const active = await startRun(world, {
    rows: 400,
    chunkRows: 200,
    modelConcurrency: 64,
    request: only,
  });
  const first = work(active, 0);
  await clock.advance(7000);
  const refused: ModelClient = {
    modelId: 'm',
    generate: async () => {
      throw new ModelError('misconfigured', 'The key is refused');
    },
  };
  await clock.run(work(active, 1, {}, refused));
  const brokeAt = clock.now();

  expect(await clock.run(first)).toEqual({ status: 'stopped' });

  expect(clock.now() - brokeAt).toBeLessThanOrEqual(5000);
  expect(rowsDone(active, 0)).toBeGreaterThan(20);
  expect((await runOf(active))?.stop_reason).toMatchObject({ code: 'model_unavailable' });
  const before = asked;
  expect(await clock.run(work(active, 0))).toEqual({ status: 'stopped' });
  expect(asked).toBe(before);
});

const unanswered = (row: number) => JSON.stringify({ note: row, question: questionOf(row), answer: '' });
/** Answers what is no answer, twice for each row with the retries: rows that fail cost tokens. */
const useless: ModelClient = {
  modelId: 'm',
  generate: async (_request, signal) => {
    asked += 1;
    await clock.sleep(1000, signal);
    return { text: '', finishReason: 'stop', usage: { input_tokens: 60, output_tokens: 40 } };
  },
};

test('a run ends when its failed rows have used the tokens of the hour that a team has for unbilled rows', async () => {
  const active = await budgeted(600, { unbilled_tokens: 3000 }, { line: unanswered });

  expect(await clock.run(work(active, 0, {}, useless))).toEqual({ status: 'stopped' });

  // Less than half of the rows have failed.
  expect(rowsDone(active, 0)).toBeLessThan(100);
  expect(asked * 100).toBeGreaterThanOrEqual(3000);
  expect(asked * 100).toBeLessThan(3000 + 3 * CALLS * 100);
  const reason = (await runOf(active))?.stop_reason;
  expect(reason).toMatchObject({ code: 'run_budget_exceeded' });
  expect(reason?.message).toMatch(
    /were given up are not billed.*unbilled_tokens_per_hour.*report.*again in \d+ minutes/,
  );
});

test('a worker knows from its start what the team has used of the hour, so that many short ones do not go on without end', async () => {
  const active = await budgeted(600, { unbilled_tokens: 3000 }, { line: unanswered });
  await world.store.unbilled.add(active.context.team_id, 3000, clock.now());

  expect(await clock.run(work(active, 0, {}, useless))).toEqual({ status: 'stopped' });

  // The rows under way when the first one is found to be unbilled.
  expect(rowsDone(active, 0)).toBeLessThanOrEqual(2 * CALLS);
});

test('runs of a team share the tokens for unbilled rows, which another hour gives anew', async () => {
  const team = { unbilled_tokens: 3000 };
  const first = await budgeted(600, team, { line: unanswered });
  await clock.run(work(first, 0, {}, useless));
  const { team_id } = first.context;
  expect(await world.store.unbilled.add(team_id, 0, clock.now())).toBe(asked * 100);

  // The invocation goes on from checkpoints, and counts no row twice.
  await clock.run(work(first, 0, {}, useless));
  expect(await world.store.unbilled.add(team_id, 0, clock.now())).toBe(asked * 100);
  expect(await world.store.unbilled.add(team_id, 0, clock.now() + 3_600_000)).toBe(0);
});

test('a run whose rows are all billed goes on where other runs have used the tokens for unbilled rows', async () => {
  const active = await budgeted(60, { unbilled_tokens: 3000 });
  await world.store.unbilled.add(active.context.team_id, 10_000, clock.now());

  expect(await clock.run(work(active, 0))).toEqual({ status: 'finished' });
});

test('a run whose provider refuses all requests ends by the share of failed rows, and bills none', async () => {
  const active = await startRun(world, {
    rows: 200,
    chunkRows: 200,
    modelConcurrency: 64,
    request: only,
  });
  const refusing = modelOf(() => false);

  expect(await clock.run(work(active, 0, {}, refusing))).toEqual({ status: 'stopped' });

  const failed = await runOf(active);
  expect(failed?.stop_reason).toMatchObject({ code: 'too_many_rows_failed' });
  const ended = await endAdaptation(endPorts(), active.context, failed?.stop_reason ?? null, clock.now());
  expect(ended).toMatchObject({ status: 'failed', settled_credits: 0 });
});

test('workers of one run record what its models do not take, and nothing of other models', async () => {
  const active = await startRun(world, { rows: 60, chunkRows: 30, modelConcurrency: 64, request: only });
  const model = 'asked';
  await world.store.runs.recordPlan(active.dataset.dataset_id, active.run.run_id, {
    total_rows: 60,
    models: { rewrite: model },
    prompt_versions: {},
  });
  const untaken = (parts: OptionalPart[]) => ({ leftOut: () => ({ [model]: parts, another: parts }) });

  await clock.run(work(active, 0, untaken(['temperature'])));
  expect((await runOf(active))?.left_out).toEqual({ [model]: ['temperature'] });

  await clock.run(work(active, 1, untaken(['schema'])));
  expect((await runOf(active))?.left_out).toEqual({ [model]: ['schema', 'temperature'] });
});

test('stop when more than half of the rows of the run have failed', async () => {
  const active = await startRun(world, {
    rows: 200,
    chunkRows: 200,
    modelConcurrency: 64,
    request: only,
    line: unanswered,
  });
  const failing = modelOf(() => false);

  expect(await clock.run(work(active, 0, {}, failing))).toEqual({ status: 'stopped' });

  expect(asked).toBeLessThanOrEqual(100 + CALLS);
  expect((await runOf(active))?.stop_reason).toMatchObject({ code: 'too_many_rows_failed' });
});

test('a model that falls silent costs the run one outage, not one for each batch', async () => {
  const server = await startScriptedModel({ faults: [{ kind: 'status', status: 500 }] });
  const endpoint = connectOpenAi({ baseUrl: server.url, connectionsMax: 8, timeoutSeconds: 5 });
  try {
    const active = await startRun(world, { rows: 300, chunkRows: 100, request: only });
    const model = endpoint.model('m');
    const startedAt = clock.now();
    for (let n = 0; n < active.batches.length; n += 1) await clock.run(work(active, n, {}, model));

    expect(clock.now() - startedAt).toBeLessThan(2 * 60_000);
    // Once it is open, the circuit lets one call at a time try the model, ever more rarely.
    expect(server.stats().requests).toBeLessThan(30);
  } finally {
    await endpoint.close();
    await server.close();
  }
});
