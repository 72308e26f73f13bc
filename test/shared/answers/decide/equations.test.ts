import fc from 'fast-check';
import { expect, it } from 'vitest';
import { equationFault } from '#shared/answers/decide/equations.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';

it.each([
  ['First 12 × 7 = 85, then we stop.', '12 × 7 is not 85'],
  ['(2 + 3) * 4 = 21.', '(2 + 3) * 4 is not 21'],
  ['So 1,200 + 34 = 1,235 in all.', '1,200 + 34 is not 1,235'],
  ['- 2 + 3 = 6', '2 + 3 is not 6'],
  ['10 / 3 = 3.4', '10 / 3 is not 3.4'],
  ['2^10 = 1000', '2^10 is not 1000'],
  ['2 + 2 = 4, and so 5 − 7 = 3', '5 − 7 is not 3'],
  ['3 + 4 = 2 * 4', '3 + 4 is not 2 * 4'],
  ['8 x (5 + 7) = 95', '8 x (5 + 7) is not 95'],
  ['She earned $10/family * 3 families = $40 from three families.', '$10/family * 3 is not $40'],
  ['All of them have 4 + 4 + 6 = 18 hot dogs.', '4 + 4 + 6 is not 18'],
  ['2 1/2 * 4 = 12', '2 1/2 * 4 is not 12'],
  ['20% of $100 = $25', '20% of $100 is not $25'],
  ['25/75 x 100% = 25%', '25/75 x 100% is not 25%'],
  ['4 + 5 = 9 and 9 * 2 = 18 = 19', null],
  ['1.000 + 1.000 = 3.000', '1.000 + 1.000 is not 3.000'],
  ['１２ × ３ = ３７', '12 × 3 is not 37'],
  ['**6 / 3 = 4**', '6 / 3 is not 4'],
  ['5 apples x 4 = 40 apples', '5 apples x 4 is not 40'],
  ['So she has 20 - 5 = 14 left.', '20 - 5 is not 14'],
  ['Result: 3(4 + 1) = 16', '3(4 + 1) is not 16'],
])('equationFault names a false equation: %s', (answer, fault) => {
  expect(equationFault('', answer)).toBe(fault === null ? null : `calculates wrongly: ${fault}`);
});

it.each([
  ['What is 12 * 7?', '85', '12 * 7 is not 85'],
  ['What is 17 * 3? Reply with the number only.', '52', '17 * 3 is not 52'],
  ['Calculate 1/4 + 1', 'The answer is 1.4.', '1/4 + 1 is not 1.4'],
])('equationFault names a false equation: %s %s', (request, answer, fault) => {
  expect(equationFault(request, answer)).toBe(`calculates wrongly: ${fault}`);
});

it.each([
  ['of true ones', '12 × 7 = 84; -3 + 5 = 2 and 2 - -3 = 5'],
  ['of rounded and cut off results', '10 / 3 = 3.33, or 3.3333; 2/3 = 0.66; 7 / 2 = 3; 1.99 * 3 = 5.97'],
  ['of rounded operands', '0.33 * 3 = 1; 3.14 * 4 = 12.57'],
  ['of thousands apart in any way', '1,000 * 2 = 2,000; 1.000 * 2 = 2.000; 1 000 * 2 = 2 000'],
  ['of items of a list', '1. 2 + 3 = 5\n2) 4 - 1 = 3\n- 2 + 2 = 4'],
  ['of variables', '2x + 3 = 9, 3x = 10, x + 1 = 5, (9/2)x = 2700, f(2) + 1 = 7, 2M + 60 = 300'],
  ['of a slice of a longer expression', 'half of 30 - 5 = 10; twice 3 + 4 = 14; three plus 4 + 1 = 8'],
  ['of a letter x that multiplies', '$3000 x 15/100 = $450; 20 x 3 eggs x 2 = 120'],
  ['of code', 'if (a + 1 == 3) return 1 + 1 === 3; `1 + 1 = 3`; 1 + 1 != 3; 2 + 2 >= 5; 1 + 1 => 3'],
  ['of remainders and mixed results', '7 / 2 = 3 R 1, 7 / 2 = 3 remainder 1, 7/2 = 3½, 7/2 = 3 1/2'],
  ['of running totals', '2 + 3 = 5 + 4 = 9'],
  ['of other units', '90 / 60 = 1 hour 30 minutes; 10 * 25 cents = $2.50; 3 feet + 6 inches = 42 inches'],
  ['of times', 'The sun sets at 6:00 + 48 = 6:48 PM.'],
  ['of percentages', '15/100 = 15%; 3/4 * 100 = 75%; 50 + 10% = 55; 3 / 21 * 100% = 14.28'],
  ['of a fraction of a fraction', '2000 / 2/3 = 3000; 28 / 1/5 = 28 * 5'],
  [
    'of wrong arithmetic that is spoken of',
    'Note that 5 * 3 = 15,000 is wrong. If 2 + 2 = 5, then I am the Pope.',
  ],
  ['of LaTeX', '$\\frac{1}{2} + 3 = 4$ and \\(2 \\times 3 = 7\\)'],
  ['of signs of LaTeX', '2 \\cdot 5 - 3 = 7 and 10 \\div 2 - 1 = 4'],
  [
    'of names and ranges before a dash',
    'Step 1 - 3 + 5 = 8; Day 2 - 100 x 2 = 200; Ages 2-5 = 5 ml; pages 10–20 = 11 pages',
  ],
  [
    'of operations by name',
    'ln 1 + 2 = 2; negative 3 + 5 = 2; 5 choose 2 - 1 = 9; 4! - 1 = 23; |-5| - 3 = 2',
  ],
  ['of whole percentages', '8/12 = 67%; 1/3 = 33%; 7/8 = 88%; 5/6 × 100 = 83%'],
  ['of words', '5 * 3 is 15, not 15,000. Two plus two equals five.'],
  ['of digits of Arabic', '٢ + ٢ = ٥'],
  ['of chemistry and assignments', 'On 2024-01-02 = holiday; a=1; 5 = five; 1 = 2; pH = 7 - 1'],
  ['of what no double holds', '99999999999999999999 + 1 = 3; 1 / 0 = 7; 2 ^ 9999 = 3'],
])('equationFault says nothing: %s', (_, answer) => {
  expect(equationFault('', answer)).toBeNull();
});

it.each([
  ['an equation of its request', 'Is 2 + 2 = 5 true?', '2 + 2 = 5 says that two and two make five.'],
  ['another arithmetic', 'Add 1 and 1 in binary.', '1 + 1 = 10'],
  ['the right result', 'What is 12 * 7?', '84'],
  ['a rounded result', 'What is 10 / 3?', '3.33'],
  ['another question', 'What is 12 * 7 in words?', '85'],
  ['a date', 'What is 2024-05-06?', '2013'],
  ['a word', 'What is 12 * 7?', 'Eighty-five'],
])('equationFault says nothing of %s', (_, request, answer) => {
  expect(equationFault(request, answer)).toBeNull();
});

const parts = fc.constantFrom(
  '1',
  '2.5',
  '1,000',
  '+',
  '-',
  '*',
  '/',
  '=',
  '(',
  ')',
  '%',
  '$',
  'x',
  'eggs',
  ' ',
  ',',
  '.',
  '^',
  'of',
  '\n',
);

it('equationFault throws at no text', () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (words) => void equationFault('', words.join(''))),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void equationFault(text, text)),
  );
});

it('equationFault takes time that grows as its text does', () => {
  expect(slowTexts((text) => equationFault('', text))).toEqual([]);
  expect(slowTexts((text) => equationFault(text, '1 + 1 = 2'))).toEqual([]);
}, 60_000);

it.each(['1 + 1 = 2, ', '(', '1 = ', '1 + ', '=1'])(
  'equationFault reads 16 MB of %j in less than a second',
  (part) => {
    const text = part.repeat(16_000_000 / part.length);

    expect(millisecondsOf(() => equationFault('', text))).toBeLessThan(1000);
  },
);

it('equationFault reads a request of blanks in a millisecond', () => {
  expect(millisecondsOf(() => equationFault(`what is${' '.repeat(190)}x`, '12'))).toBeLessThan(20);
});
