import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import { findPair, type PairSearch } from '#shared/adaptation/decide/preference-pairs.ts';
import { callsPerRow, quoteAdaptation } from '#shared/adaptation/decide/quote.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import type { AnswerVerifier } from '#shared/adaptation/decide/verify-answer.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { type Arbiter, createArbiter } from '#shared/judging/decide/arbiter.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { connectOpenAi, type OpenAiEndpoint } from '#shared/models/adapters/openai-compatible.ts';
import { systemClock } from '#shared/models/adapters/system-clock.ts';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { AskFailure, type Asking, ModelOutage, newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { GenerateRequest, ModelClient } from '#shared/models/decide/port.ts';
import { blindCalibrationKeyOf } from '#shared/witnesses/decide/blind-calibration.ts';
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
    compare: async ({ first, second }) => {
      asked.push([first, second]);
      if (rank(first) === rank(second)) return { winner: null, doubt: 'undecided' };
      return { winner: rank(first) > rank(second) ? 'first' : 'second' };
    },
  };
}

function find(arbiter: Arbiter, search: Partial<PairSearch> = {}) {
  const rivals = {
    request: 'r',
    own: 'own',
    improved: 'improved',
    sample: async (variation: number) => `sample ${variation}`,
    faultOf: () => null,
    ...search,
  };
  return findPair(rivals, { arbiter, detectLanguage }, newAsking(), newCallMeter());
}

test.each([
  ['the best beats the second', ['own', 'improved', 'sample 1'], ['sample 1', 'improved']],
  ['the improved one beats the own', ['own', 'sample 1', 'improved'], ['improved', 'own']],
  ['the own beats the improved one', ['improved', 'sample 1', 'own'], ['own', 'improved']],
  ['the third decides', [['own', 'improved'], 'sample 1'], ['sample 1', 'own']],
  ['the third loses', ['sample 1', ['own', 'improved']], ['own', 'sample 1']],
])('of a row’s answers: %s', async (_, order, [chosen, rejected]) => {
  const arbiter = ranking(...order);

  expect(await find(arbiter)).toEqual({ chosen, rejected, isJudged: true });
  expect(arbiter.asked.length).toBeLessThanOrEqual(3);
  // The deciding comparison is between the two.
  expect(arbiter.asked.map((pair) => [...pair].sort())).toContainEqual([chosen, rejected].sort());
});

test('of a row’s answers: there is no pair where no comparison is clear, after three of them', async () => {
  const arbiter = ranking(['own', 'improved', 'sample 1']);

  expect(await find(arbiter)).toBeNull();
  expect(arbiter.asked).toHaveLength(3);
});

test('of a row’s answers: identical ones are held against each other never', async () => {
  const arbiter = ranking('own', 'sample 1');

  expect(await find(arbiter, { improved: ' own\n', sample: async () => 'own' })).toBeNull();
  expect(arbiter.asked).toEqual([]);
  expect(await find(arbiter, { improved: ' own\n' })).toMatchObject({
    chosen: 'sample 1',
    rejected: 'own',
  });
});

test('of a row’s answers: three compete also where the row has none of its own', async () => {
  const arbiter = ranking('sample 1', 'improved', 'sample 2');

  expect(await find(arbiter, { own: ' ' })).toMatchObject({ chosen: 'sample 2', rejected: 'improved' });
});

test('of a row’s answers: one in another language does not compete', async () => {
  const own = 'Go to bed at the same hour every day, and keep all screens out of the bedroom.';
  const improved = 'Gehen Sie jeden Tag zur gleichen Zeit ins Bett und lassen Sie das Telefon draußen.';
  const arbiter = ranking(own, improved, 'sample 1');

  expect(await find(arbiter, { own, improved })).toMatchObject({ chosen: 'sample 1', rejected: own });
});

test('of a row’s answers: one that cannot be had leaves the others, but an outage ends all', async () => {
  const failing = async () => {
    throw new AskFailure('answer_unusable', 'm');
  };

  expect(await find(ranking('own', 'improved'), { sample: failing })).toMatchObject({
    chosen: 'improved',
    rejected: 'own',
  });
  const out = async () => {
    throw new ModelOutage('m');
  };
  await expect(find(ranking('own', 'improved'), { sample: out })).rejects.toThrow(ModelOutage);
});

describe('a comparison that fails', () => {
  /** Prefers the second answer, and fails for the comparisons of these numbers, from 1 on. */
  function failingAt(...numbers: readonly number[]): Arbiter {
    let asked = 0;
    return {
      compare: async () => {
        asked += 1;
        if (numbers.includes(asked)) throw new AskFailure('answer_filtered', 'm');
        return { winner: 'second' };
      },
    };
  }

  test('a comparison that fails leaves the pair that others give', async () => {
    expect(await find(failingAt(1))).toMatchObject({ chosen: 'sample 1', rejected: 'own' });
    expect(await find(failingAt(2))).toMatchObject({ chosen: 'improved', rejected: 'own' });
  });

  test('a comparison that fails fails the row where no other gives a pair', async () => {
    await expect(find(failingAt(1, 2, 3))).rejects.toMatchObject({ code: 'answer_filtered' });
  });
});

describe('a check that finds fault', () => {
  const faulty =
    (...answers: string[]) =>
    (answer: string) =>
      answers.includes(answer) ? 'is carelessly written' : null;

  test('a check that finds fault with one of two makes them a pair, and nobody is asked', async () => {
    const arbiter = ranking('improved', 'own');

    expect(
      await find(arbiter, { improved: 'own', sample: async () => 'improved', faultOf: faulty('own') }),
    ).toEqual({ chosen: 'improved', rejected: 'own', isJudged: false });
    expect(arbiter.asked).toEqual([]);
  });

  test('a check that finds fault with the own answer leaves the judge the other two, of which the better one is chosen', async () => {
    const arbiter = ranking('own', 'improved', 'sample 1');

    expect(await find(arbiter, { faultOf: faulty('own') })).toEqual({
      chosen: 'sample 1',
      rejected: 'improved',
      isJudged: true,
    });
    expect(arbiter.asked).toEqual([['improved', 'sample 1']]);
  });

  test('a check that finds fault with a sample rejects that, however the judge would rank it', async () => {
    const arbiter = ranking(['own', 'improved'], 'sample 1');

    expect(await find(arbiter, { faultOf: faulty('sample 1') })).toEqual({
      chosen: 'own',
      rejected: 'sample 1',
      isJudged: false,
    });
  });

  test('a check that finds fault with all of them leaves no pair: the better of two bad answers is no example', async () => {
    const arbiter = ranking('own', 'sample 1', 'improved');

    expect(await find(arbiter, { faultOf: faulty('own', 'improved', 'sample 1') })).toBeNull();
    expect(arbiter.asked).toEqual([]);
  });
});

const CARELESS = 'in a bag';
const GOOD =
  'Keep your bread in a paper bag at room temperature for two days. Slice and freeze what you do not eat, and toast it from frozen.';
const ALSO_GOOD =
  'Store your bread in a paper bag at room temperature and eat it within two days. Freeze slices of what is left over.';

const OTHER =
  'Bread stays fresh for two days in a linen bag, well away from the stove. Whatever is left after that belongs in the freezer.';

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
  verifier: AnswerVerifier | null = null,
) {
  const arbiter =
    judge !== null && 'compare' in judge
      ? judge
      : createArbiter({ judge, calibration: calibrationOf('scripted'), detectLanguage });
  const program = createRowProgram({
    specification: specification({ training_type: 'preference_pairs', ...overrides }),
    rewriteModel: client,
    answerModel: client,
    arbiter,
    verifier,
    detectLanguage,
    contextTokensMax: 4096,
    readImageFile: async () => null,
    fetchImage: async () => null,
  });
  return program.run(readCells(JSON.stringify(row), program.columns), newAsking(), newCallMeter());
}

test('a row of a run for preference pairs delivers the winner as its completion, and the pair beside it', async () => {
  const answers = replying(GOOD, ALSO_GOOD);

  const verdict = await adapt(ROW, answers, ranking(CARELESS, ALSO_GOOD, GOOD));

  expect(verdict).toMatchObject({
    outcome: 'changed',
    cells: { enhanced_completion: GOOD, chosen: GOOD, rejected: CARELESS },
  });
  const [improving, sampling] = answers.requests;
  const asked = (request: GenerateRequest | undefined): string =>
    JSON.stringify(request?.messages.at(-1)?.content);
  expect(asked(improving)).toContain('in a bag');
  expect(asked(sampling)).not.toMatch(/in a bag/i);
  expect(sampling?.temperature).toBeGreaterThan(improving?.temperature ?? 1);
  expect(sampling?.seed).not.toBe(improving?.seed);
});

test('a row of a run for preference pairs that is corrected cannot win it back, whatever the judge prefers', async () => {
  const figures = { asked: 300, right: 300, right_differed: 0, right_confirmed: 0 };
  const believed = { ...figures, wrong: 300, wrong_differed: 300, wrong_confirmed: 300 };
  const critic = replying(
    ...['24', '24'],
    '{"verdict":"wrong","quote":"18","reason":"A spider has eight legs."}',
    '{"verdict":"right","quote":"","reason":""}',
  );
  const calibration = { ...blindCalibrationKeyOf('m'), kinds: { number: believed } };

  const verdict = await adapt(
    { prompt: 'How many legs have three spiders? Reply with the number only.', completion: '18' },
    replying('12', '12', '12'),
    ranking('12', '24', '18'),
    { verification: 'correct' },
    { model: critic.client, calibration },
  );

  expect(verdict).toMatchObject({
    outcome: 'changed',
    edit: { kind: 'corrected' },
    cells: { enhanced_completion: '24', chosen: '24', rejected: '18' },
  });
});

test('a row of a run for preference pairs stays where its own completion wins, and has a pair all the same', async () => {
  const verdict = await adapt(
    { ...ROW, completion: GOOD },
    replying(ALSO_GOOD, 'x'),
    ranking('x', ALSO_GOOD, GOOD),
  );

  expect(verdict).toMatchObject({
    outcome: 'kept',
    reason: { code: 'already_good' },
    cells: { enhanced_completion: GOOD, chosen: GOOD, rejected: ALSO_GOOD },
  });
});

test('a row of a run for preference pairs delivers what a believed judge prefers to its own completion, though nothing is wrong with that', async () => {
  const verdict = await adapt(
    { ...ROW, completion: ALSO_GOOD },
    replying(GOOD, 'x'),
    ranking('x', ALSO_GOOD, GOOD),
  );

  expect(verdict).toMatchObject({
    outcome: 'changed',
    edit: { kind: 'rewritten', evidence: 'judged' },
    cells: { enhanced_completion: GOOD, chosen: GOOD, rejected: ALSO_GOOD },
  });
});

test('a row of a run for preference pairs has no pair where the judge names what stands in front: that is said instead of guessed', async () => {
  scripted.setScript({ judge: 'front' });

  const verdict = await adapt(
    { ...ROW, completion: GOOD },
    replying(ALSO_GOOD, OTHER),
    endpoint.model('scripted'),
  );

  expect(verdict).toMatchObject({
    outcome: 'kept',
    reason: { code: 'no_clear_winner' },
    cells: { chosen: null, rejected: null, enhanced_completion: GOOD },
  });
});

test.each<[string, Arbiter | null]>([
  ['the judge sees no winner', { compare: async () => ({ winner: null, doubt: 'undecided' }) }],
  ['there is no judge to trust', null],
])(
  'a row of a run for preference pairs is kept without a pair where %s and all answers are sound',
  async (_, arbiter) => {
    const verdict = await adapt({ ...ROW, completion: GOOD }, replying(ALSO_GOOD, OTHER), arbiter);

    expect(verdict).toMatchObject({
      outcome: 'kept',
      reason: { code: 'no_clear_winner' },
      cells: { enhanced_completion: GOOD, chosen: null, rejected: null },
    });
  },
);

test('a row of a run for preference pairs has a pair without any judge where only its own completion is faulty', async () => {
  scripted.setScript({ judge: 'front' });
  for (const judge of [null, endpoint.model('scripted')]) {
    expect(await adapt(ROW, replying(GOOD, ALSO_GOOD), judge)).toMatchObject({
      outcome: 'changed',
      edit: { kind: 'rewritten', evidence: 'checked' },
      cells: { enhanced_completion: GOOD, chosen: GOOD, rejected: CARELESS },
    });
  }
});

test('a row of a run for preference pairs costs few calls', async () => {
  scripted.setScript({});
  const meter = newCallMeter();
  const client = endpoint.model('scripted');
  const program = createRowProgram({
    specification: specification({ training_type: 'preference_pairs' }),
    rewriteModel: client,
    answerModel: client,
    arbiter: createArbiter({
      judge: client,
      calibration: calibrationOf('scripted'),
      detectLanguage,
    }),
    detectLanguage,
    contextTokensMax: 4096,
    readImageFile: async () => null,
    fetchImage: async () => null,
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
    ranking(CARELESS, ALSO_GOOD, GOOD),
    { reasoning_traces: true },
  );

  expect(verdict.cells).toMatchObject({ enhanced_completion: GOOD, chosen: GOOD, rejected: CARELESS });
});

test('a row of a run for preference pairs keeps the row’s own answer with its reasoning where it is the chosen one', async () => {
  const thinking = `<think>They want bread.</think>${GOOD}`;

  const verdict = await adapt(
    { ...ROW, completion: thinking },
    replying(ALSO_GOOD, CARELESS, CARELESS),
    ranking(CARELESS, ALSO_GOOD, GOOD),
  );

  expect(verdict).toMatchObject({ outcome: 'kept', cells: { chosen: thinking, rejected: ALSO_GOOD } });
});

test('a row of a run for preference pairs compares the row’s own answer without its reasoning, and writes another from that', async () => {
  const thinking = `<think>They want bread.</think>${GOOD}`;
  const arbiter = ranking(CARELESS, GOOD, ALSO_GOOD);
  const answers = replying(ALSO_GOOD, OTHER);

  const verdict = await adapt({ ...ROW, completion: thinking }, answers, arbiter);

  expect(arbiter.asked.flat()).not.toContain(thinking);
  expect(arbiter.asked.flat()).toContain(GOOD);
  expect(JSON.stringify(answers.requests)).not.toContain('They want bread');
  expect(verdict.cells).toMatchObject({ chosen: ALSO_GOOD, rejected: thinking });
});

test('a row of a run for preference pairs costs what a row of text costs', () => {
  const quoted = quoteAdaptation({
    rowCount: 101,
    specification: specification({ training_type: 'preference_pairs' }),
    evaluationRows: 100,
    modelConcurrency: 4,
  });

  expect(quoted.credits).toBe(2);
});
