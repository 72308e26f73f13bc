import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import type { Arbiter } from '#shared/judging/decide/arbiter.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { connectOpenAi, type OpenAiEndpoint } from '#shared/models/adapters/openai-compatible.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { adaptBatch, type BatchInTests } from '#test/helpers/adapt-batch.ts';
import { countResults, resultsIn } from '#test/helpers/count-results.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { createRowObjects, type RowObjects } from '#test/helpers/row-objects.ts';
import { type Fault, type ScriptedModel, startScriptedModel } from '#test/helpers/scripted-model.ts';
import { specification } from '#test/helpers/specification.ts';

const ROWS = 40;
const lines = Array.from({ length: ROWS }, (_, n) =>
  JSON.stringify({ prompt: `how do i water plant row-${n}`, completion: 'just do it', note: n }),
);

let model: ScriptedModel;
let endpoint: OpenAiEndpoint;

beforeAll(async () => {
  model = await startScriptedModel();
  endpoint = connectOpenAi({ baseUrl: model.url, connectionsMax: 16, timeoutSeconds: 20 });
});

afterAll(async () => {
  await endpoint.close();
  await model.close();
});

const ACCEPT_ALL: Arbiter = {
  compare: async () => ({ winner: null, doubt: 'undecided' }),
};

async function batchOf(
  objects: RowObjects,
  overrides: Partial<BatchInTests> = {},
  arbiter: Arbiter = ACCEPT_ALL,
): Promise<BatchInTests> {
  const clock = createFastClock(50);
  const client = endpoint.model('m');
  return {
    lines,
    objects,
    attempt: 'a',
    clock,
    seconds: 900,
    callsPerWorker: 8,
    outageSecondsMax: 600,
    program: createRowProgram({
      specification: specification(),
      rewriteModel: client,
      answerModel: client,
      arbiter,
      detectLanguage: await loadLanguageDetector(),
      contextTokensMax: 4096,
      readImageFile: async () => null,
      fetchImage: async () => null,
    }),
    ...overrides,
  };
}

async function run(faults: readonly Fault[], overrides: Partial<BatchInTests> = {}) {
  model.setScript({ faults });
  const objects = createRowObjects();
  const end = await adaptBatch(await batchOf(objects, overrides));
  const results = resultsIn(objects);
  return { end: { ...end, counts: countResults(results) }, results, stats: model.stats(), objects };
}

it('a chunk is finished with a result for each row, its tokens and its calls', async () => {
  const { end, results, stats } = await run([]);

  expect(end).toMatchObject({ status: 'finished', counts: { total: ROWS, changed: ROWS, calls: ROWS } });
  expect(results.map(({ row }) => row)).toEqual(lines.map((_, n) => n));
  expect(results[7]).toMatchObject({
    outcome: 'changed',
    cells: { enhanced_prompt: 'how do i water plant row-7' },
    calls: 1,
  });
  expect(results[7]?.tokens.output).toBeGreaterThan(10);
  expect(stats.requests).toBe(ROWS);
});

it.each<[string, Fault]>([
  ['429 without Retry-After', { kind: 'status', status: 429, to: 60, every: 2 }],
  ['429 with Retry-After', { kind: 'status', status: 429, retryAfter: '2', to: 60, every: 2 }],
  ['503', { kind: 'status', status: 503, to: 30, every: 3 }],
  ['resets', { kind: 'reset', to: 30, every: 3 }],
  ['half bodies', { kind: 'half', to: 30, every: 3 }],
  ['an outage at the start', { kind: 'status', status: 500, to: 12 }],
])('a chunk changes every row in spite of %s', async (_, fault) => {
  const { end, stats } = await run([fault]);

  expect(end).toMatchObject({ status: 'finished', counts: { changed: ROWS, failed: 0 } });
  expect(Object.values(stats.faults)[0]).toBeGreaterThan(1);
});

it('a chunk changes every row in spite of stalls', async () => {
  const patient = endpoint;
  endpoint = connectOpenAi({ baseUrl: model.url, connectionsMax: 16, timeoutSeconds: 0.5 });
  try {
    const { end, stats } = await run([{ kind: 'never', to: 8, every: 4 }]);

    expect(end).toMatchObject({ status: 'finished', counts: { changed: ROWS, failed: 0 } });
    expect(Object.values(stats.faults)[0]).toBeGreaterThan(1);
  } finally {
    await endpoint.close();
    endpoint = patient;
  }
});

describe.each<[string, Fault, string]>([
  ['an empty string', { kind: 'empty', contains: 'row-7\n' }, 'answer_unusable'],
  ['garbage', { kind: 'garbage', contains: 'row-7\n' }, 'model_garbage'],
  ['a refusal', { kind: 'status', status: 400, contains: 'row-7\n' }, 'model_rejected'],
  ['413', { kind: 'status', status: 413, contains: 'row-7\n' }, 'row_too_long'],
])('with a row that is always answered with %s', (_, fault, code) => {
  it('a chunk with a row that is never answered well fails only that row where it has no completion of its own, and keeps its text', async () => {
    const unanswered = JSON.stringify({ prompt: 'how do i water plant row-7', completion: ' ' });
    const { end, results } = await run([fault], { lines: lines.with(7, unanswered) });

    expect(end).toMatchObject({ counts: { changed: ROWS - 1, failed: 1 } });
    expect(results[7]).toMatchObject({
      outcome: 'failed',
      reason: { code },
      cells: { enhanced_prompt: 'how do i water plant row-7', enhanced_completion: ' ' },
    });
  });

  it('a chunk with a row that is never answered well corrects the writing of its completion by rules alone where it has one', async () => {
    const { end, results } = await run([fault]);

    expect(end).toMatchObject({ counts: { changed: ROWS, failed: 0 } });
    expect(results[7]).toMatchObject({
      edit: { kind: 'mended', evidence: 'checked', words_kept: 1 },
      cells: { enhanced_prompt: 'how do i water plant row-7', enhanced_completion: 'Just do it.' },
    });
  });
});

it('a chunk ends as model_unavailable when the key is refused, not row by row', async () => {
  await expect(run([{ kind: 'status', status: 401 }])).rejects.toMatchObject({
    name: 'model_unavailable',
    message: expect.stringContaining('MODEL_API_KEY'),
  });
  expect(model.stats().requests).toBeLessThan(ROWS);
});

it('a chunk ends as model_unavailable when the model stays silent', async () => {
  const silent: Fault = { kind: 'status', status: 500 };

  await expect(run([silent], { outageSecondsMax: 30 })).rejects.toMatchObject({
    name: 'model_unavailable',
  });
});

it('a chunk corrects only the writing of a row whose own words a believed judge prefers', async () => {
  model.setScript({});
  const objects = createRowObjects();

  await adaptBatch(await batchOf(objects, {}, { compare: async () => ({ winner: 'first' }) }));

  expect(resultsIn(objects)[7]).toMatchObject({
    outcome: 'changed',
    edit: { kind: 'mended', evidence: 'checked', words_kept: 1 },
    cells: { enhanced_prompt: 'how do i water plant row-7', enhanced_completion: 'Just do it.' },
  });
});

it('a chunk keeps rows with which nothing is wrong, says so, and asks the model nothing about them', async () => {
  const sound = (n: number) => ({
    prompt: `How do I water plant row-${n}?`,
    completion: 'Pour until water runs out below.',
  });
  const { end, results, stats } = await run([], {
    lines: lines.map((line, n) => (n % 2 === 0 ? JSON.stringify(sound(n)) : line)),
  });

  expect(end).toMatchObject({ counts: { kept: ROWS / 2, changed: ROWS / 2, calls: ROWS / 2 } });
  expect(results[8]).toMatchObject({
    outcome: 'kept',
    reason: { code: 'already_good' },
    cells: { enhanced_prompt: sound(8).prompt, enhanced_completion: sound(8).completion },
    tokens: { input: 0, output: 0 },
    calls: 0,
  });
  expect(stats.requests).toBe(ROWS / 2);
});

describe('a chunk whose worker is killed while the model misbehaves', () => {
  const faults = fc.constantFrom<Fault[]>(
    [],
    [{ kind: 'status', status: 429, every: 3, to: 90 }],
    [{ kind: 'reset', every: 4, to: 90 }],
    [{ kind: 'status', status: 500, every: 5, to: 90 }],
  );

  it('a chunk whose worker is killed while the model misbehaves has each row once at the end, and the model was not asked again for a checkpointed row', async () => {
    await fc.assert(
      fc.asyncProperty(
        faults,
        fc.array(fc.integer({ min: 5, max: 60 }), { minLength: 1, maxLength: 3 }),
        async (rules, kills) => {
          model.setScript({ faults: rules, latencyMilliseconds: 4 });
          const objects = createRowObjects();
          let checkpointed = new Set<number>();
          let answeredBefore: Readonly<Record<string, number>> = {};
          const notAskedAgain = () => {
            const { answeredByRow } = model.stats();
            for (const row of checkpointed) {
              expect(answeredByRow[row]).toBe(answeredBefore[row]);
            }
          };
          for (const [n, killAfterMilliseconds] of kills.entries()) {
            let isAlive = true;
            const dying: RowObjects = {
              ...objects,
              write: async (key, body, type) => {
                if (!isAlive) {
                  await new Promise(() => {});
                }
                await objects.write(key, body, type);
              },
            };
            const chunk = await batchOf(dying, { attempt: `life-${n}` });
            const stop = new Promise((resolve) => setTimeout(resolve, killAfterMilliseconds));
            await Promise.race([adaptBatch({ ...chunk, shouldStop: async () => !isAlive }), stop]);
            isAlive = false;
            // What a killed worker has on the wire still arrives.
            await new Promise((resolve) => setTimeout(resolve, 150));
            notAskedAgain();
            checkpointed = new Set(
              [...objects.contents]
                .filter(([key]) => key.startsWith('checkpoints/'))
                .flatMap(([, body]) =>
                  body
                    .trimEnd()
                    .split('\n')
                    .map((line) => (JSON.parse(line) as RunResult).row),
                ),
            );
            answeredBefore = model.stats().answeredByRow;
          }

          const end = await adaptBatch(await batchOf(objects, { attempt: 'last' }));

          notAskedAgain();
          expect(end).toEqual({ status: 'finished' });
          expect(countResults(resultsIn(objects))).toMatchObject({ total: ROWS, changed: ROWS });
          expect(resultsIn(objects).map(({ row }) => row)).toEqual(lines.map((_, n) => n));
        },
      ),
      { numRuns: 12, seed: 7 },
    );
  }, 60_000);
});
