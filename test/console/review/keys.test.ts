import { describe, expect, test } from 'vitest';
import { actionOf, KEYS, type PressedKey } from '../../../console/src/review/keys.ts';

const press = (key: string, changes: Partial<PressedKey> = {}) =>
  actionOf({
    key,
    code: `Key${key.toUpperCase()}`,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    repeat: false,
    ...changes,
  });

describe('the keys of the review', () => {
  test('every button has a key of its own, in small and capital letters', () => {
    expect(new Set(KEYS.map(({ key }) => key)).size).toBe(KEYS.length);
    for (const { action, key } of KEYS) {
      expect(press(key)).toBe(action);
      expect(press(key.toLowerCase())).toBe(action);
    }
    expect(press('ArrowLeft')).toBe('previous');
    expect(press('ArrowRight')).toBe('next');
  });

  test('a key that is held judges one row, and keys with modifiers are the browser’s', () => {
    expect(press('r', { repeat: true })).toBeNull();
    expect(press('n', { repeat: true })).toBe('next');
    expect(press('r', { ctrlKey: true })).toBeNull();
    expect(press('w', { metaKey: true })).toBeNull();
    expect(press('constructor')).toBeNull();
  });

  test('a key counts by its place where its letter is not Latin', () => {
    expect(press('к', { code: 'KeyR' })).toBe('right');
    expect(press('ф', { code: 'KeyA' })).toBe('alike');
  });
});
