import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import type { Arbiter } from '#shared/judging/decide/arbiter.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { connectOpenAi, type OpenAiEndpoint } from '#shared/models/adapters/openai-compatible.ts';
import { type AdaptiveLimit, createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import { adaptBatch } from '#test/helpers/adapt-batch.ts';
import { countResults, resultsIn } from '#test/helpers/count-results.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { createRowObjects } from '#test/helpers/row-objects.ts';
import { type Fault, type ScriptedModel, startScriptedModel } from '#test/helpers/scripted-model.ts';
import { specification } from '#test/helpers/specification.ts';

const CALLS = 8;
const ACCEPT_ALL: Arbiter = {
  compare: async () => ({ winner: null, doubt: 'undecided' }),
};
let model: ScriptedModel;
let endpoint: OpenAiEndpoint;

beforeAll(async () => {
  model = await startScriptedModel();
  endpoint = connectOpenAi({ baseUrl: model.url, connectionsMax: CALLS, timeoutSeconds: 2 });
});

afterAll(async () => {
  await endpoint.close();
  await model.close();
});

/** Requests that rows take of a model that behaves. */
const undisturbed = async (rows: number): Promise<number> => (await run([], rows)).stats.requests;

const linesOf = (rows: number): string[] =>
  Array.from({ length: rows }, (_, n) =>
    JSON.stringify({ prompt: `how do i water plant row-${n}`, completion: 'just do it' }),
  );

async function run(faults: readonly Fault[], rows: number, clock: Clock = createFastClock(20)) {
  model.setScript({ faults });
  const objects = createRowObjects();
  const client = endpoint.model('m');
  const limits: number[] = [];
  let limit: AdaptiveLimit | undefined;
  const end = await adaptBatch({
    lines: linesOf(rows),
    objects,
    attempt: 'a',
    clock,
    seconds: 86_400,
    callsPerWorker: CALLS,
    outageSecondsMax: 3600,
    watch: { rowDone: () => limits.push(limit?.state().limit ?? 0), circuitOpened: () => {} },
    onAsking: (asking) => {
      limit = asking.limit;
    },
    program: createRowProgram({
      specification: specification(),
      rewriteModel: client,
      answerModel: client,
      arbiter: ACCEPT_ALL,
      detectLanguage: await loadLanguageDetector(),
      readImageFile: async () => null,
      fetchImage: async () => null,
      contextTokensMax: 4096,
    }),
  });
  const counts = countResults(resultsIn(objects));
  return { end: { ...end, counts }, limits, limit, stats: model.stats() };
}

describe('against a model that answers 429 to half of its calls for a while', () => {
  test.each([
    ['without Retry-After', {}],
    ['with Retry-After', { retryAfter: '1' }],
  ])(
    'every row is done, with fewer calls at once meanwhile, and all of them afterwards (%s)',
    async (_, how) => {
      const storm: Fault = { kind: 'status', status: 429, every: 2, to: 60, ...how };

      const { end, limits, stats } = await run([storm], 600);

      expect(end).toMatchObject({ status: 'finished', counts: { changed: 600, failed: 0 } });
      expect(stats.faults.status).toBe(30);
      expect(Math.min(...limits)).toBeLessThan(CALLS);
      expect(limits.at(-1)).toBeGreaterThanOrEqual(CALLS - 1);
    },
  );

  test('what it is told to wait is waited: no call comes before', async () => {
    const expected = await undisturbed(40);
    const storm: Fault = { kind: 'status', status: 429, retryAfter: '20', to: CALLS };

    const started = Date.now();
    const { end, stats } = await run([storm], 40);

    // The clock of the worker is twenty times as quick.
    expect(Date.now() - started).toBeGreaterThanOrEqual(950);
    expect(end).toMatchObject({ counts: { changed: 40, failed: 0 } });
    expect(stats.requests).toBe(expected + CALLS);
  });
});

test('a stall is given up after the time of a call, and its row asked again', async () => {
  const expected = await undisturbed(60);
  const { end, stats } = await run([{ kind: 'stall', stallSeconds: 30, to: 3 }], 60);

  expect(end).toMatchObject({ status: 'finished', counts: { changed: 60, failed: 0 } });
  expect(stats.faults.stall).toBe(3);
  expect(stats.requests).toBe(expected + 3);
});

test('a stall shorter than the time of a call costs no second question', async () => {
  const expected = await undisturbed(60);
  const { end, stats } = await run([{ kind: 'stall', stallSeconds: 1, to: 4 }], 60);

  expect(end).toMatchObject({ counts: { changed: 60, failed: 0 } });
  expect(stats.requests).toBe(expected);
});

test('a model that answers nobody is probed by one call at a time, ever more rarely, until it is back', async () => {
  const expected = await undisturbed(60);
  const started = Date.now();

  // Five windows of calls until the circuit opens (8, 6, 4, 3 and 2), and two probes.
  const FAILED = 25;
  const { end, stats, limit } = await run([{ kind: 'status', status: 503, to: FAILED }], 60);

  expect(end).toMatchObject({ counts: { changed: 60, failed: 0 } });
  expect(stats.requests).toBe(expected + FAILED);
  // At least half of 0.1, 0.5, 1, 2, 4, 8 and 16 s of pauses by a clock that is twenty times as quick.
  expect(Date.now() - started).toBeGreaterThanOrEqual(750);
  expect(limit?.state().circuit).toBe('closed');
});

test('the requests of two rows begin alike, so that providers can cache what they share', async () => {
  const asked: string[] = [];
  const client = {
    modelId: 'm',
    generate: async (request: { messages: readonly { role: string; content: string }[] }) => {
      asked.push(JSON.stringify(request.messages));
      const text = 'A better answer for everyone who asks.';
      return { text, finishReason: 'stop' as const, usage: { input_tokens: 1, output_tokens: 1 } };
    },
  };
  const program = createRowProgram({
    specification: specification({ blueprint: 'Be kind.' }),
    rewriteModel: client,
    answerModel: client,
    arbiter: ACCEPT_ALL,
    detectLanguage: await loadLanguageDetector(),
    readImageFile: async () => null,
    fetchImage: async () => null,
    contextTokensMax: 4096,
  });
  const clock = createFastClock(20);
  const limit = createAdaptiveLimit({ concurrencyMax: 1, clock, random: Math.random });
  const asking = {
    limit,
    clock,
    random: Math.random,
    attemptsMax: 1,
    serverErrorsMax: 1,
    outageSecondsMax: 10,
  };
  for (const row of ['first', 'second']) {
    const meter = { calls: 0, seconds: 0, input_tokens: 0, output_tokens: 0 };
    const cells = new Map([
      ['prompt', `how do i plan the ${row} trip`],
      ['completion', `just book the ${row} trip`],
    ]);
    await program.run(cells, asking, meter);
  }

  const [first = '', second = ''] = ['the first trip', 'the second trip'].map(
    (text) => asked.find((request) => request.includes(text)) ?? '',
  );
  expect([first, second]).not.toContain('');
  let shared = 0;
  while (first[shared] === second[shared]) shared += 1;
  expect(first.slice(0, shared)).toContain('Be kind.');
  // All but the row's own block, whose mark is derived from its texts.
  expect(first.slice(0, shared)).toMatch(/<data-[0-9a-f]*$/);
});
