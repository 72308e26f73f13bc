import { expect, test } from 'vitest';
import { compute } from '#shared/evals/decide/formula.ts';

const values = { accuracy: 0.5, style: 0.8, 'a b': 1 };

test.each([
  ['0.6 * accuracy + 0.4*style', 0.62],
  ['(accuracy + style) / 2', 0.65],
  ['min(accuracy, style, 0.2) - -1', 1.2],
  ['-2^2 + 2^3^2', 508],
  ['floor(style) + ceil(accuracy) + sqrt(4) + abs(-3) + exp(0) + log(1)', 7],
  ['max ( accuracy , style )', 0.8],
])('the formula %j is %d', (formula, value) => {
  expect(compute(formula, values)).toBeCloseTo(value);
});

test.each([
  ['accuracy +', 'is missing'],
  ['tone * 2', 'names tone'],
  ['constructor', 'names constructor'],
  ['(accuracy', 'closing parenthesis'],
  ['accuracy style', 'where it could end'],
  ['accuracy; 1', 'from character'],
  ['', 'is missing'],
  ['('.repeat(60), 'nested'],
])('the formula %j is refused in words', (formula, words) => {
  expect(compute(formula, values)).toContain(words);
});
