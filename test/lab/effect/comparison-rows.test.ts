import { expect, test } from 'vitest';
import { comparedRows } from '#lab/effect/comparison-rows.ts';
import { profileAnswers } from '#shared/answers/decide/answer-profile.ts';
import { diagnose } from '#shared/answers/decide/diagnose.ts';
import { readForm } from '#shared/answers/decide/read-form.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';

const detectLanguage = await loadLanguageDetector();
const numbers = Array.from({ length: 20 }, (_, place) => place + 1);

/** What the checks say of an answer, where the originals show the form, as in a comparison. */
function defectsOf(rows: ReturnType<typeof comparedRows>, side: 'original' | 'adapted') {
  const profile = profileAnswers(rows.map(({ original }) => original));
  return rows.map((row) => {
    const { prompt, original } = row;
    const form = readForm({ request: prompt, answer: original, profile });
    return diagnose({ request: prompt, prompt, answer: row[side], form, detectLanguage }).defect;
  });
}

test.each(numbers)(
  'the rows of comparisons with the number %i are good on both sides where these are equal',
  (number) => {
    const rows = comparedRows('equal', number);

    expect(new Set(defectsOf(rows, 'original'))).toEqual(new Set([null]));
    expect(new Set(defectsOf(rows, 'adapted'))).toEqual(new Set([null]));
    expect(rows.filter(({ original, adapted }) => original === adapted)).toEqual([]);
  },
);

test.each(numbers)(
  'the rows of comparisons with the number %i are mended by their adaptation where they are noisy',
  (number) => {
    const rows = comparedRows('noisy', number);

    // No check knows that a sum in words is wrong.
    const unseen = rows.filter((_, n) => defectsOf(rows, 'original')[n] === null);
    expect(unseen.filter(({ original }) => !/^The sum of the two numbers is \d+\.$/.test(original))).toEqual(
      [],
    );
    expect(unseen.length).toBeLessThan(10);
    expect(new Set(defectsOf(rows, 'adapted'))).toEqual(new Set([null]));
  },
);

test('the rows of comparisons have several defects where they are noisy', () => {
  expect(new Set(numbers.flatMap((n) => defectsOf(comparedRows('noisy', n), 'original')))).toEqual(
    new Set(['cut_off', 'degenerate', 'form_broken', 'wrong_language', null]),
  );
});

test('the rows of comparisons have their answers on the sides by chance where these are equal', () => {
  const first = comparedRows('equal', 1).filter(({ original }) =>
    /^(The sum|People like|You may)/.test(original),
  );

  expect(first.length).toBeGreaterThan(10);
  expect(first.length).toBeLessThan(30);
});

test.each(['noisy', 'equal'] as const)(
  'the rows of comparisons of %s are the same for a number, with 40 different prompts, and others for another',
  (name) => {
    const rows = comparedRows(name, 3);

    expect(comparedRows(name, 3)).toEqual(rows);
    expect(new Set(rows.map(({ prompt }) => prompt)).size).toBe(40);
    expect(comparedRows(name, 4)).not.toEqual(rows);
  },
);
