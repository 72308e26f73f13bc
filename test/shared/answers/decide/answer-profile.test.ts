import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  learnDemands,
  NO_PROFILE,
  PROFILE_ROWS_MAX,
  profileAnswers,
} from '#shared/answers/decide/answer-profile.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

it('the profile of a column learns the labels that come again and again', () => {
  expect(profileAnswers([...times(4, 'Positive'), ...times(3, 'Negative'), 'so bad lol']).labels).toEqual([
    'Positive',
    'Negative',
  ]);
});

it('the profile of a column takes a single case of a label for a slip, and one that occurs twice for a label of its own', () => {
  expect(profileAnswers([...times(10, 'Yes'), ...times(10, 'No'), 'yes']).labels).toEqual(['Yes', 'No']);
  expect(profileAnswers([...times(10, 'Yes'), ...times(10, 'No'), ...times(2, 'yes')]).labels).toEqual([
    'Yes',
    'No',
    'yes',
  ]);
  expect(profileAnswers([...times(4, 'a1'), ...times(4, 'A1')]).labels).toEqual(['a1', 'A1']);
});

it.each([
  ['fewer than six answers', ['a', 'a', 'b', 'b', 'a']],
  ['sentences', [...times(4, 'It is really red.'), ...times(4, 'It is really blue.')]],
  ['one label only', times(9, 'Yes')],
  ['numbers', [...times(4, '1'), ...times(4, '2')]],
  ['empty answers', times(20, ' ')],
])('the profile of a column learns no labels from %s', (_, answers) => {
  expect(profileAnswers(answers).labels).toEqual([]);
});

it('the profile of a column learns the keys that most answers have, and no keys of arrays, numbers and broken JSON', () => {
  expect(profileAnswers([...times(5, '{"b":1,"a":2}'), 'oops', '{"c":']).jsonKeys).toEqual(['a', 'b']);
  expect(profileAnswers(times(8, '[1]')).jsonKeys).toBeNull();
  expect(profileAnswers(times(8, '{broken')).jsonKeys).toBeNull();
});

it('the profile of a column learns that answers are numbers or terse', () => {
  expect(profileAnswers(['1', '2 km', '3', '44', '5', 'six'])).toMatchObject({
    isNumeric: true,
    isTerse: true,
  });
  expect(profileAnswers(times(7, 'A whole sentence stands here.'))).toEqual({
    ...NO_PROFILE,
    isClosed: true,
    innerWords: new Set(['a']),
    repeated: new Set(['A whole sentence stands here.']),
  });
});

it('the profile of a column reads no more answers than it needs', () => {
  let read = 0;
  function* endless() {
    while (true) {
      read += 1;
      yield 'Yes';
    }
  }
  profileAnswers(endless());

  expect(read).toBe(PROFILE_ROWS_MAX);
});

it('the profile of a column names no label that occurs once', () => {
  const answers = fc.array(
    fc.oneof(fc.constantFrom('Yes', 'No', 'yes', 'Maybe'), fc.string({ unit: 'binary', maxLength: 12 })),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(answers, (texts) => {
      for (const label of profileAnswers(texts).labels) {
        expect(texts.filter((text) => text.trim() === label).length).toBeGreaterThanOrEqual(2);
      }
    }),
    { numRuns: 500 },
  );
});

it('profileAnswers takes time that grows as its texts do', () => {
  expect(slowTexts((text) => profileAnswers([...times(9, text), ...times(9, `${text}x`)]))).toEqual([]);
}, 60_000);

it('answers of 16 MB are profiled in less than a second', () => {
  const text = '{"a":1}１'.repeat(2_000_000);

  expect(millisecondsOf(() => profileAnswers(times(8, text)))).toBeLessThan(1000);
});

describe('the end that the answers of a column share', () => {
  const solutions = (end: (n: number) => string, cut: number): string[] =>
    Array.from({ length: 30 }, (_, n) => `She has ${n} apples and buys two.${n < cut ? '' : end(n)}`);

  it.each([
    ['####', (n: number) => `\n#### ${n + 2}`],
    ['The answer is', (n: number) => ` The answer is ${n + 2}.`],
  ])('the end that the answers of a column share is the words before the result: %s', (closing, end) => {
    expect(profileAnswers(solutions(end, 0)).closing).toBe(closing);
    expect(profileAnswers(solutions(end, 5)).closing).toBe(closing);
    expect(profileAnswers(solutions(end, 9)).closing).toBeNull();
  });

  it.each([
    ['a phrase that is always the same', () => '\nHope this helps you!'],
    [
      'a sentence that differs',
      (n: number) => `\nLet me know if you have more questions about the ${n} apples of Anna.`,
    ],
    ['the mark of a list item', (n: number) => `\n- ${['eggs', 'milk', 'bread'][n % 3]} ${n}`],
    ['a result without words', (n: number) => `\n${n + 2}`],
  ])('the end that the answers of a column share is not %s', (_, end) => {
    expect(profileAnswers(solutions(end, 2)).closing).toBeNull();
  });
});

describe('the demands that a column meets', () => {
  const row = (request: string, answer: string) => ({ form: formOf(request, answer), answer });
  const choice = 'Choose the right option.\nA. red\nB. blue';

  it('the demands that a column meets are those that seven of ten answers meet, of six at least', () => {
    const learn = (letters: number, others: number) =>
      learnDemands(
        [...times(letters, 'A'), ...times(others, 'It is neither of them, I am afraid.')].map((answer) =>
          row(choice, answer),
        ),
      );
    expect(learn(8, 2)).toEqual({ met: new Set(['label']), unmet: new Set() });
    expect(learn(9, 1)).toEqual({ met: new Set(['label', 'spelling']), unmet: new Set() });
    expect(learn(5, 0)).toEqual({ met: new Set(), unmet: new Set() });
    expect(learn(6, 4)).toEqual({ met: new Set(), unmet: new Set() });
    expect(learn(1, 9)).toEqual({ met: new Set(), unmet: new Set(['label', 'spelling']) });
  });

  it('the demands that a column meets are met by labels in any notation, which is a spelling of the column', () => {
    const learnt = learnDemands(times(8, '(A)').map((answer) => row(choice, answer)));

    expect(learnt.met).toEqual(new Set(['label']));
  });
});

it.each([
  ['careless', [...times(8, 'Go to bed early.'), 'you dont sleep much', 'just dont worry']],
  ['plain', [...times(6, 'the theory of everything'), ...times(4, 'Go to bed.')]],
  [null, [...times(4, 'the theory of everything'), ...times(6, 'Go to bed.')]],
  [null, times(5, 'the theory of everything')],
] as const)('a column is %s', (writing, answers) => {
  expect(profileAnswers(answers).writing).toBe(writing);
});
