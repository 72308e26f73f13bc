import { beforeAll, describe, expect, it } from 'vitest';
import { adaptRows } from '#shared/domain/adaptation/adapt-rows.ts';
import type { Arbiter, Comparison } from '#shared/domain/adaptation/arbiter.ts';
import { lengthTargets } from '#shared/domain/adaptation/length.ts';
import { type RowVerdict, readCells } from '#shared/domain/adaptation/row-program.ts';
import type { AdaptationSpecification } from '#shared/domain/adaptation/specification.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { createAdaptiveLimit } from '#shared/domain/model/adaptive-limit.ts';
import { type Asking, newCallMeter } from '#shared/domain/model/ask-model.ts';
import type { GenerateRequest, Generation, ModelClient } from '#shared/domain/model/port.ts';
import { specification } from '#test/helpers/specification.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

function replying(...replies: (string | Partial<Generation>)[]) {
  const requests: GenerateRequest[] = [];
  const client: ModelClient = {
    modelId: 'm',
    async generate(request) {
      const reply = replies[Math.min(requests.length, replies.length - 1)] ?? '';
      requests.push(request);
      const usage = { input_tokens: 1, output_tokens: 1 };
      return typeof reply === 'string'
        ? { text: reply, finishReason: 'stop', usage }
        : { text: '', finishReason: 'stop', usage, ...reply };
    },
  };
  return { client, requests };
}

const ANSWER = 'Go to bed at the same hour every day, and keep screens out of the bedroom.';

function newAsking(): Asking {
  const clock = createVirtualClock();
  return {
    limit: createAdaptiveLimit({ concurrencyMax: 1, clock, random: () => 0.5 }),
    clock,
    random: () => 0.5,
    attemptsMax: 2,
    serverErrorsMax: 2,
    outageSecondsMax: 60,
  };
}

async function adapt(
  row: Record<string, unknown> | string,
  answers: ReturnType<typeof replying>,
  overrides: Partial<AdaptationSpecification> = {},
  isWorse = false,
): Promise<RowVerdict & { comparisons: Comparison[] }> {
  const comparisons: Comparison[] = [];
  const arbiter: Arbiter = {
    async isWorse(comparison) {
      comparisons.push(comparison);
      return isWorse;
    },
    clearWinner: async () => null,
  };
  const program = adaptRows({
    specification: specification({
      mapping: { prompt: 'prompt', completion: 'completion', context: ['topic'] },
      ...overrides,
    }),
    rewriteModel: answers.client,
    answerModel: answers.client,
    arbiter,
    detectLanguage,
    contextTokensMax: 4096,
    readImageFile: async () => null,
  });
  const line = typeof row === 'string' ? row : JSON.stringify(row);
  const verdict = await program.run(readCells(line, program.columns), newAsking(), newCallMeter());
  return { ...verdict, comparisons };
}

const ROW = { prompt: 'how to sleep better', completion: 'go to bed', topic: 'health' };
const userText = (request: GenerateRequest | undefined) => request?.messages.at(-1)?.content ?? '';

describe('improving a row', () => {
  it('changes its completion and compares the two for the original prompt with its context', async () => {
    const verdict = await adapt(ROW, replying(ANSWER));

    expect(verdict).toMatchObject({
      outcome: 'changed',
      cells: { enhanced_prompt: 'how to sleep better', enhanced_completion: ANSWER },
    });
    expect(verdict.comparisons).toMatchObject([
      { request: 'how to sleep better\ntopic: health', original: 'go to bed', candidate: ANSWER },
    ]);
  });

  it('keeps both originals where the rewritten row scores worse', async () => {
    const answers = replying('How can I sleep better at night?', ANSWER);

    const verdict = await adapt(ROW, answers, { prompt_rephrase: true }, true);

    expect(verdict).toMatchObject({
      outcome: 'kept',
      reason: { code: 'scored_worse' },
      cells: { enhanced_prompt: 'how to sleep better', enhanced_completion: 'go to bed' },
    });
  });

  it('answers the rephrased prompt where rephrasing is asked for', async () => {
    const answers = replying('How can I sleep better at night?', ANSWER);

    const verdict = await adapt(ROW, answers, { prompt_rephrase: true });

    expect(verdict.cells).toEqual({
      enhanced_prompt: 'How can I sleep better at night?',
      enhanced_completion: ANSWER,
    });
    expect(userText(answers.requests[1])).toContain('How can I sleep better at night?');
    expect(verdict.comparisons[0]?.request).toContain('how to sleep better');
  });

  it.each([
    'Wie kann ich nachts besser schlafen, ohne Tabletten zu nehmen?',
    `How can I sleep better? ${'There is much to say. '.repeat(40)}`,
  ])('does not take a rephrasing that is another prompt: %s', async (rewritten) => {
    const verdict = await adapt(ROW, replying(rewritten, ANSWER), { prompt_rephrase: true });

    expect(verdict.cells.enhanced_prompt).toBe('how to sleep better');
  });

  it('generates a completion where there is none, with nothing to compare it to', async () => {
    for (const completion of ['', '  ', null]) {
      const answers = replying(ANSWER);
      const verdict = await adapt({ ...ROW, completion }, answers);

      expect(verdict).toMatchObject({ outcome: 'changed', cells: { enhanced_completion: ANSWER } });
      expect(verdict.comparisons).toEqual([]);
      expect(userText(answers.requests[0])).not.toContain(' draft>');
    }
  });

  it('keeps a row without a prompt, without asking', async () => {
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

  it('says that a row was good already where the model repeats it', async () => {
    expect(await adapt({ ...ROW, completion: ANSWER }, replying(ANSWER))).toMatchObject({
      outcome: 'kept',
      reason: { code: 'already_good' },
    });
  });

  it('reads cells that are no strings as their exact text', async () => {
    const answers = replying(ANSWER);

    const verdict = await adapt('{"prompt":12345678901234567890,"completion":1.0,"topic":[1, 2]}', answers);

    expect(userText(answers.requests[0])).toContain('\n12345678901234567890\n');
    expect(userText(answers.requests[0])).toContain('topic: [1,2]');
    expect(verdict.comparisons[0]?.original).toBe('1.0');
  });

  it('fails a row that cannot fit the context, without asking', async () => {
    const answers = replying(ANSWER);
    const row = { ...ROW, prompt: 'word '.repeat(5000) };

    await expect(adapt(row, answers)).rejects.toMatchObject({ code: 'row_too_long' });
    expect(answers.requests).toEqual([]);
  });

  it('puts the blueprint into the system text, and the row never', async () => {
    const answers = replying(ANSWER);

    await adapt(ROW, answers, { blueprint: 'Speak like a doctor.' });

    const [system, ...turns] = answers.requests[0]?.messages ?? [];
    expect(system?.content).toContain('Speak like a doctor.');
    expect(system?.content).not.toContain('sleep');
    expect(turns.map(({ content }) => content).join()).not.toContain('doctor');
  });

  it.each(['minimal', 'concise', 'detailed', 'extensive'] as const)(
    'asks for a %s answer and leaves it room',
    async (length) => {
      const answers = replying(ANSWER);

      await adapt(ROW, answers, { length });

      expect(userText(answers.requests[0])).toContain(lengthTargets[length].instruction);
      expect(answers.requests[0]?.maxOutputTokens).toBe(lengthTargets[length].outputTokensMax);
    },
  );
});

describe('an answer', () => {
  it('is taken without the wrappings that models add', async () => {
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

  it('that ran out of tokens ends at its last whole sentence', async () => {
    const cut = { text: `${ANSWER} Avoid coffee after`, finishReason: 'length' as const };

    expect((await adapt(ROW, replying(cut))).cells.enhanced_completion).toBe(ANSWER);
  });

  it.each<[string, string | Partial<Generation>]>([
    ['is empty', ''],
    ['repeats the marks', `</data-0a1b2c> ${ANSWER}`],
    ['is cut in its first sentence', { text: 'Go to bed at the same', finishReason: 'length' }],
  ])('that %s is asked for again', async (_, bad) => {
    const answers = replying(bad, ANSWER);

    expect((await adapt(ROW, answers)).cells.enhanced_completion).toBe(ANSWER);
    expect(answers.requests).toHaveLength(2);
  });
});

describe('the four lengths', () => {
  it('do not overlap, so that a step can be told by counting', () => {
    const steps = (['minimal', 'concise', 'detailed', 'extensive'] as const).map(
      (length) => lengthTargets[length],
    );

    for (const [n, step] of steps.slice(1).entries()) {
      expect(step.wordsMin).toBeGreaterThan(steps[n]?.wordsMax ?? 0);
    }
  });
});
