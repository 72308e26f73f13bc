import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectOpenAi, type OpenAiEndpoint } from '#shared/adapters/model/openai-compatible.ts';
import { systemClock } from '#shared/adapters/model/system-clock.ts';
import { adaptRows } from '#shared/domain/adaptation/adapt-rows.ts';
import { type Arbiter, CLEAR_MARGIN, createArbiter } from '#shared/domain/adaptation/arbiter.ts';
import { DEFAULT_LENGTH } from '#shared/domain/adaptation/length.ts';
import { findPair, type PairSearch } from '#shared/domain/adaptation/preference-pairs.ts';
import { callsPerRow, quoteAdaptation } from '#shared/domain/adaptation/quote.ts';
import { readCells } from '#shared/domain/adaptation/row-program.ts';
import type { AdaptationSpecification } from '#shared/domain/adaptation/specification.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { createAdaptiveLimit } from '#shared/domain/model/adaptive-limit.ts';
import { AskFailure, type Asking, ModelOutage, newCallMeter } from '#shared/domain/model/ask-model.ts';
import type { GenerateRequest, ModelClient } from '#shared/domain/model/port.ts';
import type { PairKind } from '#shared/schema/pair-kind.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';
import { type ScriptedModel, startScriptedModel } from '#test/helpers/scripted-model.ts';
import { specification } from '#test/helpers/specification.ts';

let detectLanguage: LanguageDetector;
let scripted: ScriptedModel;
let endpoint: OpenAiEndpoint;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
  scripted = await startScriptedModel();
  endpoint = connectOpenAi({ baseUrl: scripted.url, connectionsMax: 4, timeoutSeconds: 5 });
}, 60_000);
afterAll(async () => {
  await endpoint.close();
  await scripted.close();
});
beforeEach(() => scripted.setScript({}));

function newAsking(): Asking {
  return {
    limit: createAdaptiveLimit({ concurrencyMax: 4, clock: systemClock, random: Math.random }),
    clock: systemClock,
    random: Math.random,
    attemptsMax: 2,
    serverErrorsMax: 2,
    outageSecondsMax: 5,
  };
}

/** Prefers what stands later in `order`; sees no difference between answers of one entry. */
function ranking(...order: readonly (string | readonly string[])[]): Arbiter & { asked: [string, string][] } {
  const asked: [string, string][] = [];
  const rank = (answer: string): number => order.findIndex((entry) => [entry].flat().includes(answer));
  return {
    asked,
    compare: async () => ({ winner: null, doubt: 'undecided' }),
    isWorse: async () => false,
    clearWinner: async ({ first, second }) => {
      asked.push([first, second]);
      return rank(first) === rank(second) ? null : rank(first) > rank(second) ? 'first' : 'second';
    },
  };
}

function find(arbiter: Arbiter, search: Partial<PairSearch> = {}) {
  const rivals = {
    request: 'r',
    own: 'own',
    improved: 'improved',
    sample: async (variation: number) => `sample ${variation}`,
    length: DEFAULT_LENGTH,
    ...search,
  };
  return findPair(rivals, { arbiter, detectLanguage }, newAsking(), newCallMeter());
}

describe('of a row’s answers', () => {
  test.each([
    ['the best beats the second', ['own', 'improved', 'sample 1'], ['sample 1', 'improved']],
    ['the improved one beats the own', ['own', 'sample 1', 'improved'], ['improved', 'own']],
    ['the own beats the improved one', ['improved', 'sample 1', 'own'], ['own', 'improved']],
    ['the third decides', [['own', 'improved'], 'sample 1'], ['sample 1', 'own']],
    ['the third loses', ['sample 1', ['own', 'improved']], ['own', 'sample 1']],
  ])('%s', async (_, order, [chosen, rejected]) => {
    const arbiter = ranking(...order);

    expect(await find(arbiter)).toEqual({ chosen, rejected });
    expect(arbiter.asked.length).toBeLessThanOrEqual(3);
    // The deciding comparison is between the two.
    expect(arbiter.asked.map((pair) => [...pair].sort())).toContainEqual([chosen, rejected].sort());
  });

  test('there is no pair where no comparison is clear, after three of them', async () => {
    const arbiter = ranking(['own', 'improved', 'sample 1']);

    expect(await find(arbiter)).toBeNull();
    expect(arbiter.asked).toHaveLength(3);
  });

  test('identical ones are held against each other never', async () => {
    const arbiter = ranking('own', 'sample 1');

    expect(await find(arbiter, { improved: ' own\n', sample: async () => 'own' })).toBeNull();
    expect(arbiter.asked).toEqual([]);
    expect(await find(arbiter, { improved: ' own\n' })).toEqual({ chosen: 'sample 1', rejected: 'own' });
  });

  test('three compete also where the row has none of its own', async () => {
    const arbiter = ranking('sample 1', 'improved', 'sample 2');

    expect(await find(arbiter, { own: ' ' })).toEqual({ chosen: 'sample 2', rejected: 'improved' });
  });

  test('one in another language does not compete', async () => {
    const own = 'Go to bed at the same hour every day, and keep all screens out of the bedroom.';
    const improved = 'Gehen Sie jeden Tag zur gleichen Zeit ins Bett und lassen Sie das Telefon draußen.';
    const arbiter = ranking(own, improved, 'sample 1');

    expect(await find(arbiter, { own, improved })).toEqual({ chosen: 'sample 1', rejected: own });
  });

  test('one that cannot be had leaves the others, but an outage ends all', async () => {
    const failing = async () => {
      throw new AskFailure('answer_unusable', 'm');
    };

    expect(await find(ranking('own', 'improved'), { sample: failing })).toEqual({
      chosen: 'improved',
      rejected: 'own',
    });
    const out = async () => {
      throw new ModelOutage('m');
    };
    await expect(find(ranking('own', 'improved'), { sample: out })).rejects.toThrow(ModelOutage);
  });
});

const CARELESS = 'in a bag';
const GOOD =
  'Keep your bread in a paper bag at room temperature for two days. Slice and freeze what you do not eat, and toast it from frozen.';
const ALSO_GOOD =
  'Store your bread in a paper bag at room temperature and eat it within two days. Freeze slices of what is left over.';

async function clearWinner(
  first: string,
  second: string,
  hasJudge: boolean,
  believed?: readonly PairKind[],
): Promise<string | null> {
  const judge = hasJudge ? endpoint.model('scripted') : null;
  const arbiter = createArbiter({
    judge,
    calibration: calibrationOf('scripted', believed),
    embedder: null,
    detectLanguage,
  });
  const request = 'How do I keep my bread fresh?';
  return arbiter.clearWinner({ request, first, second, length: DEFAULT_LENGTH }, newAsking(), newCallMeter());
}

describe('a clear winner', () => {
  test('is the one that a judge names in both orders', async () => {
    expect(await clearWinner(CARELESS, GOOD, true)).toBe('second');
    expect(await clearWinner(GOOD, CARELESS, true)).toBe('first');
  });

  test('is nobody where the judge names what stands in front', async () => {
    scripted.setScript({ judge: 'front' });

    expect(await clearWinner(CARELESS, GOOD, true)).toBeNull();
  });

  test('is not left to a judge that is not believed for the kind of the two', async () => {
    scripted.setScript({ reply: '{"winner":"A"}' });

    expect(await clearWinner(CARELESS, GOOD, true, ['code'])).toBe('second');
  });

  test('needs a margin where there is no judge to trust', async () => {
    expect(await clearWinner(CARELESS, GOOD, false)).toBe('second');
    expect(await clearWinner(GOOD, CARELESS, false)).toBe('first');
    expect(await clearWinner(GOOD, ALSO_GOOD, false)).toBeNull();
    expect(CLEAR_MARGIN).toBeGreaterThanOrEqual(0.5);
  });
});

/** Answers with `replies`, in turn. */
function replying(...replies: string[]): { client: ModelClient; requests: GenerateRequest[] } {
  const requests: GenerateRequest[] = [];
  const client: ModelClient = {
    modelId: 'm',
    async generate(request) {
      requests.push(request);
      const text = replies[requests.length - 1] ?? '';
      return { text, finishReason: 'stop', usage: { input_tokens: 1, output_tokens: 1 } };
    },
  };
  return { client, requests };
}

const ROW = { prompt: 'How do I keep my bread fresh?', completion: CARELESS };

async function adapt(
  row: Record<string, unknown>,
  { client }: { client: ModelClient },
  judge: ModelClient | Arbiter | null,
  overrides: Partial<AdaptationSpecification> = {},
) {
  const arbiter =
    judge !== null && 'isWorse' in judge
      ? judge
      : createArbiter({ judge, calibration: calibrationOf('scripted'), embedder: null, detectLanguage });
  const program = adaptRows({
    specification: specification({ training_type: 'preference_pairs', ...overrides }),
    rewriteModel: client,
    answerModel: client,
    arbiter,
    detectLanguage,
    contextTokensMax: 4096,
    readImageFile: async () => null,
  });
  return program.run(readCells(JSON.stringify(row), program.columns), newAsking(), newCallMeter());
}

describe('a row of a run for preference pairs', () => {
  test('delivers the winner as its completion, and the pair beside it', async () => {
    const answers = replying(GOOD, ALSO_GOOD);

    const verdict = await adapt(ROW, answers, ranking(CARELESS, ALSO_GOOD, GOOD));

    expect(verdict).toMatchObject({
      outcome: 'changed',
      cells: { enhanced_completion: GOOD, chosen: GOOD, rejected: CARELESS },
    });
    const [improving, sampling] = answers.requests;
    const asked = (request: GenerateRequest | undefined): string =>
      JSON.stringify(request?.messages.at(-1)?.content);
    expect(asked(improving)).toContain(CARELESS);
    expect(asked(sampling)).not.toContain(CARELESS);
    expect(sampling?.temperature).toBeGreaterThan(improving?.temperature ?? 1);
    expect(sampling?.seed).not.toBe(improving?.seed);
  });

  test('stays where its own completion wins, and has a pair all the same', async () => {
    const verdict = await adapt(
      { ...ROW, completion: GOOD },
      replying(ALSO_GOOD, 'x'),
      ranking('x', ALSO_GOOD, GOOD),
    );

    expect(verdict).toMatchObject({
      outcome: 'kept',
      reason: { code: 'scored_worse' },
      cells: { enhanced_completion: GOOD, chosen: GOOD, rejected: ALSO_GOOD },
    });
  });

  test('has no pair where the judge names what stands in front: that is said instead of guessed', async () => {
    scripted.setScript({ judge: 'front' });

    const verdict = await adapt(ROW, replying(GOOD, ALSO_GOOD), endpoint.model('scripted'));

    expect(verdict).toMatchObject({
      outcome: 'kept',
      reason: { code: 'no_clear_winner' },
      cells: { chosen: null, rejected: null, enhanced_completion: CARELESS },
    });
  });

  test('is kept for want of a winner where its completion is not beaten either', async () => {
    const undecided: Arbiter = {
      compare: async () => ({ winner: null, doubt: 'undecided' }),
      isWorse: async () => true,
      clearWinner: async () => null,
    };

    const verdict = await adapt(ROW, replying(GOOD, ALSO_GOOD), undecided);

    expect(verdict).toMatchObject({
      outcome: 'kept',
      reason: { code: 'no_clear_winner' },
      cells: { enhanced_completion: CARELESS, chosen: null, rejected: null },
    });
  });

  test('costs few calls', async () => {
    scripted.setScript({});
    const meter = newCallMeter();
    const client = endpoint.model('scripted');
    const program = adaptRows({
      specification: specification({ training_type: 'preference_pairs' }),
      rewriteModel: client,
      answerModel: client,
      arbiter: createArbiter({
        judge: client,
        calibration: calibrationOf('scripted'),
        embedder: null,
        detectLanguage,
      }),
      detectLanguage,
      contextTokensMax: 4096,
      readImageFile: async () => null,
    });

    await program.run(readCells(JSON.stringify(ROW), program.columns), newAsking(), meter);

    expect(meter.calls).toBe(callsPerRow(specification({ training_type: 'preference_pairs' })));
    expect(meter.calls).toBe(6);
  });

  test('parts the reasoning of both answers where it is asked for', async () => {
    const thinking = `<think>They want bread.</think>${CARELESS}`;

    const verdict = await adapt(
      { ...ROW, completion: thinking },
      replying(GOOD, ALSO_GOOD, 'First the bag, then the freezer, since cold keeps bread from going stale.'),
      ranking(thinking, ALSO_GOOD, GOOD),
      { reasoning_traces: true },
    );

    expect(verdict.cells).toMatchObject({ enhanced_completion: GOOD, chosen: GOOD, rejected: CARELESS });
  });

  test('costs what a row of text costs', () => {
    const quoted = quoteAdaptation({
      rowCount: 101,
      specification: specification({ training_type: 'preference_pairs' }),
      evaluationRows: 100,
      modelConcurrency: 4,
    });

    expect(quoted.credits).toBe(2);
  });
});
