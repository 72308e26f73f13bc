import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { diagnose } from '#shared/adaptation/decide/answers/diagnose.ts';
import { type Evidence, evidenceOf } from '#shared/adaptation/decide/answers/evidence.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

const told = (request: string, answer: string): Evidence =>
  evidenceOf({ request, answer, form: formOf(request, answer) });

describe('a right answer is proven', () => {
  it.each([
    ['What is 12 * 12?', '144'],
    ['48 / 6 + 7 =', '15'],
    ['Compute (12 + 9) * 4 - 30. Reply with the bare number.', '54'],
    ['What is 10 / 4?', '2.5'],
    ['What is 10 / 3?', '3.33'],
    ['What is 3 - 5?', '-2'],
    ['１２ × ３ = ？', '36'],
    ['What is 12 * 12?', '12 times 12 is 144.'],
    ['Convert 5 miles to kilometres. Give one decimal.', '8.0 km'],
    ['How many minutes are 2.5 hours? Just the number, please.', '150'],
    ['How many grams are in a kilogram?', '1000'],
    ['Convert 100 °C to °F.', '212 °F'],
    ['Convert -40 degrees Celsius to Fahrenheit.', '-40'],
    ['Reverse the letters of the word: lantern', 'nretnal'],
    ['Spell the word "garden" backwards. Output only the result.', 'nedrag'],
    [
      'Write the following in upper case and change nothing else: Mind the gap - keep left!',
      'MIND THE GAP - KEEP LEFT!',
    ],
    ['Turn this into lower case: ÀB C', 'àb c'],
  ])('%s → %s', (request, answer) => {
    expect(told(request, answer)).toEqual({ verdict: 'right' });
  });
});

describe('a wrong answer is proven, with the right one', () => {
  it.each([
    ['What is 12 * 12?', '124', '144'],
    ['What is 3 - 5?', '2', '-2'],
    ['What is 3 - 10?', '-8', '-7'],
    ['What is 10 - 3?', '-7', '7'],
    ['Convert -40 degrees F to C.', '-41', '-40'],
    ['Convert 14 degrees F to C.', '-9 °C', '-10 °C'],
    ['48 / 6 + 7 =', '16', '15'],
    ['How many minutes are 2.5 hours? Just the number, please.', '125', '150'],
    ['Convert 5 miles to kilometres. Give one decimal.', '9.0 km', '8.0 km'],
    ['Convert 100 °C to °F.', '210 °F', '212 °F'],
    ['Spell the word "garden" backwards. Output only the result.', 'nedarg', 'nedrag'],
    ['Write this in upper case: keep left', 'Keep LEFT', 'KEEP LEFT'],
    ['What is 12 * 12?', '12 times 12 is 124.', null],
    ['Why is it so?', 'Because 3 + 4 = 8.', null],
    [
      'Return the name of the drug mentioned in the note.\n\n"Started on cetirizine 10 mg."',
      'loratadine',
      null,
    ],
    ['Translate into German: "The 214 guests left."', 'Die 241 Gäste gingen.', 'Die 214 Gäste gingen.'],
    ['Translate into German: "The 214 guests left."', 'Die Gäste gingen.', null],
  ])('%s → %s, should be %s', (request, answer, expected) => {
    expect(told(request, answer)).toMatchObject({ verdict: 'wrong', expected });
    if (expected !== null) expect(told(request, expected).verdict).not.toBe('wrong');
  });
});

describe('what only looks like a computation stays unknown', () => {
  it.each([
    ['What happened in 2020-2021?', '5'],
    ['What is 2024-05-06?', 'a date'],
    ['What is 2024-05-06?', '2013'],
    ['2024-05-06', '2013'],
    ['What is 12/24?', '3'],
    ['What is 9/11/2001?', '3'],
    ['What is 0161 555 0142?', '7'],
    ['What is 555-0142-77?', '336'],
    ['Is 10-15 a good range for the dose?', '5'],
    ['What is 2-3 hours of sleep called?', '7'],
    ['What does the basket cost in total?\n\n2 x notebook at $4.25\n1 x fountain pen at $26.00', '$34.50'],
    [
      'Write the time as a number of seconds.\n\nInput: 1 min 20 s\nOutput: 80\n\nInput: 3 min 40 s\nOutput:',
      '220',
    ],
    ['Write 1 min 20 s in seconds.', '80'],
    ['Convert 1 h 30 min to minutes.', '90'],
    ['How many seconds are 1 minute 20 seconds?', '80'],
    ['How many minutes are in an hour and a half?', '90'],
    ['How many hours are in a day of school?', '6'],
    ['Convert 5 feet 10 inches to cm.', '178 cm'],
    ['Convert 5 dollars to euros.', '4'],
    ['Convert 5 miles to hours.', '4'],
    ['How many days are in a month?', '30'],
    ['How many MB are in 1 GB?', '1024'],
    ['What is 3 - 10?', 'A loss of 7.'],
    ['Write the SQL for the customer O’Brien.', "SELECT * FROM c WHERE name = 'O\\'Brien' /* it's fine */"],
    ['How many ounces are in a litre?', '34'],
    ['Call 12 + 3 people', '7'],
    ['What is the score if it is 3:2?', '5'],
    ['What is 1/0?', 'undefined'],
    ['What is 99999999999999 * 99999999999999?', '7'],
    ['Reverse the sentence: the dog barks', 'barks dog the'],
    ['Reverse a linked list.', 'Use two pointers.'],
    ['What is the capital of France?', 'Lyon'],
    ['Who wrote it?', 'Anna'],
    ['Translate into German: "Meet me at 3 p.m. on 14 May."', 'Treffen wir uns am 14. Mai um 15 Uhr.'],
    ['Translate into German: "There are 12 eggs."', 'Es gibt zwölf Eier.'],
    ['Extract the initials of the name in the text: "Anna Berg"', 'AB'],
    ['Why is it so?', 'Version 1.2 = stable, x = 3 and 1 = yes.'],
  ])('%s → %s', (request, answer) => {
    expect(told(request, answer)).toEqual({ verdict: 'unknown' });
  });
});

it.each([
  ['numbers with marks of thousands', 'What is 1,000 * 3?', '3,000'],
  ['numbers of Europe', 'Convert 5 km to m.', '5000 m'],
  ['spelt numbers', 'What is 3 + 4?', 'Seven'],
  ['a step before the result', 'What is 12 + 30?', '12 + 30 = 42'],
  ['a temperature to the degree', 'Convert 37 °C to °F.', '99'],
  ['a unit in words', 'How many metres are 3 km?', '3000 metres'],
  [
    'a quotient with its remainder',
    'Divide 3509 by 49.',
    '3509 ÷ 49 = 71, remainder 30. Check: 49 × 71 + 30 = 3509.',
  ],
  ['a quoted result', 'Spell the word "anchor" backwards.', '"anchor" backwards is "rohcna".'],
])('a good answer is not diagnosed as wrong: %s', (_, request, answer) => {
  const form = formOf(request, answer);

  expect(diagnose({ request, prompt: request, answer, form, detectLanguage }).defect).toBeNull();
});

it('a number that the limit of what is read cuts is no wrong one', () => {
  const answer = `${'a '.repeat(9_996)}1 + 2 = 3 and so on`;

  for (let more = 0; more < 12; more += 1) {
    expect(
      told('Why is it so?', `${' a'.repeat(2)}${'b'.repeat(more)} ${answer.replace('= 3', '= 3.0')}`).verdict,
    ).toBe('unknown');
  }
});

it('evidenceOf throws at no pair of texts', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(
    fc.property(anyText, anyText, (request, answer) => typeof told(request, answer).verdict === 'string'),
  );
});

it.each(['open', 'string', 'translation'] as const)(
  'evidenceOf takes time that grows as its texts do: %s',
  (kind) => {
    const form = { ...formOf('Tell me.'), kind };
    const request = 'Extract the name from the text.';

    expect(slowTexts((answer) => evidenceOf({ request, answer, form }))).toEqual([]);
    expect(slowTexts((text) => evidenceOf({ request: text, answer: '12', form }))).toEqual([]);
  },
  60_000,
);

it('evidenceOf reads 16 MB in less than a second', () => {
  const answer = '1 + 1 = 2, '.repeat(1_500_000);

  expect(millisecondsOf(() => told('Why is it so?', answer))).toBeLessThan(1000);
});
