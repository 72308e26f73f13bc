import { beforeAll, describe, expect, it } from 'vitest';
import { faultOf } from '#shared/answers/decide/answer-fault.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';
import { HARMS } from '#test/helpers/known-harms.ts';
import { standingAnswer } from '#test/helpers/standing-answer.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

const KEEPING = { keepsFacts: true, addsNone: true } as const;

it.each(HARMS)(
  'a good answer that was once replaced is not replaced by the worse one: $name',
  ({ request, original, harmful }) => {
    const standing = standingAnswer(request, original, detectLanguage);

    expect(faultOf(standing, harmful, KEEPING)).not.toBeNull();
    expect(faultOf(standing, original, KEEPING)).toBeNull();
  },
);

describe('the fault of a new answer', () => {
  const fault = (request: string, original: string, answer: string, keeping = {}) =>
    faultOf(standingAnswer(request, original, detectLanguage), answer, keeping);
  const WHY = 'Why should I preheat the oven?';
  const GOOD = 'A hot oven sets the batter at once, so the cake rises well.';

  it.each([
    ['a lost number', 'bake it at 180 degrees', GOOD, KEEPING, 'lost what the original states: 180'],
    ['a lost link', 'see https://a.example/b', GOOD, KEEPING, 'lost what the original states'],
    ['a lost name', 'ask Kerstin, or Malte', GOOD, KEEPING, 'lost what the original states: kerstin, malte'],
    ['a lost placeholder', 'greet {name} first', GOOD, KEEPING, 'lost what the original states: {name}'],
    [
      'an added number',
      'so the cake rises',
      `${GOOD} Use 180 degrees.`,
      KEEPING,
      'a number that nobody gave: 180',
    ],
    ['an added denial', 'so the cake rises', 'So the cake does not rise.', KEEPING, 'denies'],
    ['a lost denial', 'the cake does not rise', 'The cake rises.', KEEPING, 'denies'],
    [
      'another language',
      'so its hot',
      'Ein heißer Ofen lässt den Teig sofort aufgehen und den Kuchen gelingen.',
      {},
      'language',
    ],
    [
      'a broken end',
      'so its hot',
      'A hot oven sets the batter at once. The cake rises because of the',
      {},
      'breaks off',
    ],
    [
      'other content',
      'so the batter rises quickly',
      'Ovens are found in most kitchens of the world.',
      { keepsWords: 0.5 },
      'takes up',
    ],
    ['careless writing', 'so its hot', 'because u want it hot when the cake goes in', {}, 'careless'],
    ['nothing', 'so its hot', '  ', {}, 'is empty'],
    ['a loop', 'so its hot', 'The oven is hot and the oven. '.repeat(20), {}, 'circles'],
    [
      'a remark on the answer',
      'so its hot',
      'The answer provided explains why ovens are hot.',
      {},
      'speaks about',
    ],
  ])('the fault of a new answer is named for %s', (_, original, answer, keeping, expected) => {
    expect(fault(WHY, original, answer, keeping)).toContain(expected);
  });

  it('the fault of a new answer is none for a fuller answer with all that the original states', () => {
    expect(fault(WHY, 'so the batter rises', 'The batter rises well in a hot oven.', KEEPING)).toBeNull();
  });

  it('the fault of a new answer is named for code that is lost and for code that does not parse', () => {
    const request = 'Write a Python function that adds two numbers.';
    const original = 'def add(a, b):\n    return a + b';

    expect(fault(request, original, 'It adds the two numbers.')).toBe('has no code');
    expect(fault(request, original, 'def add(a, b:\n    return a + b')).toContain('does not parse');
    expect(
      fault('Why is it slow?', 'Do this:\n```\nsort -u list\n```', 'Sort the list before you use it.'),
    ).toBe('lost the code');
  });

  it('the fault of a new answer allows the numbers that mark the items of a list', () => {
    const answer = 'Do this:\n1. Mix the batter.\n2. Heat the oven.';

    expect(fault('How do I bake?', 'Mix the batter, then heat the oven.', answer, KEEPING)).toBeNull();
  });
});

it('an answer with a false equation replaces none, in prose and as a bare number', () => {
  const inProse = standingAnswer('Explain how to add 17 and 25.', 'u add them', detectLanguage);
  const bare = standingAnswer('What is 17 * 3? Reply with the number only.', '', detectLanguage);

  expect(faultOf(inProse, 'Add the tens, then the ones: 17 + 25 = 43.', {})).toMatch(/^calculates wrongly/);
  expect(faultOf(inProse, 'Add the tens, then the ones: 17 + 25 = 42.', {})).toBeNull();
  expect(faultOf(bare, '52', {})).toBe('calculates wrongly: 17 * 3 is not 52');
  expect(faultOf(bare, '51', {})).toBeNull();
});

it('faultOf takes time that grows as its texts do', () => {
  const standing = standingAnswer('Say it.', 'It is red.', detectLanguage);

  expect(
    slowTexts((text) => faultOf({ ...standing, original: text }, text, { ...KEEPING, keepsWords: 0.5 })),
  ).toEqual([]);
}, 60_000);
