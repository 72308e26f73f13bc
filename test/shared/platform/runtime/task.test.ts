import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { TASK_OUTPUT_BYTES_MAX, task } from '#shared/platform/pipelines/pipeline.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import { context } from '#test/helpers/call.ts';
import { collectMetrics } from '#test/helpers/written-metrics.ts';

const contract = task({
  input: z.object({ run_id: z.string(), note: z.string().optional() }),
  output: z.object({ text: z.string() }),
  memoryMb: 256,
  timeoutSeconds: 60,
});
const input = { run_id: 'run-1' };

beforeEach(() => {
  vi.spyOn(logger, 'info').mockImplementation(() => {});
  vi.spyOn(logger, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const run = (
  work: Parameters<typeof runTask<typeof contract, Record<never, never>>>[2],
  event: unknown = input,
) => runTask(contract, {}, work).with({})(event, context('request-1'));

test('a task gets its input parsed, and when Lambda will end it', async () => {
  const seen = vi.fn();
  const before = Date.now();

  await run(
    async (...args) => {
      seen(...args);
      return { text: 'done' };
    },
    { ...input, unknown: 1 },
  );

  const [parsed, , tools] = seen.mock.calls[0] ?? [];
  expect(parsed).toEqual(input);
  expect(tools).toMatchObject({ requestId: 'request-1' });
  expect(tools.deadline - before).toBeGreaterThanOrEqual(30_000);
  expect(tools.deadline - before).toBeLessThan(31_000);
});

test('a task goes on with the trace that it is handed, and is found by it in the log', async () => {
  const append = vi.spyOn(logger, 'appendKeys');
  const id = '4bf92f3577b34da6a3ce929d0e0e4736';
  let outgoing: string | undefined;
  const work = async () => {
    outgoing = outgoingTrace()?.traceparent;
    return { text: 'done' };
  };

  await run(work, { ...input, trace: { traceparent: `00-${id}-00f067aa0ba902b7-01` } });
  expect(append).toHaveBeenLastCalledWith({
    run_id: 'run-1',
    trace_id: id,
    parent_id: '00f067aa0ba902b7',
    span_id: outgoing?.split('-')[2],
    request_id: 'request-1',
  });
  expect(outgoing).toMatch(new RegExp(`^00-${id}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));

  await run(work, { ...input, trace: { traceparent: 7 } }).catch(() => {});
  expect(outgoing).toBeUndefined();
});

test.each([
  ['a failure', new Error('Nobody expected this.'), 1],
  ['a failure of the service that has a name', new ServiceError('model_unavailable', 'It is silent.'), 1],
  ['a file that cannot be read', new ServiceError('file_unreadable', 'Mend it.'), 0],
])(
  'a task that ends in %s is counted where it is nobody’s fault but the service’s',
  async (_, error, counted) => {
    const written = collectMetrics();

    await expect(run(() => Promise.reject(error))).rejects.toThrow();

    expect(written().filter(({ name }) => name === 'TasksFailed')).toHaveLength(counted);
  },
);

test('a task answers what its output names and nothing else', async () => {
  expect(await run(async () => ({ text: 'done', rows: ['canary'] }))).toEqual({ text: 'done' });
});

test.each([
  ['input', async () => ({ text: 'x' }), { run_id: 7 }],
  ['output', async () => ({ text: 7 }) as never, input],
] as const)('a task fails on %s of another shape', async (_what, work, event) => {
  await expect(run(work, event)).rejects.toThrow();
});

test('a task may answer 32 KiB and no byte more, for states carry ids and never rows', async () => {
  const frame = '{"text":""}'.length;
  const whole = 'x'.repeat(TASK_OUTPUT_BYTES_MAX - frame);

  expect(TASK_OUTPUT_BYTES_MAX).toBe(32_768);
  expect(await run(async () => ({ text: whole }))).toEqual({ text: whole });
  await expect(run(async () => ({ text: `${whole}x` }))).rejects.toThrow('32769 bytes');
  await expect(run(async () => ({ text: `${whole.slice(1)}é` }))).rejects.toThrow('32769 bytes');
});

test('a task throws an error of the service under its code', async () => {
  const failing = run(async () => {
    throw new ServiceError('file_empty', 'No rows.');
  });

  await expect(failing).rejects.toMatchObject({ name: 'file_empty', message: 'file_empty: No rows.' });
});

test('the log of a task has its ids and nothing else of input and output', async () => {
  await run(async () => ({ text: 'canary-output' }), {
    ...input,
    note: 'canary-note',
    dataset_id: 'd',
    n: 3,
  });

  expect(vi.mocked(logger.info).mock.calls).toEqual([
    [
      'task',
      {
        run_id: 'run-1',
        dataset_id: 'd',
        n: 3,
        request_id: 'request-1',
        task: 'tested-function',
        duration_ms: expect.any(Number),
      },
    ],
  ]);
});

test('the log of a task says the code of a failure', async () => {
  await run(async () => {
    throw new ServiceError('file_empty', 'No rows.');
  }).catch(() => {});

  expect(logger.error).toHaveBeenCalledWith(
    'task failed',
    expect.objectContaining({ run_id: 'run-1', code: 'file_empty' }),
  );
});

test('the log of a task never quotes a row that could not be parsed', async () => {
  await run(async () => JSON.parse('{"answer": canary')).catch(() => {});

  expect(JSON.stringify(vi.mocked(logger.error).mock.calls)).not.toContain('canary');
});
