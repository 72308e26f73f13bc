import { describe, expect, test } from 'vitest';
import {
  isPrime,
  matchesProperty,
  readProperty,
} from '#shared/adaptation/decide/answers/number-properties.ts';

describe('readProperty', () => {
  test.each([
    ['prime', { name: 'prime' }],
    ['a prime number', { name: 'prime' }],
    ['a composite number', { name: 'composite' }],
    ['an even number', { name: 'even' }],
    ['odd', { name: 'odd' }],
    ['a perfect square', { name: 'square' }],
    ['a square number', { name: 'square' }],
    ['a leap year', { name: 'leap_year' }],
    ['divisible by 7', { name: 'multiple', of: 7 }],
    ['evenly divisible by 1,000', { name: 'multiple', of: 1000 }],
    ['a multiple of 12', { name: 'multiple', of: 12 }],
    ['a divisor of 51', { name: 'factor', of: 51 }],
    ['greater than -2.5', { name: 'greater', of: -2.5 }],
    ['smaller than −3', { name: 'less', of: -3 }],
    ['equal to 3/4', { name: 'equal', of: 0.75 }],
  ])('reads %s', (text, property) => {
    expect(readProperty(text)).toEqual(property);
  });

  test.each(['prime minister', 'not prime', 'divisible by x', 'equal to 1/0', 'greater than 1 and 2', ''])(
    'does not read %j',
    (text) => {
      expect(readProperty(text)).toBeNull();
    },
  );
});

describe('matchesProperty', () => {
  test.each([
    [2, 'composite', false],
    [3, 'composite', false],
    [4, 'composite', true],
    [0, 'even', true],
    [3, 'even', false],
    [3, 'odd', true],
    [4, 'odd', false],
    [49, 'square', true],
    [50, 'square', false],
    [2000, 'leap_year', true],
    [1900, 'leap_year', false],
    [2024, 'leap_year', true],
    [2023, 'leap_year', false],
    [-4, 'even', null],
    [2.5, 'odd', null],
  ] as const)('of %s and %s is %s', (value, name, expected) => {
    expect(matchesProperty(value, { name })).toBe(expected);
  });

  test.each([
    [3, 'greater', 2, true],
    [2, 'greater', 2, false],
    [1, 'less', 2, true],
    [2, 'less', 2, false],
    [0.75, 'equal', 3 / 4, true],
    [2, 'equal', 3, false],
    [14, 'multiple', 7, true],
    [15, 'multiple', 7, false],
    [15, 'multiple', 0, null],
    [15, 'multiple', 1.5, null],
    [17, 'factor', 51, true],
    [16, 'factor', 51, false],
    [0, 'factor', 51, null],
    [2, 'factor', 1.5, null],
  ] as const)('of %s, %s and %s is %s', (value, name, of, expected) => {
    expect(matchesProperty(value, { name, of })).toBe(expected);
  });
});

test.each([
  [0, false],
  [1, false],
  [2, true],
  [9, false],
  [25, false],
  [97, true],
  [1_000_000_000_000, false],
  [1_000_000_000_001, null],
])('whether %s is prime is %s', (value, expected) => {
  expect(isPrime(value)).toBe(expected);
});
