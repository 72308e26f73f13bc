import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { API_KEY_PATTERN, formatApiKey, hashApiKey, isApiKey } from '#shared/access/decide/api-key.ts';

const ZERO = formatApiKey(new Uint8Array(32));

test('API keys hold all 256 bits in a text of one length', () => {
  const keys = [new Uint8Array(32), new Uint8Array(32).fill(255), randomBytes(32)].map(formatApiKey);

  for (const key of keys) expect(key).toMatch(API_KEY_PATTERN);
  expect(new Set(keys).size).toBe(3);
  expect(ZERO).toMatch(/^pt_live_0{43}[0-9A-Za-z]{6}$/);
  expect(formatApiKey(Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0)))).not.toBe(ZERO);
});

test('API keys can be read back to their secret, of which no bit is lost', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  for (const secret of [randomBytes(32), new Uint8Array(32).fill(255)]) {
    const body = formatApiKey(secret).slice('pt_live_'.length, -6);
    const read = [...body].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);

    expect(read).toBe(BigInt(`0x${Buffer.from(secret).toString('hex')}`));
  }
});

test('a mistyped key is told from one that was issued', () => {
  const key = formatApiKey(randomBytes(32));
  expect(isApiKey(key)).toBe(true);

  for (let at = 0; at < key.length; at += 1) {
    const typo = key[at] === 'x' ? 'y' : 'x';
    expect(isApiKey(key.slice(0, at) + typo + key.slice(at + 1))).toBe(false);
  }
  for (const text of ['', 'pt_live_', key.slice(1), `${key}0`, ` ${key}`, key.toLowerCase()]) {
    expect(isApiKey(text)).toBe(false);
  }
});

test('API keys are stored as their SHA-256', () => {
  expect(hashApiKey(ZERO)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashApiKey(ZERO)).not.toContain(ZERO.slice(-6));
});

test('API keys need 32 bytes', () => {
  expect(() => formatApiKey(new Uint8Array(31))).toThrow(RangeError);
});
