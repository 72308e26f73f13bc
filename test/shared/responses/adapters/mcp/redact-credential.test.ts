import { expect, test } from 'vitest';
import { redactCredential } from '#shared/responses/adapters/mcp/redact-credential.ts';

const HEADER = 'Bearer abc.123456';

test('a credential is removed wherever a response has it, with its scheme or without, in keys too', () => {
  const answer = {
    text: 'You sent Bearer abc.123456 and abc.123456, abc.123456.',
    list: ['abc.123456', { 'x-abc.123456': ['Bearer abc.123456'] }],
    'abc.123456': 1,
  };

  expect(redactCredential(HEADER, answer)).toEqual({
    text: 'You sent [credential] and [credential], [credential].',
    list: ['[credential]', { 'x-[credential]': ['[credential]'] }],
    '[credential]': 1,
  });
});

test('everything else stays as it is', () => {
  const answer = { text: 'Bearer of news', none: null, n: 1, yes: true, list: [null, 2, false, []] };

  expect(redactCredential(HEADER, answer)).toEqual(answer);
  expect(redactCredential(HEADER, null)).toBeNull();
  expect(redactCredential(HEADER, 'abc.123456')).toBe('[credential]');
});

test('a credential without a scheme is removed, and one whose scheme is followed by more blanks', () => {
  expect(redactCredential('abc.123456', 'is abc.123456')).toBe('is [credential]');
  expect(redactCredential('Bearer   abc.123456', 'is abc.123456')).toBe('is [credential]');
});

test('of a credential of two words the scheme is the first one alone', () => {
  expect(redactCredential('Basic first second', 'has first second')).toBe('has [credential]');
});

test('the characters of a credential are no pattern', () => {
  expect(redactCredential('Bearer a.c+d(e)f$', 'aXc+d(e)f$ a.c+d(e)f$')).toBe('aXc+d(e)f$ [credential]');
});

test('eight characters are a credential, and seven may be a word', () => {
  expect(redactCredential('Bearer 12345678', '12345678')).toBe('[credential]');
  expect(redactCredential('Bearer 1234567', '1234567')).toBe('1234567');
  expect(redactCredential('Bearer 1234567', 'Bearer 1234567')).toBe('[credential]');
});

test.each([null, '', 'short'])('without a credential (%j) a response is handed on as it came', (header) => {
  const answer = { text: 'short', list: ['[x]'] };

  expect(redactCredential(header, answer)).toBe(answer);
});
