import { beforeAll, describe, expect, it } from 'vitest';
import { type TreatmentContext, treatAnswer } from '#shared/adaptation/decide/treat-answer.ts';
import { NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { HARMS } from '#test/helpers/known-harms.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';
import { standingAnswer } from '#test/helpers/standing-answer.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

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
