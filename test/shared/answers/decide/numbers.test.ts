import { expect, it } from 'vitest';
import {
  foldWidth,
  isBareNumber,
  numbersOf,
  numberValues,
  resultOf,
} from '#shared/answers/decide/numbers.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';

it.each([
  ['It costs 1,234.50 and 7 more', [1234.5, 7]],
  ['１２ boxes', [12]],
  ['12\u202f000 people', [12_000]],
  ['3.5.7', [3.5, 7]],
  ['one two', []],
])('numbersOf finds the digits of "%s"', (text, values) => {
  expect(numbersOf(text).map(({ value }) => value)).toEqual(values);
});

it('numberValues reads English number words and nothing that objects inherit', () => {
  expect(numberValues('Twelve or 3 constructor toString')).toEqual(new Set([12, 3]));
});

it.each(['42', '42 km', '-3', '$4.25', '１２', '3:30', '12 %', '20 °C', '5 square metres', '≈ 7'])(
  'isBareNumber accepts "%s"',
  (text) => {
    expect(isBareNumber(text)).toBe(true);
  },
);

it.each(['', 'forty', 'about 42', '42, I think', '1 2 3', '12 kg of fine flour', '4'.repeat(41)])(
  'isBareNumber refuses "%s"',
  (text) => {
    expect(isBareNumber(text)).toBe(false);
  },
);

it('foldWidth folds full-width digits and leaves other texts as they are', () => {
  expect(foldWidth('１２Ａ')).toBe('12A');
  expect(foldWidth('ﬁ ½ é')).toBe('ﬁ ½ é');
});

it.each(Object.entries({ foldWidth, isBareNumber, numbersOf, numberValues, resultOf }))(
  '%s takes time that grows as its text does',
  (_, read) => {
    expect(slowTexts(read)).toEqual([]);
  },
  60_000,
);

it.each([
  ['1,5', '1.5', true],
  ['3/4', '0.75', true],
  ['-5', '−5', true],
  ['$1,200', '1200', true],
  ['The answer is 42.', '42', true],
  ['１２', '12', true],
  ['-5', '5', false],
  ['12:30', '12', false],
  ['2020-2021', '-2021', false],
  ['1.5', '15', false],
])('resultOf says of %j and %j whether they are the same: %s', (a, b, same) => {
  expect(resultOf(a) === resultOf(b)).toBe(same);
});
