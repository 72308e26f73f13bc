import { beforeEach, expect, test } from 'vitest';
import { type ProbeClient, ProbeFailed, type ProbeStep, runProbe } from '#shared/probe/run-probe.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';

type Answers = Readonly<Record<string, unknown>>;

/** What the service answers when all is well; requests by their method and path. */
const HEALTHY: Answers = {
  'GET /datasets': { datasets: [] },
  'POST /datasets': { dataset_id: 'd', upload_instructions: { url: 'https://bucket.example/d' } },
  'PUT https://bucket.example/d': null,
  'POST /datasets/d/upload/complete': {},
  'GET /datasets/d/status': { status: 'succeeded', error_data: null },
  'POST /datasets/d/adapt': { run_id: 'r' },
  'GET /datasets/d/report': { rows: { failed: 0 } },
  'GET /datasets/d/download?fileFormat=jsonl': '{}\n{}\n{}\n{}\n',
  'DELETE /datasets/d': {},
  'GET /datasets/d': new Error('GET /datasets/d: 404 {"code":"dataset_not_found"}'),
};

let asked: string[];
let steps: ProbeStep[];

beforeEach(() => {
  asked = [];
  steps = [];
});

function clientOf(answers: Answers): ProbeClient {
  const ask = async (request: string): Promise<unknown> => {
    asked.push(request);
    if (!Object.hasOwn(answers, request)) throw new Error(`${request} is not expected`);
    const answer = answers[request];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return {
    json: async <T>(method: string, path: string) => (await ask(`${method} ${path}`)) as T,
    text: async (path) => String(await ask(`GET ${path}`)),
    put: async (url) => void (await ask(`PUT ${url}`)),
  };
}

const probe = async (answers: Answers, seconds = 600): Promise<void> => {
  const clock = createVirtualClock();
  const ports = { client: clientOf(answers), clock, onStep: (step: ProbeStep) => void steps.push(step) };
  return clock.run(runProbe(ports, clock.now() + seconds * 1000));
};

test('a probe uploads, adapts, downloads and deletes, and tells how long each took', async () => {
  await probe(HEALTHY);

  expect(steps).toEqual(['clear', 'upload', 'adapt', 'download', 'delete']);
});

test('a probe first deletes what an earlier one has left', async () => {
  await probe({
    ...HEALTHY,
    'GET /datasets': { datasets: [{ dataset_id: 'left' }] },
    'DELETE /datasets/left': {},
  });

  expect(asked.slice(0, 2)).toEqual(['GET /datasets', 'DELETE /datasets/left']);
});

test.each<[ProbeStep, Answers]>([
  ['clear', { 'GET /datasets': new Error('GET /datasets: 401') }],
  ['upload', { 'PUT https://bucket.example/d': new Error('The upload was refused: 403') }],
  ['adapt', { 'POST /datasets/d/adapt': new Error('POST /datasets/d/adapt: 402') }],
  ['adapt', { 'GET /datasets/d/report': { rows: { failed: 1 } } }],
  ['download', { 'GET /datasets/d/download?fileFormat=jsonl': '{}\n{}\n' }],
  ['delete', { 'GET /datasets/d': {} }],
  ['delete', { 'GET /datasets/d': new Error('GET /datasets/d: 503') }],
])('a probe that fails says that its step "%s" did, and deletes what it made: %j', async (step, changed) => {
  const failed = await probe({ ...HEALTHY, ...changed }).catch((error: unknown) => error);

  expect(failed).toBeInstanceOf(ProbeFailed);
  expect(failed).toMatchObject({ step });
  expect(asked.includes('DELETE /datasets/d')).toBe(step !== 'clear');
});

test('a probe waits no longer than its time for a dataset', async () => {
  const running = { 'GET /datasets/d/status': { status: 'pending', error_data: null } };

  await expect(probe({ ...HEALTHY, ...running }, 60)).rejects.toThrow(
    'The step "upload" failed: The dataset is pending still.',
  );
  expect(asked.filter((each) => each === 'GET /datasets/d/status')).toHaveLength(14);
});
