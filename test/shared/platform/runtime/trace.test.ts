import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logger } from '#shared/platform/runtime/logger.ts';
import { noteIds, outgoingTrace, traced, traceOf } from '#shared/platform/runtime/trace.ts';
import type { TraceContext } from '#shared/platform/trace-context.ts';

const trace = (digit: string): TraceContext => ({
  traceId: digit.repeat(32),
  parentId: '00f067aa0ba902b7',
  flags: 1,
  state: null,
});
const ROOT = '1-67891233-abcdef012345678912345678';
const PARENT = '463ac35c9f6413ad';

let daemon: Socket;
let received: string[];

beforeEach(async () => {
  vi.spyOn(logger, 'appendKeys').mockImplementation(() => {});
  received = [];
  daemon = createSocket('udp4').on('message', (message) => void received.push(message.toString()));
  daemon.bind(0, '127.0.0.1');
  await once(daemon, 'listening');
  vi.stubEnv('AWS_XRAY_DAEMON_ADDRESS', `127.0.0.1:${(daemon.address() as AddressInfo).port}`);
  vi.stubEnv('_X_AMZN_TRACE_ID', `Root=${ROOT};Parent=${PARENT};Sampled=1;Lineage=1:a87bd80c:0`);
});
afterEach(() => {
  daemon.close();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** What has come by the time at which anything that was sent has come. */
async function arrived(): Promise<string[]> {
  const marker = createSocket('udp4');
  marker.send('marker', (daemon.address() as AddressInfo).port, '127.0.0.1', () => marker.close());
  await expect.poll(() => received.at(-1)).toBe('marker');
  return received.slice(0, -1);
}

test('what is asked within an invocation goes on with its trace, under its own span, whatever runs beside it', async () => {
  const work = async (): Promise<string[]> => {
    const parents: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      parents.push(outgoingTrace()?.traceparent ?? 'none');
    }
    return parents;
  };

  const [a, b, none] = await Promise.all([
    traced('a', trace('a'), work),
    traced('b', trace('b'), work),
    traced('c', null, work),
  ]);

  expect(new Set(a)).toEqual(new Set([expect.stringMatching(/^00-a{32}-[0-9a-f]{16}-01$/)]));
  expect(new Set(b)).toEqual(new Set([expect.stringMatching(/^00-b{32}-[0-9a-f]{16}-01$/)]));
  expect(a[0]?.slice(36, 52)).not.toBe(b[0]?.slice(36, 52));
  expect(none).toEqual(['none', 'none', 'none']);
  expect(outgoingTrace()).toBeUndefined();
});

test('X-Ray is sent a subsegment of the function’s segment, with the ids that it is looked for by', async () => {
  const before = Date.now() / 1000;
  let parent: string | undefined;

  await traced('responses.create', trace('a'), async () => {
    noteIds({ response_id: 'resp_1' });
    parent = outgoingTrace()?.traceparent;
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

  const [message = '', ...others] = await arrived();
  expect(others).toEqual([]);
  const [header = '', body = '', ...rest] = message.split('\n');
  expect(rest).toEqual([]);
  expect(JSON.parse(header)).toEqual({ format: 'json', version: 1 });
  const subsegment = JSON.parse(body);
  expect(subsegment).toEqual({
    type: 'subsegment',
    name: 'responses.create',
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    trace_id: ROOT,
    parent_id: PARENT,
    start_time: expect.any(Number),
    end_time: expect.any(Number),
    annotations: { trace_id: 'a'.repeat(32), response_id: 'resp_1' },
  });
  expect(parent).toBe(`00-${'a'.repeat(32)}-${subsegment.id}-01`);
  expect(subsegment.start_time).toBeGreaterThanOrEqual(before);
  expect(subsegment.end_time - subsegment.start_time).toBeGreaterThan(0.01);
  expect(subsegment.end_time - subsegment.start_time).toBeLessThan(10);
});

test.each([
  ['the trace is not recorded', '_X_AMZN_TRACE_ID', `Root=${ROOT};Parent=${PARENT};Sampled=0`],
  ['the trace says no parent', '_X_AMZN_TRACE_ID', `Root=${ROOT};Sampled=1`],
  ['there is no trace', '_X_AMZN_TRACE_ID', ''],
  ['there is no daemon', 'AWS_XRAY_DAEMON_ADDRESS', ''],
])('X-Ray is sent nothing where %s', async (_what, name, value) => {
  vi.stubEnv(name, value);

  await traced('a', trace('a'), async () => {});

  expect(await arrived()).toEqual([]);
});

test('X-Ray is sent nothing where there is nothing to find it by', async () => {
  await traced('a', null, async () => {});

  expect(await arrived()).toEqual([]);
});

test.each(['127.0.0.1:1', 'no-such-host.invalid:2000', '127.0.0.1:99999', 'tcp:a udp:b'])(
  'X-Ray neither fails an answer nor holds it up where its daemon is not at %s',
  async (address) => {
    vi.stubEnv('AWS_XRAY_DAEMON_ADDRESS', address);
    const started = performance.now();

    expect(await traced('a', trace('a'), async () => 'done')).toBe('done');
    expect(performance.now() - started).toBeLessThan(20_000);
  },
);

test('X-Ray is told of work that failed, whose failure stays what it is', async () => {
  const error = new Error('It failed.');

  await expect(traced('a', trace('a'), () => Promise.reject(error))).rejects.toBe(error);

  expect(await arrived()).toHaveLength(1);
});

test('a trace is read from headers of any case; several parents are none', () => {
  const traceparent = `00-${'a'.repeat(32)}-00f067aa0ba902b7-01`;
  const headers = { TraceParent: traceparent, Tracestate: 'a=1' };

  expect(traceOf({ headers, multiValueHeaders: {} })).toEqual({ ...trace('a'), state: 'a=1' });
  expect(
    traceOf({ headers, multiValueHeaders: { TraceParent: [traceparent], tracestate: ['a=1', 'b=2'] } }),
  ).toEqual({ ...trace('a'), state: 'a=1,b=2' });
  expect(traceOf({ headers, multiValueHeaders: { traceparent: [traceparent, traceparent] } })).toBeNull();
  expect(traceOf({ headers: {}, multiValueHeaders: {} })).toBeNull();
});
