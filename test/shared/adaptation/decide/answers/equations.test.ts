import { expect, test } from 'vitest';
import { arithmeticFault } from '#shared/adaptation/decide/lint/arithmetic.ts';

test.each([
  ['', 'First 12 × 7 = 85, then we stop.', '12 × 7 is 84, not 85'],
  ['', '(2 + 3) * 4 = 21.', '(2 + 3) * 4 is 20, not 21'],
  ['', 'So 1,200 + 34 = 1,235 in all.', '1,200 + 34 is 1234, not 1,235'],
  ['', '- 2 + 3 = 6', '2 + 3 is 5, not 6'],
  ['', '10 / 3 = 3.4', '10 / 3 is 3.33333333333, not 3.4'],
  ['', '2^10 = 1000', '2^10 is 1024, not 1000'],
  ['', '2 + 2 = 4, and 5 − 7 = 2', '5 − 7 is -2, not 2'],
  ['', '3 + 4 = 2 * 4', '3 + 4 is 7, not 2 * 4'],
  ['What is 12 * 7?', '85', '12 * 7 is 84, not 85'],
  ['Calculate 1/4', 'The answer is 0.4.', '1/4 is 0.25, not 0.4'],
])('%s %s is wrong: %s', (prompt, completion, fault) => {
  expect(arithmeticFault(prompt, completion)).toBe(`calculates wrongly: ${fault}`);
});

test.each([
  ['', '12 × 7 = 84'],
  ['', '10 / 3 = 3.33, or 3.3333'],
  ['', '2/3 = 0.67, 2/3 = 0.66..., 2/3 = 0.66…'],
  ['', '-3 + 5 = 2 and 2 - -3 = 5'],
  ['', '1,000 * 2 = 2,000.'],
  ['', '1. 2 + 3 = 5\n2) 4 - 1 = 3'],
  ['', 'x2 + 3 = 9, 3x + 1 = 10, 20% + 5 = 6'],
  ['', 'if (a + 1 == 3) return 1 + 1 === 3; 1 + 1 != 3; 2 + 2 >= 5; 1 + 1 => 3'],
  ['', '7 / 2 = 3 R 1, 7 / 2 = 3 remainder 1, 7/2 = 3½'],
  ['', '2 + 3 = 5x, 1 + 1 = 10_2, 3 + 4 = 7%'],
  ['', 'On 2024-01-02 = holiday; a=1; 5 = five; 1 = 2'],
  ['', '99999999999999999999 + 1 = 3; 1 / 0 = 7; 2 ^ 9999 = 3; (1 + 2 = 4'],
  ['', 'f(2) + 1 = 7'],
  ['What is 12 * 7?', '84'],
  ['What is 10 / 3?', '3.33'],
  ['What is 12 * 7 in words?', '85'],
  ['What is 12 * 7?', 'Eighty-five'],
])('nothing is said against: %s %s', (prompt, completion) => {
  expect(arithmeticFault(prompt, completion)).toBeNull();
});

test('a long row of digits is read in time that grows as it does', () => {
  const began = performance.now();
  arithmeticFault('1'.repeat(200_000), `${'1 + '.repeat(50_000)}${'=1'.repeat(20_000)}`);
  expect(performance.now() - began).toBeLessThan(1500);
});
