import { gzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import { handler as forward } from '#functions/consumers/forward-telemetry.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { theClock } from '#shared/models/wire.ts';
import { theModels } from '#shared/models/wire-providers.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { writeMetrics } from '#shared/platform/runtime/metrics.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import { theSecrets } from '#shared/platform/wire.ts';
import { theReceiver } from '#shared/telemetry/wire.ts';
import { readPlan, writeRows } from '#test/helpers/active-run.ts';
import { context, eventOf } from '#test/helpers/call.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { invokeTask } from '#test/helpers/handlers.ts';
import { endpointOf, standIn } from '#test/helpers/memory-resources.ts';
import { type OtlpReceiver, startOtlpReceiver } from '#test/helpers/otlp-receiver.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createRefusingModel } from '#test/helpers/refusing-model.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const ROWS = 6;
/** Stands in every row, every answer, the request's body and its key. */
const CANARY = 'canary';
const SECRET = 'Bearer not-for-logs';
const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLERS_SPAN = '00f067aa0ba902b7';

let receiver: OtlpReceiver;
let world: World;
let use: Use;
/** The lines that functions have written, since the last time. */
let written: () => string[];
let headers: string;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
}, 120_000);
afterAll(() => receiver.stop());

beforeEach(() => {
  headers = `authorization=${encodeURIComponent(SECRET)}`;
  world = createWorld(Date.now, [
    standIn(theClock, createFastClock(10)),
    standIn(theModels, endpointOf(createModel())),
    standIn(theSecrets, () => async () => headers),
    standIn(theReceiver, () => theReceiver.connect(use)()),
  ]);
  use = installed(receiver.url);
  vi.stubEnv('STAGE', 'test');
  vi.stubEnv('MODEL_CALL_LOGS', 'true');
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  logger.setLogLevel('DEBUG');
  const spies = (['log', 'debug', 'info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  writeMetrics();
  for (const spy of spies) spy.mockClear();
  written = () => spies.flatMap((spy) => spy.mock.calls.splice(0).map(([text]) => String(text)));
});

afterEach(() => {
  logger.setLogLevel('ERROR');
  logger.resetKeys();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const installed = (endpoint: string): Use =>
  world.installed({
    STAGE: 'test',
    AWS_REGION: 'eu-west-1',
    OTLP_ENDPOINT: endpoint,
    MODEL_PROVIDER: 'openai',
    MODEL_BASE_URL: 'https://models.example/v1',
    MODEL_ID_REWRITE: 'a-model',
    MODEL_ID_ANSWER: 'a-model',
    MODEL_ID_JUDGE: '',
    MODEL_ID_EMBED: '',
    MODEL_CONCURRENCY: '1',
    MODEL_CONTEXT_TOKENS: '4096',
    MODEL_OUTAGE_SECONDS: '60',
  });

/** Improves rows, but refuses row 1, and is throttled at first. */
const createModel = (): ModelClient =>
  createRefusingModel(() => `This is a much better and complete ${CANARY}.`);

const lambda = (name: string): Context => ({
  ...context(),
  functionName: name,
  getRemainingTimeInMillis: () => 900_000,
});

/** What CloudWatch Logs invokes a function with for these lines. */
const deliveryOf = (messages: readonly string[], messageType = 'DATA_MESSAGE') => ({
  awslogs: {
    data: gzipSync(
      JSON.stringify({
        messageType,
        owner: '123456789012',
        logGroup: '/aws/lambda/tunesmith-test-tasks-adapt-adapt-chunk',
        logStream: '2026/11/29/[$LATEST]0123',
        subscriptionFilters: ['Telemetry'],
        logEvents: messages.map((message, n) => ({ id: `event ${n}`, timestamp: Date.now(), message })),
      }),
    ).toString('base64'),
  },
});

const deliver = (lines: readonly string[], to: Use = use) =>
  forward.with({}, to)(deliveryOf(lines), lambda('tunesmith-test-consumers-forward-telemetry'));

/** Launches a run as a caller who traces, and takes it to its end. */
async function adaptRows(): Promise<{ runId: string; requestId: string; datasetId: string }> {
  const caller = await seedTeam(world.store, 10);
  const dataset = await seedDataset(world.store, caller, { row_count: ROWS });
  const { dataset_id } = dataset;
  const rows = Array.from({ length: ROWS }, (_, n) =>
    JSON.stringify({ question: `question ${n} ${CANARY}`, answer: `answer ${CANARY}` }),
  );
  await writeRows(world, dataset_id, rows, ROWS);
  const request = context();
  const event = eventOf(adapt.contract, {
    as: caller,
    params: { dataset_id },
    headers: { Authorization: `Bearer ${CANARY}`, traceparent: `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01` },
    body: {
      column_mapping: { prompt: 'question', completion: 'answer' },
      recipe_specification: { recipes: { prompt_rephrase: true } },
      brand_controls: { blueprint: CANARY },
    },
  });
  const { body } = await adapt.with({}, use)(event, request);
  const { run_id } = JSON.parse(body) as { run_id: string };
  const run = { run_id, dataset_id, team_id: caller.team_id };
  const invoke = (task: string, input: unknown): Promise<unknown> =>
    invokeTask(use, `adapt/${task}`, input, lambda(`tunesmith-test-tasks-adapt-${task}`)).catch(
      (error: unknown) => error,
    );
  await invoke('plan-run', run);
  const [batch] = readPlan(world, run_id);
  await invoke('adapt-chunk', batch);
  await invoke('adapt-chunk', { ...batch, chunk_key: 'gone' });
  await invoke('assemble-run', run);
  await invoke('settle-run', { ...run, error: null });
  return { runId: run_id, requestId: request.awsRequestId, datasetId: dataset_id };
}

test('telemetry of a run is one trace, of its tasks and their calls of models, to which the request links that launched it', async () => {
  const { runId, requestId, datasetId } = await adaptRows();
  const lines = written();

  const forwarded = await deliver(lines);

  const spans = receiver.spans();
  expect(forwarded).toEqual({ spans: spans.length, points: receiver.metrics().length, lost: 0 });
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [run] = named('run adapt');
  expect(run).toMatchObject({
    parentSpanId: null,
    status: 0,
    attributes: { 'tunesmith.run_id': runId, 'tunesmith.pipeline': 'adapt', 'tunesmith.status': 'succeeded' },
    resource: {
      'service.name': 'tunesmith',
      'deployment.environment.name': 'test',
      'cloud.region': 'eu-west-1',
      'faas.name': 'tunesmith-test-tasks-adapt-adapt-chunk',
    },
  });
  const ofRun = spans.filter(({ traceId }) => traceId === run?.traceId);
  const tasks = ofRun.filter(({ name }) => name.startsWith('tasks-'));
  expect(tasks.map(({ name, status }) => [name, status])).toEqual([
    ['tasks-adapt-plan-run', 0],
    ['tasks-adapt-adapt-chunk', 0],
    ['tasks-adapt-assemble-run', 0],
    ['tasks-adapt-settle-run', 0],
    ['tasks-adapt-adapt-chunk', 2],
  ]);
  for (const task of tasks) {
    expect(task.parentSpanId).toBe(run?.spanId);
    expect(task.attributes).toMatchObject({ 'tunesmith.run_id': runId, 'tunesmith.dataset_id': datasetId });
  }

  const worker = tasks.find(({ name, status }) => name === 'tasks-adapt-adapt-chunk' && status === 0);
  const calls = named('chat a-model');
  expect(calls).toHaveLength(ROWS + 1);
  for (const call of calls) {
    expect(call).toMatchObject({ kind: 3, traceId: run?.traceId, parentSpanId: worker?.spanId });
    expect(call.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'a-model',
      'server.address': 'models.example',
      'tunesmith.run_id': runId,
      'tunesmith.model_role': 'rewrite',
    });
  }
  const answered = calls.filter(({ status }) => status === 0);
  expect(answered).toHaveLength(ROWS - 1);
  expect(answered[0]?.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 9,
    'gen_ai.usage.output_tokens': 4,
    'gen_ai.response.finish_reasons': ['stop'],
  });
  expect(
    calls.filter(({ status }) => status === 2).map(({ attributes }) => attributes['error.type']),
  ).toEqual(['throttled', 'rejected']);

  const [request] = named('POST datasets.adapt');
  const [launch] = named('launch adapt');
  expect(request).toMatchObject({
    traceId: CALLERS_TRACE,
    parentSpanId: CALLERS_SPAN,
    kind: 2,
    attributes: { 'faas.invocation_id': requestId, 'http.response.status_code': 200 },
  });
  expect(launch).toMatchObject({
    traceId: CALLERS_TRACE,
    parentSpanId: request?.spanId,
    kind: 4,
    links: [run?.spanId],
  });
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);

  const metric = (name: string) => receiver.metrics().filter((each) => each.name === name);
  expect(metric('tunesmith.model_calls')).toEqual([
    {
      name: 'tunesmith.model_calls',
      unit: '1',
      form: 'sum',
      temporality: 1,
      points: [expect.objectContaining({ asDouble: ROWS + 1, attributes: { 'tunesmith.role': 'rewrite' } })],
    },
  ]);
  const [seconds] = metric('tunesmith.run_seconds');
  expect(seconds).toMatchObject({ unit: 's', form: 'histogram', temporality: 1 });
  expect(seconds?.points).toEqual([
    expect.objectContaining({ count: '1', attributes: { 'tunesmith.pipeline': 'adapt' } }),
  ]);

  // Nothing of rows, bodies and keys leaves, and the header of the receiver is in no line.
  expect(receiver.text()).not.toContain(CANARY);
  expect(lines.join()).not.toContain(SECRET);
  expect(new Set(receiver.authorizations)).toEqual(new Set([SECRET]));
}, 120_000);

test('telemetry that a receiver does not take is counted and given up, for half a minute without asking it', async () => {
  let now = 0;
  const asked: string[] = [];
  world = createWorld(Date.now, [
    standIn(theClock, { now: () => now, sleep: async () => {} }),
    standIn(theSecrets, (name) => async () => {
      asked.push(name);
      return headers;
    }),
    standIn(theReceiver, () => theReceiver.connect(silent)()),
  ]);
  const line = JSON.stringify({
    message: 'task',
    task: 'tunesmith-test-tasks-adapt-plan-run',
    request_id: 'r',
    duration_ms: 5,
  });
  // Nothing listens on the port of the discard protocol.
  const silent = installed('http://127.0.0.1:9');
  const lost = { spans: 0, points: 0, lost: 1 };

  expect(await deliver([line], silent)).toEqual(lost);
  expect(await deliver([line], silent)).toEqual(lost);
  expect(asked).toEqual(['telemetry_headers']);
  now += 31_000;
  expect(await deliver([line], silent)).toEqual(lost);
  expect(asked).toHaveLength(2);
  headers = 'a header without a value';
  now += 31_000;
  expect(await deliver([line], silent)).toEqual(lost);

  const lines = written();
  expect(lines.filter((each) => each.includes('telemetry not taken'))).toHaveLength(3);
  expect(lines.filter((each) => each.includes('"TelemetryLost":1'))).toHaveLength(4);
  expect(lines.join()).not.toContain(headers);
}, 60_000);

test('telemetry is made of the lines of functions alone', async () => {
  const before = receiver.spans().length;
  const strangers = [
    'START RequestId: 1 Version: $LATEST',
    '{"message":"task"',
    '{"message":"request","request_id":"r","route":"x"}',
    '{"message":"authorized","request_id":"r","team_id":"t"}',
    '["task"]',
    'null',
    '{"_aws":{"Timestamp":1,"CloudWatchMetrics":[{"Namespace":"Other","Dimensions":[[]],"Metrics":[{"Name":"ModelCalls"}]}]},"ModelCalls":1}',
    '{"_aws":{"Timestamp":1,"CloudWatchMetrics":[{"Namespace":"Tunesmith","Dimensions":[[]],"Metrics":[{"Name":"constructor"}]}]},"constructor":1}',
  ];

  expect(await deliver(strangers)).toEqual({ spans: 0, points: 0, lost: 0 });
  const control = deliveryOf(['CWL CONTROL MESSAGE: Checking health of destination'], 'CONTROL_MESSAGE');
  expect(await forward.with({}, use)(control, lambda('f'))).toEqual({ spans: 0, points: 0, lost: 0 });
  expect(receiver.spans()).toHaveLength(before);
});
