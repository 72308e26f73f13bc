import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formFault } from '#shared/adaptation/decide/answers/check-form.ts';
import { coerce } from '#shared/adaptation/decide/answers/coerce.ts';
import type { FormKind } from '#shared/adaptation/decide/answers/read-form.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

const YES_NO = formOf('Is it so? Answer Yes or No.');
const CHOICE = formOf('Choose A, B or C.\n\nWhat is red?\nA. grass\nB. blood\nC. milk');
const VERDICT = formOf('Label it as Supported or Not supported.');
const CASED = { ...YES_NO, labels: ['yes', 'Yes'] };

describe('coerce', () => {
  it.each([
    [YES_NO, 'yes', 'Yes'],
    [YES_NO, 'yeah it is', 'Yes'],
    [YES_NO, 'No, I would not say yes', 'No'],
    [YES_NO, 'nope', 'No'],
    [CHOICE, 'b', 'B'],
    [CHOICE, 'its B i think', 'B'],
    [CHOICE, '(C)', 'C'],
    [CHOICE, 'blood', 'B'],
    [VERDICT, 'it is not supported', 'Not supported'],
    [VERDICT, 'its supported', 'Supported'],
    [CASED, 'Yes.', 'Yes'],
    [CASED, 'yes.', 'yes'],
  ])('finds the label that is meant (%#)', (form, text, label) => {
    expect(coerce(form, text)).toBe(label);
  });

  it.each([
    [YES_NO, 'yes and no'],
    [YES_NO, 'Yes, no'],
    [YES_NO, 'yes or no'],
    [YES_NO, 'maybe'],
    [YES_NO, ''],
    [YES_NO, 'ｙｅａｈ'],
    [CHOICE, 'A or B'],
    [CHOICE, 'A and C'],
    [CHOICE, 'A lion is green'],
    [CHOICE, 'not B'],
    [CHOICE, 'blood and milk'],
    [VERDICT, 'supported? it is not supported'],
    [CASED, 'YES'],
    [YES_NO, `yes ${'word '.repeat(30)}`],
    [YES_NO, '["Yes"]'],
  ])('names no label where several or none is meant (%#)', (form, text) => {
    expect(coerce(form, text)).toBeNull();
  });

  it.each([
    ['it was 1986', '1986'],
    ['about $4.50 i think', '$4.50'],
    ['around 12 km.', '12 km'],
    ['between 3 and 5', null],
    ['none', null],
  ])('finds in "%s" the number %s', (text, number) => {
    expect(coerce(formOf('Which year was it? Reply with the number only.'), text)).toBe(number);
  });

  it('adds no unit that the original has not', () => {
    expect(coerce(formOf('Convert 100 °C to °F. Give the number with its unit.'), 'it is 212')).toBeNull();
  });

  it.each([
    ['it would be NATO', 'NATO'],
    ['The name is "Bruno".', 'Bruno'],
    ['it is Bruno, because he barks', null],
    ['NATO', null],
  ])('finds in "%s" the phrase %s', (text, phrase) => {
    expect(coerce(formOf('Return the name only.'), text)).toBe(phrase);
  });

  it.each([
    ['Here it is:\n```json\n{"a": 1}\n```', '{"a": 1}'],
    ['```\n{"a": 1}```\nThat is all.', '{"a": 1}'],
    ['```\n{}\n```\n```\n[]\n```', null],
    ['```json {"a": 1} ```', null],
    ['```\n\n```', null],
    ['{"a": 1}', null],
  ])('finds in %j the block %s', (text, block) => {
    expect(coerce({ ...YES_NO, kind: 'json' }, text)).toBe(block);
  });

  it.each(['open', 'short', 'creative', 'table', 'translation'] as const)(
    'rewrites no answer of the kind %s',
    (kind) => {
      expect(coerce({ ...YES_NO, kind }, 'yes')).toBeNull();
    },
  );
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .array(
      fc.constantFrom('yes', 'No', 'A', 'b', 'it is', '12', 'km', 'not', 'supported', ',', '.', 'or', '１'),
      { maxLength: 6 },
    )
    .map((words) => words.join(' ')),
);

it.each([
  ['label', YES_NO],
  ['choice', CHOICE],
  ['verdict', VERDICT],
  ['number', formOf('How many? Reply with the number only.')],
  ['string', formOf('Return the name only.')],
] as const)('coerce makes of any text an answer in the form of a %s, or none', (_, form) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const answer = coerce(form, text);
      if (answer !== null) expect(formFault(form, answer)).toBeNull();
    }),
    { numRuns: 400 },
  );
});

const KINDS: readonly FormKind[] = ['label', 'number', 'string', 'json'];

it.each(KINDS)(
  'coerce takes time that grows as its text does: %s',
  (kind) => {
    expect(slowTexts((text) => coerce({ ...YES_NO, kind }, text))).toEqual([]);
  },
  60_000,
);

it.each(KINDS)('coerce reads 16 MB in less than a second: %s', (kind) => {
  const text = 'yes 1 ```\n'.repeat(1_600_000);

  expect(millisecondsOf(() => coerce({ ...YES_NO, kind }, text))).toBeLessThan(1000);
});
