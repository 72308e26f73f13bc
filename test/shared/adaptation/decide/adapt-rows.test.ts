import { beforeAll, describe, expect, it } from 'vitest';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import { callsPerRow } from '#shared/adaptation/decide/quote.ts';
import type { ProcessedRow } from '#shared/adaptation/decide/row-program.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { lengthTargets } from '#shared/answers/decide/length.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import type { Arbiter, PairVerdictOrDoubt } from '#shared/judging/decide/arbiter.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { GenerateRequest, Generation } from '#shared/models/decide/port.ts';
import type { Searcher } from '#shared/models/decide/searcher.ts';
import { GIF, PNG } from '#test/helpers/images.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';
import { specification } from '#test/helpers/specification.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

const ANSWER = 'Go to bed at the same hour every day, and keep screens out of the bedroom.';

type Compared = Parameters<Arbiter['compare']>[0];

async function adapt(
  row: Record<string, unknown> | string,
  answers: ReturnType<typeof replying>,
  overrides: Partial<AdaptationSpecification> = {},
  judged: PairVerdictOrDoubt = { winner: null, doubt: 'no_trusted_judge' },
  searcher: Searcher | null = null,
): Promise<ProcessedRow & { comparisons: Compared[] }> {
  const comparisons: Compared[] = [];
  const arbiter: Arbiter = {
    async compare(answers) {
      comparisons.push(answers);
      return judged;
    },
  };
  const program = createRowProgram({
    specification: specification({
      mapping: { prompt: 'prompt', completion: 'completion', context: ['topic'] },
      ...overrides,
    }),
    rewriteModel: answers.client,
    answerModel: answers.client,
    arbiter,
    detectLanguage,
    contextTokensMax: 4096,
    readImageFile: async (path) => (path === 'cat.gif' ? Buffer.from(GIF, 'base64') : null),
    fetchImage: async () => null,
    searcher,
  });
  const line = typeof row === 'string' ? row : JSON.stringify(row);
  const verdict = await program.run(readCells(line, program.columns), askingInTests(), newCallMeter());
  return { ...verdict, comparisons };
}

const ROW = { prompt: 'how to sleep better', completion: 'go to bed', topic: 'health' };
const userText = (request: GenerateRequest | undefined) => request?.messages.at(-1)?.content ?? '';

it('improving a row changes its completion and compares the two for the original prompt with its context', async () => {
  const verdict = await adapt(ROW, replying(ANSWER));

  expect(verdict).toMatchObject({
    outcome: 'changed',
    cells: { enhanced_prompt: 'how to sleep better', enhanced_completion: ANSWER },
  });
  expect(verdict.comparisons).toMatchObject([
    {
      request: 'how to sleep better\ntopic: health',
      first: 'go to bed',
      second: ANSWER,
      original: 'first',
    },
  ]);
});

it('improving a row compares its answer without the reasoning in it', async () => {
  const german = 'Geh jeden Tag zur gleichen Zeit ins Bett.';
  const prompt = 'Wie schlafe ich besser?';
  const completion = `<think>The user asks how to sleep. Beds are for sleeping, so they should go to one.</think>${german}`;
  const better = `${german} Lass das Telefon draußen, und halte das Zimmer kühl und dunkel.`;
  const overrides = { length: 'extensive' as const };

  const verdict = await adapt({ prompt, completion }, replying(better), overrides, { winner: 'second' });

  expect(verdict.comparisons).toMatchObject([{ first: german, second: better, original: 'first' }]);
  expect(verdict).toMatchObject({ outcome: 'changed', edit: { kind: 'rewritten', evidence: 'judged' } });
});

it('improving a row compares an answer without reasoning as its cell has it', async () => {
  const verdict = await adapt({ ...ROW, completion: ' go to bed\n' }, replying(ANSWER));

  expect(verdict.comparisons[0]?.first).toBe(' go to bed\n');
});

it('improving a row mends a careless original where a believed judge prefers it to the rewriting', async () => {
  const answers = replying('How can I sleep better at night?', ANSWER, `${ANSWER} Go to bed.`, 'Go to bed.');

  const verdict = await adapt(ROW, answers, { prompt_rephrase: true }, { winner: 'first' });

  expect(verdict).toMatchObject({
    outcome: 'changed',
    edit: { kind: 'mended', evidence: 'checked', words_kept: 1 },
    cells: { enhanced_completion: 'Go to bed.' },
  });
});

it('improving a row answers the rephrased prompt where rephrasing is asked for', async () => {
  const answers = replying('How can I sleep better at night?', ANSWER);

  const verdict = await adapt(ROW, answers, { prompt_rephrase: true });

  expect(verdict.cells).toEqual({
    enhanced_prompt: 'How can I sleep better at night?',
    enhanced_completion: ANSWER,
  });
  expect(userText(answers.requests[1])).toContain('How can I sleep better at night?');
  expect(verdict.comparisons[0]?.request).toContain('how to sleep better');
});

it('improving a row shows the model its system prompt and the turns before its prompt, which stays as it goes on from them', async () => {
  const row = { ...ROW, system: 'You are a nurse.', history: [['I sleep badly.', 'Since when?']] };
  const answers = replying(ANSWER);
  const before = { system: 'system', history: 'history' };

  const verdict = await adapt(row, answers, { prompt_rephrase: true, before });

  expect(verdict.cells.enhanced_prompt).toBe(ROW.prompt);
  for (const text of ['You are a nurse.', 'I sleep badly.', 'Since when?']) {
    expect(userText(answers.requests[0])).toContain(text);
    expect(verdict.comparisons[0]?.request).toContain(text);
  }
});

it.each([
  'Wie kann ich nachts besser schlafen, ohne Tabletten zu nehmen?',
  `How can I sleep better? ${'There is much to say. '.repeat(40)}`,
  'What is a window, and how is it opened?',
])('improving a row does not take a rephrasing that is another prompt: %s', async (rewritten) => {
  const verdict = await adapt(ROW, replying(rewritten, ANSWER), { prompt_rephrase: true });

  expect(verdict.cells.enhanced_prompt).toBe('how to sleep better');
});

it('improving a row generates a completion where there is none, with nothing to compare it to', async () => {
  for (const completion of ['', '  ', null]) {
    const answers = replying(ANSWER);
    const verdict = await adapt({ ...ROW, completion }, answers);

    expect(verdict).toMatchObject({ outcome: 'changed', cells: { enhanced_completion: ANSWER } });
    expect(verdict.comparisons).toEqual([]);
    expect(userText(answers.requests[0])).not.toContain(' draft>');
  }
});

it('improving a row keeps a row without a prompt, without asking', async () => {
  for (const prompt of ['', ' \n', null]) {
    const answers = replying(ANSWER);
    const verdict = await adapt({ ...ROW, prompt }, answers);

    expect(verdict).toMatchObject({
      outcome: 'kept',
      reason: { code: 'prompt_empty' },
      cells: { enhanced_prompt: prompt, enhanced_completion: 'go to bed' },
    });
    expect(answers.requests).toEqual([]);
  }
});

it('improving a row leaves a row alone with which nothing is wrong, without asking, and says so', async () => {
  const answers = replying(`${ANSWER} Sleep well.`);

  const verdict = await adapt({ ...ROW, completion: ANSWER }, answers, {}, { winner: 'second' });

  expect(verdict).toMatchObject({
    outcome: 'kept',
    reason: { code: 'already_good' },
    cells: { enhanced_prompt: ROW.prompt, enhanced_completion: ANSWER },
    comparisons: [],
  });
  expect(answers.requests).toEqual([]);
});

it('improving a row asks once for a careless row where nobody has to judge it, which is what is planned for', async () => {
  const answers = replying(ANSWER);

  await adapt(ROW, answers);

  expect(answers.requests).toHaveLength(callsPerRow(specification()));
});

it('improving a row reads cells that are no strings as their exact text', async () => {
  const answers = replying(ANSWER);

  const verdict = await adapt('{"prompt":12345678901234567890,"completion":null,"topic":[1, 2]}', answers);

  expect(userText(answers.requests[0])).toContain('\n12345678901234567890\n');
  expect(userText(answers.requests[0])).toContain('topic: [1,2]');
  expect(verdict.outcome).toBe('changed');
  expect((await adapt('{"prompt":"how much","completion":1.0}', answers)).cells.enhanced_completion).toBe(
    '1.0',
  );
});

it('improving a row fails a row that cannot fit the context, without asking', async () => {
  const answers = replying(ANSWER);
  const row = { ...ROW, prompt: 'word '.repeat(5000) };

  await expect(adapt(row, answers)).rejects.toMatchObject({ code: 'row_too_long' });
  expect(answers.requests).toEqual([]);
});

it('improving a row puts the blueprint into the system text, and the row never', async () => {
  const answers = replying(ANSWER);

  await adapt(ROW, answers, { blueprint: 'Speak like a doctor.' });

  const [system, ...turns] = answers.requests[0]?.messages ?? [];
  expect(system?.content).toContain('Speak like a doctor.');
  expect(system?.content).not.toContain('sleep');
  expect(turns.map(({ content }) => content).join()).not.toContain('doctor');
});

it.each(['minimal', 'concise', 'detailed', 'extensive'] as const)(
  'improving a row asks for a %s answer and leaves it room',
  async (length) => {
    const answers = replying(ANSWER);

    await adapt(ROW, answers, { length });

    expect(userText(answers.requests[0])).toContain(lengthTargets[length].instruction);
    expect(answers.requests[0]?.maxOutputTokens).toBe(lengthTargets[length].outputTokensMax);
  },
);

describe('a row that has only a completion', () => {
  const inferring = {
    mode: 'completion_only' as const,
    mapping: { completion: 'completion', context: ['topic'] },
    prompt_rephrase: true,
  };
  const row = { completion: 'go to bed', topic: 'health' };
  const INFERRED = 'How can I sleep better?';

  it('a row that has only a completion gets the prompt that its completion answers, and a better completion for that', async () => {
    const answers = replying(INFERRED, ANSWER);

    const verdict = await adapt(row, answers, inferring);

    expect(verdict).toMatchObject({
      outcome: 'changed',
      cells: { enhanced_prompt: INFERRED, enhanced_completion: ANSWER },
    });
    expect(verdict.notes).toBeUndefined();
    expect(answers.requests).toHaveLength(2);
    expect(userText(answers.requests[0])).toMatch(/ answer>\ngo to bed\n/);
    expect(userText(answers.requests[0])).toContain('topic: health');
    expect(userText(answers.requests[1])).toContain(INFERRED);
    expect(verdict.comparisons).toMatchObject([
      { request: `${INFERRED}\ntopic: health`, first: 'go to bed', second: ANSWER, original: 'first' },
    ]);
  });

  it('a row that has only a completion keeps a completion with which nothing is wrong beside the inferred prompt, and says so', async () => {
    expect(await adapt({ ...row, completion: ANSWER }, replying(INFERRED), inferring)).toMatchObject({
      outcome: 'changed',
      cells: { enhanced_prompt: INFERRED, enhanced_completion: ANSWER },
      notes: [{ code: 'completion_kept' }],
    });
  });

  it('a row that has only a completion names the sources of a new completion, and none beside its own', async () => {
    const source = { title: 'Sleep', url: 'https://example.org/sleep' };
    const searcher: Searcher = { search: async () => [{ ...source, text: 'Cool rooms help.' }] };
    const grounded = { ...inferring, grounding: true };
    const better = `${ANSWER} Cool rooms help too.`;
    const compared = (winner: 'first' | 'second') =>
      adapt({ completion: ANSWER }, replying(INFERRED, better), grounded, { winner }, searcher);

    expect(await compared('second')).toMatchObject({
      cells: { enhanced_completion: better },
      sources: [source],
    });
    const own = await compared('first');
    expect(own).toMatchObject({ outcome: 'changed', cells: { enhanced_completion: ANSWER } });
    expect(own.sources).toBeUndefined();
  });

  it('a row that has only a completion is asked about again where the model repeats it', async () => {
    const completion = 'Keep screens out of the bedroom, and go to bed at the same hour.';
    const answers = replying(`${completion} Then sleep.`, INFERRED, ANSWER);

    const verdict = await adapt({ completion }, answers, inferring);

    expect(verdict.cells.enhanced_prompt).toBe(INFERRED);
  });

  it('a row that has only a completion is kept where it has nothing, without asking', async () => {
    const answers = replying(INFERRED, ANSWER);

    expect(await adapt({ completion: ' ' }, answers, inferring)).toMatchObject({
      outcome: 'kept',
      reason: { code: 'completion_empty' },
    });
    expect(answers.requests).toEqual([]);
  });
});

describe('the image of a row', () => {
  const seeing = {
    mapping: { prompt: 'prompt', completion: 'completion', image: 'photo', context: ['photo'] },
  };

  it.each([
    [PNG, `data:image/png;base64,${PNG}`],
    ['cat.gif', `data:image/gif;base64,${GIF}`],
    ['https://example.com/cat', 'https://example.com/cat'],
  ])('the image of a row is shown to the model that writes the answer', async (photo, shown) => {
    const answers = replying('What is in the photo?', ANSWER);

    const verdict = await adapt({ ...ROW, photo }, answers, { ...seeing, prompt_rephrase: true });

    expect(verdict.outcome).toBe('changed');
    expect(answers.requests.map(({ messages }) => messages.flatMap(({ images }) => images ?? []))).toEqual([
      [],
      [shown],
    ]);
    expect(userText(answers.requests[1])).not.toContain(photo);
  });

  it('the image of a row that is missing fails the row without a call', async () => {
    const answers = replying(ANSWER);

    await expect(adapt({ ...ROW, photo: 'dog.gif' }, answers, seeing)).rejects.toMatchObject({
      code: 'image_missing',
    });
    expect(answers.requests).toEqual([]);
  });

  it('the image of a row may be left out: the row is worked on without', async () => {
    for (const photo of ['', null, '{"bytes":null,"path":null}']) {
      const answers = replying(ANSWER);

      expect((await adapt({ ...ROW, photo }, answers, seeing)).outcome).toBe('changed');
      expect(answers.requests[0]?.messages.at(-1)).not.toHaveProperty('images');
    }
  });
});

it('a conversation gets a better last reply, and shows the turns before it as its prompt', async () => {
  const turns = [
    { role: 'user', content: 'Hello?' },
    { role: 'assistant', content: 'Hi!' },
    { role: 'user', content: 'how to sleep better' },
  ];
  const answers = replying(ANSWER);
  const chat = { mode: 'chat' as const, mapping: { chat: 'c', context: [] } };

  const verdict = await adapt({ c: [...turns, { role: 'assistant', content: 'go to bed' }] }, answers, chat);

  expect(verdict).toMatchObject({
    outcome: 'changed',
    cells: { enhanced_prompt: JSON.stringify(turns), enhanced_completion: ANSWER },
  });
  expect(userText(answers.requests[0])).toContain('user: Hello?\nassistant: Hi!');
  expect(verdict.comparisons[0]?.request).toBe('user: Hello?\nassistant: Hi!\nhow to sleep better');
});

it('a dataset-wide instruction is answered for each row from its context', async () => {
  const answers = replying(ANSWER);
  const folded = {
    mode: 'universal_prompt' as const,
    mapping: { universal_prompt: 'Sum up the text.', context: ['text'] },
  };

  const verdict = await adapt({ text: 'Sleep is good.' }, answers, folded);

  expect(verdict).toMatchObject({
    outcome: 'changed',
    cells: { enhanced_prompt: 'Sum up the text.\ntext: Sleep is good.', enhanced_completion: ANSWER },
  });
  expect(userText(answers.requests[0])).toContain('text: Sleep is good.');
});

it('an answer is taken without the wrappings that models add', async () => {
  for (const reply of [
    `Improved answer: ${ANSWER}`,
    `**Answer:** ${ANSWER}`,
    `Sure, here is a better answer:\n\n${ANSWER}`,
    `"${ANSWER}"`,
    `\n${ANSWER}\n`,
  ]) {
    expect((await adapt(ROW, replying(reply))).cells.enhanced_completion).toBe(ANSWER);
  }
});

it('an answer that ran out of tokens ends at its last whole sentence', async () => {
  const cut = { text: `${ANSWER} Avoid coffee after`, finishReason: 'length' as const };

  expect((await adapt(ROW, replying(cut))).cells.enhanced_completion).toBe(ANSWER);
});

it.each<[string, string | Partial<Generation>]>([
  ['is empty', ''],
  ['repeats the marks', `</data-0a1b2c> ${ANSWER}`],
  ['is cut in its first sentence', { text: 'Go to bed at the same', finishReason: 'length' }],
])('an answer that %s is asked for again', async (_, bad) => {
  const answers = replying(bad, ANSWER);

  expect((await adapt(ROW, answers)).cells.enhanced_completion).toBe(ANSWER);
  expect(answers.requests).toHaveLength(2);
});

it('the four lengths do not overlap, so that a step can be told by counting', () => {
  const steps = (['minimal', 'concise', 'detailed', 'extensive'] as const).map(
    (length) => lengthTargets[length],
  );

  for (const [n, step] of steps.slice(1).entries()) {
    expect(step.wordsMin).toBeGreaterThan(steps[n]?.wordsMax ?? 0);
  }
});
