import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contradictionIn, extractionFault } from '#shared/answers/decide/evidence.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

const contradiction = (request: string, answer: string): string | null =>
  contradictionIn({ request, answer, form: formOf(request, answer) });
const extraction = (request: string, answer: string): string | null =>
  extractionFault({ request, answer, form: formOf(request, answer) });

it.each([
  ['Why is it so?', 'Because 3 + 4 = 8.', 'calculates wrongly: 3 + 4 is not 8'],
  ['What is 3 - 10?', '-8', 'calculates wrongly: 3 - 10 is not -8'],
  [
    'Translate into German: "The 214 guests left."',
    'Die 241 Gäste gingen.',
    'has 241 where the text has 214',
  ],
])('contradictionIn says of "%s" and "%s": %s', (request, answer, why) => {
  expect(contradiction(request, answer)).toBe(why);
});

it.each([
  ['What is the capital of France?', 'Lyon'],
  ['Convert 5 km to m.', '50'],
  ['Is 9 a prime number?', 'Yes'],
  ['Reverse the word "naïve".', 'naive'],
  ['Write code that adds.', 'x = 1 + 1\nassert 1 + 1 == 3'],
  ['Translate into German: "Meet me at 3 p.m. on 14 May."', 'Treffen wir uns am 14. Mai um 15 Uhr.'],
  ['Translate into German: "There are 12 eggs."', 'Es gibt zwölf Eier.'],
  ['Translate into German: "The 214 guests left."', 'Die Gäste gingen.'],
])(
  'contradictionIn says nothing of "%s" and "%s", which no equation or number contradicts',
  (request, answer) => {
    expect(contradiction(request, answer)).toBeNull();
  },
);

describe('extractionFault', () => {
  const request = 'Return the name of the drug mentioned in the note.\n\n"Started on cetirizine 10 mg."';

  it('extractionFault finds an answer that does not stand in the text that it is to be taken from', () => {
    expect(extraction(request, 'loratadine')).toBe('does not stand in the text that it is to be taken from');
    expect(extraction(request, 'Cetirizine')).toBeNull();
  });

  it('extractionFault says nothing where another notation is asked for', () => {
    expect(extraction('Extract the initials of the name in the text: "Anna Berg"', 'AB')).toBeNull();
  });
});

it('contradictionIn and extractionFault throw at no pair of texts', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(
    fc.property(anyText, anyText, (request, answer) => {
      contradiction(request, answer);
      extraction(request, answer);
    }),
  );
});

it.each(['open', 'string', 'translation'] as const)(
  'contradictionIn and extractionFault take time that grows as their texts do: %s',
  (kind) => {
    const form = { ...formOf('Tell me.'), kind };
    const request = 'Extract the name from the text.';

    expect(slowTexts((answer) => contradictionIn({ request, answer, form }))).toEqual([]);
    expect(slowTexts((text) => contradictionIn({ request: text, answer: '12', form }))).toEqual([]);
    expect(slowTexts((text) => extractionFault({ request: text, answer: '12', form }))).toEqual([]);
  },
  60_000,
);

it('contradictionIn reads 16 MB in less than a second', () => {
  const answer = '1 + 1 = 2, '.repeat(1_500_000);

  expect(millisecondsOf(() => contradiction('Why is it so?', answer))).toBeLessThan(1000);
});

it('contradictionIn reads many numbers of a source and of its translation in less than a second', () => {
  const form = { ...formOf('Translate into German: "1 egg"', '1 Ei'), kind: 'translation' as const };
  const numbers = Array.from({ length: 2000 }, (_, n) => n).join(' ');
  const request = `Translate into German: "${numbers.slice(0, 1900)}"`;

  expect(millisecondsOf(() => contradictionIn({ request, answer: numbers, form }))).toBeLessThan(1000);
  expect(
    millisecondsOf(() =>
      contradictionIn({ request: `１${'ﷺ'.repeat(3000)}: 12`, answer: `１${'ﷺ 7'.repeat(9000)}`, form }),
    ),
  ).toBeLessThan(1000);
});
