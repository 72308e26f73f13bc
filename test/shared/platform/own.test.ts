import { expect, test } from 'vitest';
import { own, putOwn } from '#shared/platform/own.ts';

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  '%s is no key of a record without it',
  (name) => {
    const record: Record<string, number> = { a: 1 };

    expect(own(record, name)).toBeUndefined();
    putOwn(record, name, 2);
    expect(own(record, name)).toBe(2);
    expect(own({}, name)).toBeUndefined();
  },
);

test('no record has no keys', () => {
  expect(own(null, 'a')).toBeUndefined();
  expect(own(undefined, 'a')).toBeUndefined();
  expect(own({ a: 1 }, 'a')).toBe(1);
});
