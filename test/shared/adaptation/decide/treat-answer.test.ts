import { beforeAll, describe, expect, it } from 'vitest';
import { NO_PROFILE } from '#shared/adaptation/decide/answers/answer-profile.ts';
import { faultOf, type TreatmentContext, treatAnswer } from '#shared/adaptation/decide/treat-answer.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';
import { HARMS } from '#test/helpers/known-harms.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';
import { standingAnswer } from '#test/helpers/standing-answer.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

const KEEPING = { keepsFacts: true, addsNone: true } as const;

/** Treats an answer with a model that writes and sends the same replies, whatever it is asked. */
async function treat(
  standing: ReturnType<typeof standingAnswer>,
  replies: readonly string[],
  verdict: Awaited<ReturnType<TreatmentContext['judge']>> = 'none',
) {
  const model = replying(...replies);
  const drafts: string[] = [];
  const treatment = await treatAnswer(standing, {
    model: model.client,
    async write(draft) {
      drafts.push(draft);
      return replies[Math.min(drafts.length, replies.length) - 1] ?? '';
    },
    image: null,
    blueprint: null,
    judge: async () => verdict,
    wordsMin: 12,
    asking: askingInTests(),
    meter: newCallMeter(),
  });
  return { treatment, calls: model.requests.length + drafts.length };
}

describe('a good answer that was once replaced', () => {
  it.each(HARMS)('stays without a call: $name', async ({ request, original, harmful }) => {
    const { treatment, calls } = await treat(standingAnswer(request, original, detectLanguage), [harmful]);

    expect(treatment).toMatchObject({ answer: null, code: 'already_good' });
    expect(calls).toBe(0);
  });

  it.each(HARMS)('is not replaced by the worse one: $name', ({ request, original, harmful }) => {
    const standing = standingAnswer(request, original, detectLanguage);

    expect(faultOf(standing, harmful, KEEPING)).not.toBeNull();
    expect(faultOf(standing, original, KEEPING)).toBeNull();
  });

  it.each(HARMS)(
    'is not lost where it is taken for careless: $name',
    async ({ request, original, harmful }) => {
      const standing = standingAnswer(request, original, detectLanguage);
      const taken = {
        ...standing,
        diagnosis: { defect: 'careless', why: 'is carelessly written', expected: null },
      } as const;

      const { treatment } = await treat(taken, [harmful]);

      expect(treatment.answer).not.toBe(harmful);
    },
  );
});

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
  ])('is named for %s', (_, original, answer, keeping, expected) => {
    expect(fault(WHY, original, answer, keeping)).toContain(expected);
  });

  it('is none for a fuller answer with all that the original states', () => {
    expect(fault(WHY, 'so the batter rises', 'The batter rises well in a hot oven.', KEEPING)).toBeNull();
  });

  it('is named for code that is lost and for code that does not parse', () => {
    const request = 'Write a Python function that adds two numbers.';
    const original = 'def add(a, b):\n    return a + b';

    expect(fault(request, original, 'It adds the two numbers.')).toBe('has no code');
    expect(fault(request, original, 'def add(a, b:\n    return a + b')).toContain('does not parse');
    expect(
      fault('Why is it slow?', 'Do this:\n```\nsort -u list\n```', 'Sort the list before you use it.'),
    ).toBe('lost the code');
  });

  it('allows the numbers that mark the items of a list', () => {
    const answer = 'Do this:\n1. Mix the batter.\n2. Heat the oven.';

    expect(fault('How do I bake?', 'Mix the batter, then heat the oven.', answer, KEEPING)).toBeNull();
  });
});

describe('treating an answer', () => {
  it.each([
    ['finished', 'Why do seasons change?', 'The axis of the Earth is tilted, and so the'],
    ['translated', 'Why should I preheat the oven?', 'Weil der Teig in einem heißen Ofen sofort aufgeht.'],
    ['made fuller', 'How do I bake a good cake?', 'preheat the oven'],
    ['mended', 'Can I freeze milk?', 'yes but u have to shake it well after it has thawed in the fridge'],
    ['put into a form', 'Name three colours as JSON.', '{"colours": red, green'],
  ])('that is %s tells the model the blueprint each time', async (_, request, original) => {
    const model = replying('No.');
    const standing = standingAnswer(request, original, detectLanguage);
    expect(standing.diagnosis.defect).not.toBeNull();

    await treatAnswer(standing, {
      model: model.client,
      write: async () => 'No.',
      image: null,
      blueprint: 'Speak like a gardener.',
      judge: async () => 'none',
      wordsMin: 12,
      asking: askingInTests(),
      meter: newCallMeter(),
    });

    expect(model.requests.length).toBeGreaterThan(0);
    for (const { messages } of model.requests) {
      expect(messages[0]).toMatchObject({
        role: 'system',
        content: expect.stringMatching(/\n\nSpeak like a gardener\.$/),
      });
    }
  });

  it('writes the label of a careless answer without a call', async () => {
    const column = { ...NO_PROFILE, met: new Set(['label', 'spelling'] as const) };
    const standing = standingAnswer(
      'Is 7 prime? Answer Yes or No.',
      'i think its yes',
      detectLanguage,
      column,
    );

    const { treatment, calls } = await treat(standing, ['No']);

    expect(treatment).toMatchObject({ answer: 'Yes', edit: { kind: 'reformatted', evidence: 'checked' } });
    expect(calls).toBe(0);
  });

  it('keeps an answer that names several labels', async () => {
    const standing = standingAnswer('Answer with Red or Blue.', 'red and blue', detectLanguage);

    const { treatment, calls } = await treat(standing, ['{"answer":"Red"}']);

    expect(treatment.answer).toBeNull();
    expect(calls).toBe(0);
  });

  it('fills in a short answer, and says whether two votes agreed on it', async () => {
    const standing = standingAnswer('Which year was it? Reply with the year only.', '', detectLanguage);

    expect((await treat(standing, ['1986', '1986'])).treatment).toMatchObject({
      answer: '1986',
      edit: { kind: 'written', evidence: 'consistent' },
    });
    expect((await treat(standing, ['1986', '1988', '1990'])).treatment).toMatchObject({
      answer: '1986',
      edit: { kind: 'written', evidence: 'checked' },
    });
    await expect(treat(standing, ['I do not know which year that was, sorry.'])).rejects.toMatchObject({
      code: 'answer_unusable',
    });
  });

  it('keeps every word of a plan that it finishes', async () => {
    const stands = 'Day 1: Rest and drink water.\nDay 2: Walk for';
    const standing = standingAnswer(
      'Make a three-day plan with the headings Day 1 to Day 3.',
      stands,
      detectLanguage,
    );

    const { treatment } = await treat(standing, ['Walk for an hour.\nDay 3: Swim.']);

    expect(treatment).toMatchObject({
      answer: `${stands} an hour.\nDay 3: Swim.`,
      edit: { kind: 'completed', words_kept: 1 },
    });
  });

  it('keeps an answer under contradictory forms', async () => {
    const request = 'Give one word only as JSON, and write it as a markdown table in two paragraphs.';
    const standing = standingAnswer(request, 'it is red', detectLanguage);

    const { treatment, calls } = await treat(standing, ['{"a":1}']);

    expect(treatment.answer).toBeNull();
    expect(calls).toBe(0);
  });

  it('mends by rules alone where the model says something else', async () => {
    const standing = standingAnswer(
      'Can I freeze milk?',
      'yes but u have to shake it well after it has thawed in the fridge over night',
      detectLanguage,
    );

    const { treatment } = await treat(standing, ['No, milk should never be frozen.']);

    expect(treatment).toMatchObject({
      answer: 'Yes but you have to shake it well after it has thawed in the fridge over night.',
      edit: { kind: 'mended' },
    });
  });

  it('does not take a fuller answer to which a believed judge prefers the original', async () => {
    const standing = standingAnswer('How do I bake a cake?', 'in a hot oven', detectLanguage);
    const fuller = 'Bake it in a hot oven, so that the batter sets right away and the cake rises evenly.';

    expect((await treat(standing, [fuller], 'better')).treatment).toMatchObject({ answer: fuller });
    expect((await treat(standing, [fuller], 'worse')).treatment).not.toMatchObject({ answer: fuller });
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
