import { expect, test } from 'vitest';
import { NO_PROFILE, profileAnswers } from '#shared/answers/decide/answer-profile.ts';
import { diagnose } from '#shared/answers/decide/diagnose.ts';
import { endsWithin, learnInnerWords } from '#shared/answers/decide/inner-words.ts';
import { readForm } from '#shared/answers/decide/read-form.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';

const column = Array.from(
  { length: 30 },
  (_, n) =>
    `Open the settings of account ${n} and choose the new plan. The change is made at once, and you keep your files.`,
);

test('a word is within sentences if the column shows it there again and again, and at the end of one at most', () => {
  const words = learnInnerWords(column);

  expect(['the', 'and', 'your'].filter((word) => words.has(word))).toEqual(['the', 'and', 'your']);
  expect(['plan', 'once', 'files', 'account'].filter((word) => words.has(word))).toEqual([]);
  expect(learnInnerWords([]).size).toBe(0);
});

test('a word of any language is learned where it occurs a thousand times', () => {
  const words = learnInnerWords(Array.from({ length: 1020 }, () => 'Talo on jonka omistaja asuu kaukana.'));

  expect(words.has('jonka')).toBe(true);
  expect(words.has('kaukana')).toBe(false);
});

test('an answer that is cut within a sentence and closed with a full stop breaks off', async () => {
  const detectLanguage = await loadLanguageDetector();
  const request = 'How do I change the plan?';
  const answer = 'Open the settings of account 7 and choose the.';
  const diagnosed = (profile: typeof NO_PROFILE, text: string) =>
    diagnose({
      ...{ request, prompt: request, answer: text, detectLanguage },
      form: readForm({ request, answer: text, profile }),
    });
  const profile = profileAnswers(column);

  expect(diagnosed(profile, answer)).toMatchObject({ defect: 'cut_off' });
  expect(diagnosed(profile, 'Open the settings of account 7 and choose the new plan.').defect).toBeNull();
  expect(diagnosed(NO_PROFILE, answer).defect).toBeNull();
});

test('a text ends within a sentence only at a full stop behind one of the words', () => {
  const words = new Set(['the']);

  expect(endsWithin('Choose the.', words)).toBe(true);
  expect(endsWithin('Choose the .', words)).toBe(true);
  expect(endsWithin('Choose the plan.', words)).toBe(false);
  expect(endsWithin('Is it the?', words)).toBe(false);
});
