import { describe, expect, it } from 'vitest';
import { computeAnswer } from '#shared/adaptation/decide/answers/compute-answer.ts';
import { statedResultFault } from '#shared/adaptation/decide/answers/stated-results.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';

describe('results that an answer states', () => {
  it.each([
    ['12 times 12 is 124.', '12 times 12 is 144.'],
    ['15% of 80 is 14.', '15% of 80 is 12.'],
    ['You get 1,200 plus 50 = 1,350 points.', 'You get 1,200 plus 50 = 1250 points.'],
    ['10 divided by 3 is 5.', null],
  ])('%s', (answer, expected) => {
    expect(statedResultFault(answer)).toMatchObject({ expected });
  });

  it.each([
    '12 times 12 is 144.',
    '10 divided by 3 is 3.33.',
    '7 minus 3 is 2 more than 2.',
    '15% of 80 is 12% of 100.',
    '2 times 3 is 6.0.',
  ])('%s stays', (answer) => {
    expect(statedResultFault(answer)).toBeNull();
  });
});

describe('words and measures', () => {
  it.each([
    ['Is "level" a palindrome?', true],
    ['Does the word "garden" contain the letter "z"?', false],
    ['Does "garden" end with n?', true],
    ['Is 1 km longer than 900 m?', true],
    ['Is 500 g heavier than 1 kg?', false],
  ])('%s %s', (request, value) => {
    expect(computeAnswer(request)).toEqual({ type: 'boolean', value });
  });

  it.each([
    ['Give the initials of "Anna Maria Berg".', 'AMB'],
    ['Remove all vowels from the word "garden".', 'grdn'],
    ['Replace every "a" in "banana" with "o".', 'bonono'],
  ])('%s %s', (request, text) => {
    expect(computeAnswer(request)).toEqual({ type: 'text', text });
  });

  it.each(['Is "level" a good word?', 'Is 1 km longer than 900 kg?', 'Is 1 km longer than 1000 m?'])(
    '%s is left alone',
    (request) => {
      expect(computeAnswer(request)).toBeNull();
    },
  );
});

it('a stated result is read in time that grows as its text does', () => {
  expect(slowTexts(statedResultFault)).toEqual([]);
});
