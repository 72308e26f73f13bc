import { type Problem, TunesmithError } from 'tunesmith';
import { expect, test } from 'vitest';
import { isPreparing, mayAskAgain, pauseBeforeRetry } from '../../console/src/retry.ts';

const failureOf = (
  status: number,
  code: Problem['code'] | 'unreachable',
  retryAfterSeconds: number | null = null,
): TunesmithError =>
  new TunesmithError('m', { status, code, requestId: null, details: [], retryAfterSeconds });

/** Attempts after the first one, if each fails with this error. */
function retriesOf(error: unknown): number {
  let failures = 0;
  while (failures < 1000 && mayAskAgain(failures, error)) failures += 1;
  return failures;
}

test('rows whose index is being built are asked for again for minutes, as often as the service says', () => {
  const pending = failureOf(409, 'rows_pending', 10);

  expect(isPreparing(pending)).toBe(true);
  expect(retriesOf(pending)).toBe(30);
  expect(pauseBeforeRetry(0, pending)).toBe(10_000);
  expect(pauseBeforeRetry(29, pending)).toBe(10_000);
});

test.each([
  [failureOf(0, 'unreachable')],
  [failureOf(429, 'rate_limited')],
  [failureOf(500, 'internal_error')],
  [failureOf(503, 'service_unavailable')],
])('what may pass by itself is asked for twice more: %o', (error) => {
  expect(isPreparing(error)).toBe(false);
  expect(retriesOf(error)).toBe(2);
  expect([0, 1].map((failures) => pauseBeforeRetry(failures, error))).toEqual([1000, 2000]);
});

test.each([
  [failureOf(409, 'dataset_running')],
  [failureOf(404, 'dataset_not_found')],
  [failureOf(422, 'no_data_yet')],
  [new Error('a fault of the console itself')],
])('what stays as it is is not asked for again: %o', (error) => {
  expect(retriesOf(error)).toBe(0);
});

test('a wait that is longer than a reader has patience for is cut', () => {
  expect(pauseBeforeRetry(0, failureOf(429, 'rate_limited', 60))).toBe(10_000);
});
