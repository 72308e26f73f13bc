import { beforeEach, expect, test } from 'vitest';
import { openCursor, sealCursor } from '#shared/platform/cursor.ts';

const POSITION = 'DATASET#1|2026-03-01T12:00:00.000Z';
const BOUND = 'team-1 datasets created_at';
const KEY = 'a signing key';
const invalid = expect.objectContaining({ code: 'cursor_invalid' });

let cursor: string;
beforeEach(() => {
  cursor = sealCursor(POSITION, BOUND, KEY);
});

test('a cursor carries its position through a URL', () => {
  expect(openCursor(cursor, BOUND, KEY)).toBe(POSITION);
  expect(encodeURIComponent(cursor)).toBe(cursor);
});

test.each([
  ['another team', 'team-2 datasets created_at', KEY],
  ['another list', 'team-1 trainings created_at', KEY],
  ['another key', BOUND, 'another signing key'],
])('a cursor is invalid for %s', (_what, boundTo, key) => {
  expect(() => openCursor(cursor, boundTo, key)).toThrow(invalid);
});

test('a cursor that someone made, changed or cut is invalid', () => {
  const [payload, signature] = cursor.split('.');
  const other = Buffer.from('DATASET#2').toString('base64url');

  for (const forged of [
    '',
    '.',
    payload,
    `${payload}.`,
    `${other}.${signature}`,
    `${cursor}x`,
    `x${cursor}`,
  ]) {
    expect(() => openCursor(forged ?? '', BOUND, KEY)).toThrow(invalid);
  }
  for (let at = 0; at < cursor.length; at += 1) {
    const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    expect(() => openCursor(changed, BOUND, KEY)).toThrow(invalid);
  }
});

test('the part after the dot does not say what the signature is bound to', () => {
  expect(sealCursor('a', 'b\nc', KEY)).not.toBe(sealCursor('a', 'c', KEY));
  expect(sealCursor('a', BOUND, KEY).split('.')[1]).not.toBe(sealCursor('b', BOUND, KEY).split('.')[1]);
});
