import { expect, test } from 'vitest';
import * as z from 'zod';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { askModel } from '#shared/models/decide/ask-model.ts';
import { type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import { ROW_SECONDS_MAX } from '#shared/runs/decide/abandoned-row.ts';
import { rowsToMake } from '#shared/runs/rows-to-make.ts';
import { type RowsProgress, runRows } from '#shared/runs/run-rows.ts';
import { createRowObjects, type RowObjects } from '#test/helpers/row-objects.ts';
import { createVirtualClock, type VirtualClock } from '#test/helpers/virtual-clock.ts';

const TOKENS = 7;
const Result = z.object({
  row: z.int(),
  outcome: z.string(),
  reason: z.object({ code: z.string(), message: z.string() }).optional(),
  tokens: z.object({ input: z.int(), output: z.int() }),
  calls: z.int(),
  seconds: z.number(),
});

interface Setup {
  /** Calls of the model for each row. */
  readonly calls: readonly number[];
  readonly secondsPerCall: number;
  /** The number of calls after which the model does not answer any more. */
  readonly answers?: number;
  readonly stopsAfterSeconds?: number;
}

/** One invocation of 15 minutes, with four rows at once. */
async function invoke(
  clock: VirtualClock,
  objects: RowObjects,
  { calls, secondsPerCall, answers = Infinity, stopsAfterSeconds = Infinity }: Setup,
) {
  const begun = clock.now();
  let given = 0;
  const model: ModelClient = {
    modelId: 'a-model',
    generate: async (_, signal) => {
      await clock.sleep(secondsPerCall * 1000, signal);
      if (given >= answers * TOKENS) throw new ModelError('misconfigured', 'The key was revoked');
      given += TOKENS;
      return { text: 'fine', finishReason: 'stop', usage: { input_tokens: 5, output_tokens: 2 } };
    },
  };
  const limit = createAdaptiveLimit({ concurrencyMax: 4, clock, random: () => 0.5 });
  const { work, ...rows } = rowsToMake({
    lines: calls.map(String),
    budget: { tokens: null, minutes: null, unbilled_tokens: null },
    known: () => ({}),
    parse: (value) => Result.parse(value),
    make: async (line, _, asking, meter) => {
      for (let n = 0; n < Number(line); n += 1) {
        const request = { messages: [{ role: 'user', content: `${n}` }], outputTokensMax: 10 } as const;
        await askModel(model, request as never, ({ text }) => text, asking, meter);
      }
      return { outcome: 'made' };
    },
  });
  let told: RowsProgress | null = null;
  const ended = await clock.run(
    runRows({
      ...rows,
      firstRow: 0,
      objects,
      resultKey: 'run/results/0.jsonl',
      checkpointPrefix: 'run/checkpoints/0/',
      attempt: String(begun),
      clock,
      deadlineMs: begun + 900_000,
      concurrency: 4,
      shouldStop: async () => clock.now() >= begun + stopsAfterSeconds * 1000,
      onProgress: async (progress) => {
        told = progress;
      },
      process: (line, row, signal, abandoned) =>
        work(line, row, {
          limit,
          clock,
          random: () => 0.5,
          attemptsMax: 3,
          serverErrorsMax: 6,
          outageSecondsMax: 240,
          signal,
          abandoned,
          memo: undefined,
        }),
    }).catch((error: Error) => error),
  );
  return { ended, given, told: told as RowsProgress | null };
}

test.each([
  ['at the end of its time', { calls: [3, 8, 8, 8, 8], secondsPerCall: 100 }, 27, 'unfinished'],
  [
    'where the run is stopped',
    { calls: [3, 30, 30, 30, 30], secondsPerCall: 10, stopsAfterSeconds: 95 },
    3,
    'stopped',
  ],
  [
    'where the model is lost',
    { calls: [3, 30, 30, 30, 30], secondsPerCall: 10, answers: 40 },
    3,
    'ModelOutage',
  ],
] as const)(
  'a worker that ends %s has told all tokens that the model gave',
  async (_, setup, billed, ending) => {
    const { ended, given, told } = await invoke(createVirtualClock(), createRowObjects(), setup);

    expect('status' in ended ? ended.status : ended.name).toBe(ending);
    expect(given).toBeGreaterThan(billed * TOKENS);
    expect(told?.tokens).toBe(given);
    expect(told?.unbilledTokens).toBe(given - billed * TOKENS);
  },
);

test('a row that asks the model for longer than an invocation lasts fails alone, and is not worked on again', async () => {
  const [clock, objects] = [createVirtualClock(), createRowObjects()];
  const setup = { calls: [2000, 3, 3, 3], secondsPerCall: 0.6 };

  const first = await invoke(clock, objects, setup);
  const second = await invoke(clock, objects, setup);

  expect(first.told?.unbilledTokens).toBe(first.given - 9 * TOKENS);
  expect(second.given).toBe(0);
  expect(second.ended).toMatchObject({
    status: 'finished',
    results: [
      { outcome: 'failed', reason: { code: 'model_timeout' } },
      { outcome: 'made' },
      { outcome: 'made' },
      { outcome: 'made' },
    ],
  });
});

test('a row that began late, and would end in an invocation of its own, is worked on again', async () => {
  const [clock, objects] = [createVirtualClock(), createRowObjects()];
  const setup = { calls: [2, 2, 2, 2, 7, 7, 7, 7], secondsPerCall: 100 };

  const first = await invoke(clock, objects, setup);
  const second = await invoke(clock, objects, setup);

  expect(7 * setup.secondsPerCall).toBeLessThan(ROW_SECONDS_MAX);
  expect(first.ended).toMatchObject({ status: 'unfinished' });
  expect(second.ended).toMatchObject({
    status: 'finished',
    results: setup.calls.map(() => ({ outcome: 'made' })),
  });
});
