import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formFault } from '#shared/answers/decide/check-form.ts';
import { coerce } from '#shared/answers/decide/coerce.ts';
import type { FormKind } from '#shared/answers/decide/read-form.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

/** Forms of a column that writes its labels as its requests name them. */
const spelled = (request: string) => {
  const form = formOf(request);
  return { ...form, spelled: form.labels };
};
const YES_NO = spelled('Is it so? Answer Yes or No.');
const CHOICE = spelled('Choose A, B or C.\n\nWhat is red?\nA. grass\nB. blood\nC. milk');
const VERDICT = spelled('Label it as Supported or Not supported.');
const CASED = { ...YES_NO, labels: ['yes', 'Yes'], spelled: ['yes', 'Yes'] };

it.each([
  [YES_NO, 'yes', 'Yes'],
  [YES_NO, '"No."', 'No'],
  [YES_NO, 'i think its no', 'No'],
  [CHOICE, 'b', 'B'],
  [CHOICE, 'its B i think', 'B'],
  [CHOICE, '(C)', 'C'],
  [CHOICE, 'blood', 'B'],
  [CHOICE, 'B) blood', 'B'],
  [VERDICT, 'it is not supported', 'Not supported'],
  [VERDICT, 'The answer is: supported.', 'Supported'],
  [CASED, 'Yes', 'Yes'],
  [CASED, 'yes', 'yes'],
])('coerce writes the label that an answer is as its column does (%#)', (form, text, label) => {
  expect(coerce(form, text)).toBe(label);
});

it.each([
  [YES_NO, 'yes and no'],
  [YES_NO, 'yeah it is'],
  [YES_NO, 'Yes, because it is red.'],
  [YES_NO, 'maybe'],
  [YES_NO, ''],
  [CHOICE, 'A or B'],
  [CHOICE, 'A lion is green'],
  [CHOICE, 'not B'],
  [CHOICE, 'blood and milk'],
  [CHOICE, 'The blood in the veins'],
  [VERDICT, 'supported? it is not supported'],
  [CASED, 'YES'],
  [YES_NO, `yes ${'word '.repeat(30)}`],
  [{ ...CHOICE, spelled: [] }, 'b'],
  [YES_NO, 'Probably yes'],
  [YES_NO, 'yes?'],
  [{ ...CHOICE, labels: ['A', 'B'], spelled: ['A', 'B'] }, 'A*'],
])(
  'coerce writes no label where an answer says more than one, or the column has no spelling (%#)',
  (form, text) => {
    expect(coerce(form, text)).toBeNull();
  },
);

it.each([
  ['it was 1986', '1986'],
  ['i think its $4.50', '$4.50'],
  ['12 km.', '12 km'],
  ['about 12 km, or more', null],
  ['between 3 and 5', null],
  ['none', null],
])('coerce finds in "%s" the number %s', (text, number) => {
  expect(coerce(formOf('Which year was it? Reply with the number only.'), text)).toBe(number);
});

it('coerce adds no unit that the original has not', () => {
  expect(coerce(formOf('Convert 100 °C to °F. Give the number with its unit.'), 'it is 212')).toBeNull();
});

it.each(['it would be NATO', 'The name is "Bruno".', 'The World Is Not Enough', 'That was Mozart'])(
  'coerce takes nothing out of the phrase "%s"',
  (text) => {
    expect(coerce(formOf('Return the name only.'), text)).toBeNull();
  },
);

it.each([
  ['Here it is:\n```json\n{"a": 1}\n```', '{"a": 1}'],
  ['```\n{"a": 1}```', '{"a": 1}'],
  ['```\n{"a": 1}```\nThat is all.', null],
  ['I would do it so. Note the key.\n```\n{"a": 1}```', null],
  ['here is the json: {"a": 1}', '{"a": 1}'],
  ['```\n{}\n```\n```\n[]\n```', null],
  ['```json {"a": 1} ```', null],
  ['```\n\n```', null],
  ['{"a": 1}', null],
])('coerce finds in %j the block %s', (text, block) => {
  expect(coerce({ ...YES_NO, kind: 'json' }, text)).toBe(block);
});

it.each(['open', 'short', 'creative', 'table', 'translation'] as const)(
  'coerce rewrites no answer of the kind %s',
  (kind) => {
    expect(coerce({ ...YES_NO, kind }, 'yes')).toBeNull();
  },
);

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
