import { beforeAll, describe, expect, it } from 'vitest';
import { type TreatmentContext, treatAnswer, wordsKept } from '#shared/adaptation/decide/treat-answer.ts';
import { faultOf } from '#shared/answers/decide/answer-fault.ts';
import { NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import type { Defect } from '#shared/answers/decide/diagnose.ts';
import { learnOutline } from '#shared/answers/decide/outline.ts';
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
    isBlind: false,
    blueprint: null,
    judge: async () => verdict,
    wordsMin: 12,
    asking: askingInTests(),
    meter: newCallMeter(),
  });
  return { treatment, calls: model.requests.length + drafts.length };
}

it.each(HARMS)(
  'a good answer that was once replaced stays without a call: $name',
  async ({ request, original, harmful }) => {
    const { treatment, calls } = await treat(standingAnswer(request, original, detectLanguage), [harmful]);

    expect(treatment).toMatchObject({ answer: null, code: 'already_good' });
    expect(calls).toBe(0);
  },
);

it.each(HARMS)(
  'a good answer that was once replaced is not lost where it is taken for careless: $name',
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

it.each([
  ['finished', 'Why do seasons change?', 'The axis of the Earth is tilted, and so the'],
  ['translated', 'Why should I preheat the oven?', 'Weil der Teig in einem heißen Ofen sofort aufgeht.'],
  ['made fuller', 'How do I bake a good cake?', 'preheat the oven'],
  ['mended', 'Can I freeze milk?', 'yes but u have to shake it well after it has thawed in the fridge'],
  ['put into a form', 'Name three colours as JSON.', '{"colours": red, green'],
])('treating an answer that is %s tells the model the blueprint each time', async (_, request, original) => {
  const model = replying('No.');
  const standing = standingAnswer(request, original, detectLanguage);
  expect(standing.diagnosis.defect).not.toBeNull();

  await treatAnswer(standing, {
    model: model.client,
    write: async () => 'No.',
    image: null,
    isBlind: false,
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

it('treating an answer writes the label of a careless answer without a call', async () => {
  const column = { ...NO_PROFILE, met: new Set(['label', 'spelling'] as const) };
  const standing = standingAnswer('Is 7 prime? Answer Yes or No.', 'i think its yes', detectLanguage, column);

  const { treatment, calls } = await treat(standing, ['No']);

  expect(treatment).toMatchObject({ answer: 'Yes', edit: { kind: 'reformatted', evidence: 'checked' } });
  expect(calls).toBe(0);
});

it('treating an answer keeps an answer that names several labels', async () => {
  const standing = standingAnswer('Answer with Red or Blue.', 'red and blue', detectLanguage);

  const { treatment, calls } = await treat(standing, ['{"answer":"Red"}']);

  expect(treatment.answer).toBeNull();
  expect(calls).toBe(0);
});

it('treating an answer fills in a short answer, and says whether two votes agreed on it', async () => {
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

it('treating an answer keeps every word of a plan that it finishes', async () => {
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

it('treating an answer keeps an answer under contradictory forms', async () => {
  const request = 'Give one word only as JSON, and write it as a markdown table in two paragraphs.';
  const standing = standingAnswer(request, 'it is red', detectLanguage);

  const { treatment, calls } = await treat(standing, ['{"a":1}']);

  expect(treatment.answer).toBeNull();
  expect(calls).toBe(0);
});

it('treating an answer mends by rules alone where the model says something else', async () => {
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

it('treating an answer does not take a fuller answer to which a believed judge prefers the original', async () => {
  const standing = standingAnswer('How do I bake a cake?', 'in a hot oven', detectLanguage);
  const fuller = 'Bake it in a hot oven, so that the batter sets right away and the cake rises evenly.';

  expect((await treat(standing, [fuller], 'better')).treatment).toMatchObject({ answer: fuller });
  expect((await treat(standing, [fuller], 'worse')).treatment).not.toMatchObject({ answer: fuller });
});

it.each([
  ['none', null],
  ['better', 'Keep them dry, and fold them.'],
] as const)(
  'what stands outside of an answer, as in no other of its column, is taken out only if a judge finds it %s without',
  async (verdict, answer) => {
    const rows = Array.from({ length: 20 }, (_, n) => ({
      prompt: `How do I clean a lamp of kind ${'abcdefghijklmnopqrst'[n]}xyz?`,
      answer: `Wipe it with a dry cloth, ${n + 1} times.`,
    }));
    const profile = { ...NO_PROFILE, outline: learnOutline(rows) };
    const standing = standingAnswer(
      'How do I store blankets?',
      'Of note\n\nKeep them dry, and fold them.',
      detectLanguage,
      profile,
    );

    expect(standing.diagnosis).toEqual({
      defect: 'debris',
      why: 'has a line outside of it, in a column of single lines',
    });
    expect((await treat(standing, [], verdict)).treatment.answer).toBe(answer);
  },
);

it('a layout that its column has not hides no other defect of an answer, and refuses no new one', () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({
    prompt: `How do I clean a lamp of kind ${'abcdefghijklmnopqrst'[n]}xyz?`,
    answer: `Wipe it with a dry cloth, ${n + 1} times.`,
  }));
  const profile = { ...NO_PROFILE, outline: learnOutline(rows) };
  const of = (answer: string) =>
    standingAnswer('How do I store blankets that I do not need in summer?', answer, detectLanguage, profile);

  expect(
    of('Of note\n\nHalten Sie die Decken trocken, und falten Sie sie sorgfältig.').diagnosis.defect,
  ).toBe('wrong_language');
  expect(of('Of note\n\nKeep them dry, fold them, and put them in the').diagnosis.defect).toBe('cut_off');
  expect(faultOf(of('Keep it.'), 'Of note\n\nKeep them dry, and fold them.', {})).toBeNull();
});

/** What a model makes of an answer with a defect: its answers in turn, and the verdict of the judge. */
async function treated(
  request: string,
  original: string,
  replies: readonly string[],
  verdict: Parameters<typeof treat>[2] = 'none',
  defect: Defect | null = null,
) {
  const standing = standingAnswer(request, original, detectLanguage);
  const read =
    defect === null ? standing : { ...standing, diagnosis: { defect, why: `is ${defect}`, expected: null } };
  return treat(read, replies, verdict);
}

describe('an answer that breaks off', () => {
  const PLAN = 'Give tips for a garden as a list.';

  it.each([
    ['prose that goes on', 'It rains, and so the', 'river rises.', 'It rains, and so the river rises.'],
    ['dots', 'It rains, and so…', 'the river rises.', 'It rains, and so the river rises.'],
    ['dots of the model', 'It rains, and so', '… the river rises.', 'It rains, and so the river rises.'],
    [
      'punctuation',
      'It rains, and so the river rises',
      ', and the fields drown.',
      'It rains, and so the river rises, and the fields drown.',
    ],
    [
      'the whole text said again',
      'It rains, and so',
      'It rains, and so the river rises.',
      'It rains, and so the river rises.',
    ],
    [
      'its last words said again',
      'It rains, and so',
      'And so the river rises.',
      'It rains, and so the river rises.',
    ],
    ['its last line said again', 'Tips:\n- Watering', '- watering at dawn.', 'Tips:\n- Watering at dawn.'],
    ['an item of a list', 'Tips:\n- Water at dawn.', '- Mulch.', 'Tips:\n- Water at dawn.\n- Mulch.'],
    ['a numbered item', '9. Water at dawn.', '10. Mulch.', '9. Water at dawn.\n10. Mulch.'],
    ['a step', 'Step 1: Water at dawn.', 'Step 2: Mulch.', 'Step 1: Water at dawn.\nStep 2: Mulch.'],
    ['an item after a comma', 'Bring water, and,', '- a hat.', 'Bring water, and, - a hat.'],
  ])('an answer that breaks off is finished with what stands kept: %s', async (_, stands, end, answer) => {
    const { treatment } = await treated(PLAN, stands, [end], 'none', 'cut_off');

    expect(treatment).toMatchObject({ answer, edit: { kind: 'completed', evidence: 'checked' } });
  });

  it('an answer that breaks off is not finished with words of the request', async () => {
    const request = 'Why does the river rise? Tell me about the snow in the mountains.';
    const { treatment, calls } = await treated(
      request,
      'It rains, and so the',
      ['Tell me about the snow in the mountains.'],
      'worse',
      'cut_off',
    );

    expect(treatment.answer).toBeNull();
    // Two ends, then two answers in its place.
    expect(calls).toBeGreaterThan(2);
  });

  it('an answer that breaks off is answered anew where its form is exact', async () => {
    const standing = standingAnswer('Name two colours.', '["red", "gre', detectLanguage);
    const cut = {
      ...standing,
      form: { ...standing.form, kind: 'json' },
      diagnosis: { defect: 'cut_off', why: 'breaks off', expected: null },
    } as const;

    expect((await treat(cut, ['["red", "green"]'])).treatment).toMatchObject({
      answer: '["red", "green"]',
      edit: { kind: 'rewritten' },
    });
  });
});

describe('an answer in another language', () => {
  const REQUEST = 'Why should I preheat the oven for a cake?';
  const GERMAN = 'Weil der Teig in einem heißen Ofen von 180 Grad sofort aufgeht und gleichmäßig bäckt.';

  it('an answer in another language is translated where the translation keeps its numbers', async () => {
    const english = 'Because the batter rises at once in a hot oven of 180 degrees and bakes evenly.';
    const { treatment } = await treated(REQUEST, GERMAN, [english]);

    expect(treatment).toMatchObject({ answer: english, edit: { kind: 'translated', evidence: 'checked' } });
  });

  it('an answer in another language is not taken over from a translation that loses a number, and is then answered anew', async () => {
    const other = 'Because the batter rises at once in a hot oven of 220 degrees and bakes evenly.';
    const { treatment } = await treated(REQUEST, GERMAN, [other]);

    expect(treatment).not.toMatchObject({ edit: { kind: 'translated' } });
  });
});

describe('a short answer', () => {
  const REQUEST = 'Which year was it? Reply with the year only.';

  it('a short answer is written once three answers were counted, of which two are equal up to their writing', async () => {
    const { treatment, calls } = await treated(REQUEST, '', ['1986', '1988', ' 1986. ']);

    expect(treatment).toMatchObject({ answer: '1986', edit: { evidence: 'consistent' } });
    expect(calls).toBe(3);
  });

  it('a short answer is counted with its sign', async () => {
    const request = 'What is 3 - 8? Reply with the number only.';
    const { treatment, calls } = await treated(request, '', ['5', '-5', '-5']);

    expect(calls).toBe(3);
    expect(treatment).toMatchObject({ answer: '-5', edit: { evidence: 'consistent' } });
  });

  it('a short answer takes two calls where the first two agree', async () => {
    expect((await treated(REQUEST, '', ['1986', '1986', '1990'])).calls).toBe(2);
  });

  it('a short answer is replaced only where two answers agree', async () => {
    const doubted = async (...replies: string[]) =>
      (await treated(REQUEST, '1986', replies, 'none', 'doubtful')).treatment;

    expect(await doubted('1990', '1990')).toMatchObject({
      answer: '1990',
      edit: { kind: 'rewritten', evidence: 'consistent', words_kept: 0 },
    });
    expect(await doubted('1990', '1991', '1992')).toMatchObject({ answer: null, code: 'not_confident' });
  });
});

it.each([
  ['Write a SQL query that counts all rows of the table t.', 'SELECT count(*) FROM t', 'sql'],
  ['Name two colours as JSON.', '["red"]', 'json'],
])('code loses the fence that a model puts around it: %s', async (request, answer, language) => {
  const { treatment } = await treated(request, '', [`\`\`\`${language}\n${answer}\n\`\`\` `]);

  expect(treatment).toMatchObject({ answer, edit: { kind: 'written' } });
});

it('code keeps a fence in prose', async () => {
  const prose = '```\nRun the tests first, and then deploy what has passed.\n```';

  expect((await treated('How do I deploy?', '', [prose])).treatment).toMatchObject({ answer: prose });
});

describe('a doubtful answer', () => {
  const REQUEST = 'How many rows do 12 files of 30 rows have? Explain it.';

  it('a doubtful answer is replaced where the model comes to the same result again', async () => {
    const answer = '12 files of 30 rows have 12 times 30 rows, which makes 360.';
    const { treatment } = await treated(
      REQUEST,
      '12 files of 30 rows have 42.',
      [answer, answer],
      'none',
      'doubtful',
    );

    expect(treatment).toMatchObject({ answer, edit: { kind: 'rewritten', evidence: 'consistent' } });
  });

  it('a doubtful answer stays where the model comes to another result each time', async () => {
    const results = ['350', '360', '370', '380'].map((n) => `12 files of 30 rows have ${n}.`);
    const { treatment } = await treated(REQUEST, '12 files of 30 rows have 42.', results, 'none', 'doubtful');

    expect(treatment).toMatchObject({
      answer: null,
      why: expect.stringContaining('differs from what the model'),
    });
  });
});

describe('a careless answer', () => {
  const REQUEST = 'Can I freeze milk?';
  const CARELESS = 'yes but u have to shake it well after it has thawed in the fridge over night';

  it('a careless answer is mended by the model where it says the same', async () => {
    const mended = 'Yes, but you have to shake it well after it has thawed in the fridge overnight.';

    expect((await treated(REQUEST, CARELESS, [mended])).treatment).toMatchObject({
      answer: mended,
      edit: { kind: 'mended', evidence: 'checked' },
    });
  });

  it.each([
    ['more than a third longer', `${CARELESS} ${'and shake it again '.repeat(4)}`],
    ['shorter by half', 'Yes, shake it well.'],
  ])('a careless answer is mended by rules alone where the model makes it %s', async (_, other) => {
    const { treatment } = await treated(REQUEST, CARELESS, [other]);

    expect(treatment).toMatchObject({ edit: { kind: 'mended' } });
    expect(treatment.answer).toMatch(/^Yes but you have to shake it well after/);
  });

  it('a careless answer stays where rules see nothing to mend, and says so', async () => {
    const { treatment } = await treated(
      REQUEST,
      'Yes, in small portions, for up to three months.',
      ['No.'],
      'none',
      'careless',
    );

    expect(treatment).toMatchObject({ answer: null, code: 'no_better_answer' });
  });
});

describe('a thin answer', () => {
  const REQUEST = 'How do I bake a cake?';

  it('a thin answer is made fuller with its own words kept, by a text or by an end', async () => {
    const fuller = 'Bake it in a hot oven, so that the batter sets right away and the cake rises evenly.';
    const end = 'Set it to 180 degrees, so that the batter rises and the cake bakes evenly inside.';

    expect((await treated(REQUEST, 'in a hot oven', [fuller])).treatment).toMatchObject({
      answer: fuller,
      edit: { kind: 'rewritten', evidence: 'checked' },
    });
    expect((await treated(REQUEST, 'in a hot oven', [end], 'better')).treatment).toMatchObject({
      edit: { kind: 'completed', evidence: 'judged' },
    });
  });

  it('a thin answer is not replaced by a text that has too few of its words, or that is too short itself', async () => {
    const { treatment } = await treated(REQUEST, 'in a hot oven', ['Buy one.']);

    expect(treatment.answer).not.toBe('Buy one.');
  });
});

it('an answer with reasoning before it is not replaced, since it would not follow from that', async () => {
  const standing = standingAnswer('How many rows do 12 files of 30 rows have?', '42', detectLanguage);
  const doubted = {
    ...standing,
    reasoning: 'Each file has 30 rows.',
    diagnosis: { defect: 'doubtful', why: 'is doubtful', expected: null },
  } as const;

  const { treatment, calls } = await treat(doubted, ['360']);

  expect(treatment).toMatchObject({ answer: null, why: expect.stringContaining('reasoning') });
  expect(calls).toBe(0);
});

it.each([
  ['', 'one two', 0],
  ['one two three', 'one two', 0.67],
  ['one two', 'one two', 1],
])('the share of words that %j keeps in %j is %d', (original, answer, share) => {
  expect(wordsKept(original, answer)).toBe(share);
});
