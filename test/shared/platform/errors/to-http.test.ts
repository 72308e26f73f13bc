import { expect, test } from 'vitest';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { toHttpProblem } from '#shared/platform/errors/to-http.ts';
import { Problem } from '#shared/platform/schema/problem.ts';

test('a problem has one shape, which clients of OpenAI’s API can read too', () => {
  const error = new ServiceError('column_unknown', 'Say another.', {
    details: [{ path: 'column_mapping.prompt', message: 'is not there', available: ['a'] }],
  });

  const { body } = toHttpProblem(error, 'request-1');

  expect(body).toEqual({
    statusCode: 400,
    message: 'Say another.',
    code: 'column_unknown',
    details: [{ path: 'column_mapping.prompt', message: 'is not there', available: ['a'] }],
    request_id: 'request-1',
    error: {
      message: 'Say another.',
      type: 'invalid_request_error',
      param: 'column_mapping.prompt',
      code: 'column_unknown',
    },
  });
  expect(Problem.safeParse(body).success).toBe(true);
});

test('a problem says with text which field is meant, also where none is: some clients read nothing else', () => {
  const { body } = toHttpProblem(new ServiceError('internal_error', 'm'), 'r');

  expect(body.error.param).toBe('');
});

test.each([
  ['unauthorized', 'authentication_error'],
  ['credits_insufficient', 'insufficient_quota'],
  ['scope_missing', 'permission_error'],
  ['dataset_not_found', 'not_found_error'],
  ['rate_limited', 'rate_limit_error'],
  ['internal_error', 'server_error'],
  ['publish_not_implemented', 'server_error'],
  ['dataset_running', 'invalid_request_error'],
] as const)('%s is of type %s', (code, type) => {
  expect(toHttpProblem(new ServiceError(code, 'm'), 'r').body.error.type).toBe(type);
});

test.each([
  [0.2, '1'],
  [1, '1'],
  [29.1, '30'],
  [60, '60'],
  [3600, '60'],
])('a problem that can be retried after %d seconds says %s, within what clients heed', (seconds, header) => {
  const error = new ServiceError('service_unavailable', 'm', { retryAfterSeconds: seconds });

  expect(toHttpProblem(error, 'r').headers['retry-after']).toBe(header);
});

test('a problem of a missing key tells what is to be sent', () => {
  expect(toHttpProblem(new ServiceError('unauthorized', 'm'), 'r').headers['www-authenticate']).toBe(
    'Bearer',
  );
});

test('a problem shows nothing of its cause', () => {
  const error = new ServiceError('service_unavailable', 'Later.', { cause: new Error('canary') });

  expect(JSON.stringify(toHttpProblem(error, 'r'))).not.toContain('canary');
});

test('an error is named by its code, which is what a state machine’s Retry and Catch match', () => {
  expect(new ServiceError('model_unavailable', 'm').name).toBe('model_unavailable');
});
