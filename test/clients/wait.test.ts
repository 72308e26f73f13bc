import { createTunesmith, waitForDataset, waitForEvaluation, waitForRun, waitForTraining } from 'tunesmith';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeService, inTurn, problem, SERVICE_URL } from '#test/helpers/fake-service.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const STATUS = 'GET /api/v1/datasets/d1/status';
const status =
  (value: string, row_count: number | null = null) =>
  () =>
    Response.json({
      dataset_id: 'd1',
      status: value,
      row_count,
      progress: null,
      error_data: null,
      error: null,
    });

function clientOf(call: string, ...answers: (() => Response)[]) {
  const service = fakeService({ [call]: inTurn(...answers) });
  return {
    service,
    client: createTunesmith({
      baseUrl: SERVICE_URL,
      apiKey: 'k',
      fetch: (request: Request) => service.fetch(request),
    }),
  };
}

async function elapse<T>(waiting: Promise<T>): Promise<T> {
  waiting.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(20_000_000);
  return waiting;
}

test('waiting for a dataset ends when its rows are counted, and tells of every look', async () => {
  const { client } = clientOf(STATUS, status('pending'), status('pending'), status('awaiting_input', 12));
  const seen: string[] = [];

  const read = await elapse(
    waitForDataset(client, 'd1', { onProgress: (record) => seen.push(record.status) }),
  );

  expect(read.row_count).toBe(12);
  expect(seen).toEqual(['pending', 'pending', 'awaiting_input']);
});

test('waiting for a dataset whose file cannot be read ends with its failure', async () => {
  const { client } = clientOf(STATUS, status('pending'), status('failed'));

  expect((await elapse(waitForDataset(client, 'd1'))).status).toBe('failed');
});

test.each(['succeeded', 'failed', 'awaiting_input'])('waiting for a run ends at %s', async (end) => {
  const { client, service } = clientOf(STATUS, status('pending', 12), status('running', 12), status(end, 12));

  expect((await elapse(waitForRun(client, 'd1'))).status).toBe(end);
  expect(service.received).toHaveLength(3);
});

test.each(['succeeded', 'failed', 'skipped'])('waiting for an evaluation ends at %s', async (end) => {
  const evaluation = (value: string | null) => () =>
    Response.json({ dataset_id: 'd1', status: value, quality: null, raw_results: null, history: [] });
  const { client } = clientOf(
    'GET /api/v1/datasets/d1/evaluation',
    evaluation(null),
    evaluation('running'),
    evaluation(end),
  );

  expect((await elapse(waitForEvaluation(client, 'd1'))).status).toBe(end);
});

test.each(['succeeded', 'failed', 'cancelled'])('waiting for a training ends at %s', async (end) => {
  const training = (value: string) => () => Response.json({ id: 't1', status: value });
  const { client } = clientOf(
    'GET /api/v1/autoscientist/t1',
    training('pending'),
    training('running'),
    training(end),
  );

  expect((await elapse(waitForTraining(client, 't1'))).status).toBe(end);
});

test('waiting looks ever less often, up to an interval', async () => {
  const { client } = clientOf(STATUS, status('running', 1));
  const times: number[] = [];
  const start = performance.now();
  const onProgress = () => times.push(Math.round((performance.now() - start) / 100) / 10);

  await elapse(waitForRun(client, 'd1', { timeoutSeconds: 12, intervalSecondsMax: 3, onProgress })).catch(
    () => undefined,
  );

  // 1, 1.5, 2.25, then 3 at most, and a last look at the end.
  expect(times).toEqual([0, 1, 2.5, 4.8, 7.8, 10.8, 12]);
});

test('waiting outlives a service that is down, and ends with an error that it names', async () => {
  const down = () => problem(503, 'service_unavailable');
  const { client } = clientOf(STATUS, ...Array.from({ length: 12 }, () => down), status('succeeded', 1));
  expect((await elapse(waitForRun(client, 'd1'))).status).toBe('succeeded');

  const refused = clientOf(STATUS, () => problem(404, 'dataset_not_found'));
  await expect(elapse(waitForRun(refused.client, 'd1'))).rejects.toMatchObject({
    code: 'dataset_not_found',
  });
  expect(refused.service.received).toHaveLength(1);
});

test('waiting ends with an error when it takes too long', async () => {
  const { client } = clientOf(STATUS, status('running', 1));

  await expect(elapse(waitForRun(client, 'd1', { timeoutSeconds: 60 }))).rejects.toMatchObject({
    name: 'WaitTimeoutError',
    message: 'The run did not end within 60 seconds. Wait again.',
  });
});

test('waiting ends at once when it is aborted', async () => {
  const { client, service } = clientOf(STATUS, status('running', 1));
  const stop = new AbortController();

  const waiting = waitForRun(client, 'd1', { signal: stop.signal });
  waiting.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(500);
  stop.abort();

  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(service.received).toHaveLength(1);
});

test('waiting between repetitions is as long as the service asks', async () => {
  const { client, service } = clientOf(
    STATUS,
    () => problem(429, 'rate_limited', { 'retry-after': '7' }),
    status('succeeded', 1),
  );

  const waiting = waitForRun(client, 'd1');
  await vi.advanceTimersByTimeAsync(6_900);
  expect(service.received).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  await waiting;
  expect(service.received).toHaveLength(2);
});
