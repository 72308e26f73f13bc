import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { theClock } from '#shared/models/wire.ts';
import { theModels } from '#shared/models/wire-providers.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import { readPlan, writeRows } from '#test/helpers/active-run.ts';
import { context, eventOf } from '#test/helpers/call.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { invokeTask } from '#test/helpers/handlers.ts';
import { endpointOf, standIn } from '#test/helpers/memory-resources.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createRefusingModel } from '#test/helpers/refusing-model.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const ROWS = 6;
/** Stands in every row, every answer, the request's body and its key. */
const CANARY = 'canary';

interface Line {
  readonly message: string;
  readonly request_id?: string;
  readonly run_id?: string;
  readonly [field: string]: unknown;
}

let world: World;
let use: Use;
let lines: () => Line[];
/** What the model was shown. */
let asked: string[];

beforeEach(() => {
  asked = [];
  const model = createModel();
  world = createWorld(Date.now, [
    standIn(theClock, createFastClock(10)),
    standIn(theModels, endpointOf(model)),
  ]);
  use = world.installed({
    MODEL_ID_REWRITE: 'a-model',
    MODEL_ID_JUDGE: '',
    MODEL_ID_EMBED: '',
    MODEL_CONCURRENCY: '1',
    MODEL_CONTEXT_TOKENS: '4096',
    MODEL_OUTAGE_SECONDS: '60',
  });
  vi.stubEnv('STAGE', 'test');
  logger.setLogLevel('DEBUG');
  const spies = (['debug', 'info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  lines = () => spies.flatMap((spy) => spy.mock.calls.map(([text]) => JSON.parse(String(text)) as Line));
});

afterEach(() => {
  logger.setLogLevel('ERROR');
  logger.resetKeys();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Improves rows, but refuses row 1, answers row 2 with nothing that can be used, and is throttled at first. */
const createModel = (): ModelClient =>
  createRefusingModel((shown) => {
    asked.push(shown);
    return shown.includes('question 2 ') ? '' : `This is a much better and complete ${CANARY}.`;
  });

test('a run’s lines, from its request to its end, bear its id and those of invocations, and nothing of its rows', async () => {
  const requestIds = new Set<string>();
  const invoke = async (task: string, input: unknown): Promise<unknown> => {
    const lambda: Context = { ...context(), getRemainingTimeInMillis: () => 900_000 };
    requestIds.add(lambda.awsRequestId);
    return invokeTask(use, `adapt/${task}`, input, lambda).catch((error: unknown) => error);
  };

  const caller = await seedTeam(world.store, 10);
  const dataset = await seedDataset(world.store, caller, { row_count: ROWS });
  const row = (n: number) =>
    JSON.stringify({ question: `question ${n} ${CANARY}`, answer: `answer ${CANARY}` });
  await writeRows(
    world,
    dataset.dataset_id,
    Array.from({ length: ROWS }, (_, n) => row(n)),
    ROWS,
  );
  const { dataset_id } = dataset;
  const launch = adapt.with({}, use);
  const request = context();
  const event = eventOf(adapt.contract, {
    as: caller,
    params: { dataset_id },
    headers: { Authorization: `Bearer ${CANARY}` },
    body: {
      column_mapping: { prompt: 'question' },
      recipe_specification: { recipes: { prompt_rephrase: false } },
      brand_controls: { blueprint: CANARY },
    },
  });
  const { body } = await launch(event, request);
  requestIds.add(request.awsRequestId);
  const { run_id } = JSON.parse(body) as { run_id: string };
  const run = { run_id, dataset_id, team_id: caller.team_id };

  await invoke('plan-run', run);
  await invoke('calibrate-judge', run);
  const [batch] = readPlan(world, run_id);
  expect(await invoke('adapt-chunk', batch)).toEqual({ status: 'finished' });
  await invoke('adapt-chunk', { ...batch, chunk_key: 'gone' });
  await invoke('assemble-run', run);
  await invoke('settle-run', { ...run, error: null });

  // Of row 1 it has refused the call.
  expect(new Set(asked.map((shown) => /question \d/.exec(shown)?.[0]))).toEqual(
    new Set([0, 2, 3, 4, 5].map((n) => `question ${n}`)),
  );
  const written = lines();
  const ofRun = written.filter((line) => line.run_id === run_id);
  const started = ofRun.find(({ message }) => message === 'run started');
  expect(started).toMatchObject({ request_id: request.awsRequestId, dataset_id });
  expect(ofRun.map(({ message }) => message).sort()).toEqual(
    [...Array<string>(5).fill('task'), 'run ended', 'run started', 'task failed'].sort(),
  );
  expect(ofRun.find(({ message }) => message === 'run ended')).toMatchObject({ status: 'succeeded' });
  expect(new Set(written.map(({ request_id }) => request_id))).toEqual(requestIds);
  // Beside the run's lines there is the one of the request that launched it.
  expect(written.length).toBe(ofRun.length + 1);
  expect(world.objects.keys().some((key) => world.objects.text(key).includes(CANARY))).toBe(true);
  expect(JSON.stringify(written)).not.toContain(CANARY);
}, 120_000);
