import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { attemptSecret, isAttemptSecret } from '#shared/training/decide/attempt-secret.ts';

test('the secret of an attempt is an HMAC by its task token, the same each time', () => {
  const expected = createHmac('sha256', 'token').update('attempt credentials').digest('hex');

  expect(attemptSecret('token')).toBe(expected);
  expect(attemptSecret('token')).toMatch(/^[0-9a-f]{64}$/);
});

test('only that secret is the one of the attempt, to its last digit', () => {
  const secret = attemptSecret('token');
  expect(isAttemptSecret('token', secret)).toBe(true);

  const last = secret.endsWith('0') ? '1' : '0';
  const wrong = [
    '',
    attemptSecret('token '),
    secret.slice(0, -1),
    `${secret}0`,
    `${secret.slice(0, -1)}${last}`,
    secret.toUpperCase(),
    'é'.repeat(32),
  ];
  expect(wrong.filter((given) => isAttemptSecret('token', given))).toEqual([]);
});
