import { expect, test } from 'vitest';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readFailure, toTaskError } from '#shared/platform/errors/to-failure.ts';

/** What a state machine hands on of an error that a task threw. */
const caughtOf = (thrown: unknown) => {
  const { name, message } = thrown as Error;
  return { code: name, message, level: 'error' as const };
};

test.each(['File has no rows.', 'Two: colons: here.', 'Two\nlines.', ''])(
  'an error that is meant for callers comes out of a state machine as it went in, saying %j',
  (message) => {
    const thrown = toTaskError(new ServiceError('file_empty', message));

    expect(readFailure(caughtOf(thrown))).toEqual({ code: 'file_empty', message, level: 'error' });
  },
);

test('an error that is meant for callers keeps its code when the engine loses the name', () => {
  const thrown = toTaskError(new ServiceError('file_empty', 'No rows.')) as Error;

  expect(readFailure({ code: 'Error', message: thrown.message, level: 'error' })?.code).toBe('file_empty');
});

test('an error that is meant for callers is named by its code, which is what Retry and Catch match', () => {
  expect((toTaskError(new ServiceError('model_unavailable', 'm')) as Error).name).toBe('model_unavailable');
});

test.each([
  ['of S3 that is asked too often', { name: 'SlowDown', $metadata: { httpStatusCode: 503 } }],
  ['of a table that is throttled', { name: 'ThrottlingException', $retryable: { throttling: true } }],
  ['of a connection that breaks off', { code: 'ECONNRESET' }],
])('%s is one that state machines retry', (_, fields) => {
  const thrown = toTaskError(Object.assign(new Error('canary'), fields)) as Error;

  expect(thrown.name).toBe('service_unavailable');
  expect(thrown.message).not.toContain('canary');
  expect(readFailure(caughtOf(thrown))).toMatchObject({ code: 'service_unavailable' });
});

test('an error that may be gone at the next attempt is none where AWS refuses the request', () => {
  const refused = Object.assign(new Error('no'), { $metadata: { httpStatusCode: 403 } });

  expect(toTaskError(refused)).toBe(refused);
});

test('any other error passes through a task as it is', () => {
  const error = new TypeError('canary');

  expect(toTaskError(error)).toBe(error);
});

test('any other error does not quote the row that could not be parsed, since Lambda logs what a task throws', () => {
  const thrown = toTaskError(new SyntaxError('Unexpected token in "canary"')) as Error;

  expect(`${thrown.message} ${thrown.stack}`).not.toContain('canary');
});

test.each([
  caughtOf(new TypeError('canary')),
  caughtOf(new Error('some_code: canary')),
  { code: 'Lambda.TooManyRequestsException', message: 'canary', level: 'error' as const },
  { code: 'States.DataLimitExceeded', message: '', level: 'error' as const },
])('any other error of $code tells nothing of its cause', (caught) => {
  const failure = readFailure(caught);

  expect(failure).toMatchObject({ code: 'run_interrupted', level: 'error' });
  expect(JSON.stringify(failure)).not.toContain('canary');
});

test.each(['States.Timeout', 'Sandbox.Timedout'])(
  'any other error of time (%s) says what to do about it',
  (code) => {
    expect(readFailure({ code, message: '', level: 'error' })).toMatchObject({
      code: 'run_timed_out',
      message: expect.stringContaining('max_rows'),
    });
  },
);

test('no failure stays none', () => {
  expect(readFailure(null)).toBeNull();
});
