import { expect, test } from 'vitest';
import { parseTraceContext, toTraceHeaders } from '#shared/platform/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SPAN = 'b7ad6b7169203331';
const stateOf = (tracestate: string) =>
  parseTraceContext({ traceparent: `00-${TRACE}-${PARENT}-01`, tracestate })?.state;

test('a trace is gone on with under a parent of one’s own', () => {
  const trace = parseTraceContext({ traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'a=1,b@c=2' });

  expect(trace).toEqual({ traceId: TRACE, parentId: PARENT, flags: 1, state: 'a=1,b@c=2' });
  expect(trace && toTraceHeaders(trace, SPAN)).toEqual({
    traceparent: `00-${TRACE}-${SPAN}-01`,
    tracestate: 'a=1,b@c=2',
  });
});

test('a trace of a version to come is gone on with in this one, without flags that mean nothing yet', () => {
  const trace = parseTraceContext({ traceparent: `cc-${TRACE}-${PARENT}-fe-what-comes` });

  expect(trace && toTraceHeaders(trace, SPAN)).toEqual({ traceparent: `00-${TRACE}-${SPAN}-02` });
});

test.each([
  ['nothing', undefined],
  ['other words', 'no trace'],
  ['a version that is none', `ff-${TRACE}-${PARENT}-01`],
  ['more than its version has', `00-${TRACE}-${PARENT}-01-more`],
  ['more without a dash', `01-${TRACE}-${PARENT}-01more`],
  ['capital letters', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
  ['no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
  ['no parent', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['a short id', `00-${TRACE.slice(1)}-${PARENT}-01`],
  ['flags of one digit', `00-${TRACE}-${PARENT}-1`],
])('a trace is none where the header says %s', (_what, traceparent) => {
  expect(parseTraceContext({ traceparent, tracestate: 'a=1' })).toBeNull();
});

test('a trace keeps the newest of a long state, and nothing of one that cannot be read', () => {
  const long = Array.from({ length: 30 }, (_, n) => `key${n}=${'v'.repeat(40)}`);
  const kept = stateOf(long.join(','))?.split(',') ?? [];

  expect(kept).toEqual(long.slice(0, kept.length));
  expect(kept.length).toBeGreaterThan(8);
  expect(kept.join(',').length).toBeLessThanOrEqual(512);
  expect(stateOf(' a=1 ,, b=2 ')).toBe('a=1,b=2');
  expect(stateOf('')).toBeNull();
  expect(stateOf('a=1,no member')).toBeNull();
  expect(stateOf('a=1\r\nx: y')).toBeNull();
  expect(stateOf(Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(','))).toBeNull();
});
