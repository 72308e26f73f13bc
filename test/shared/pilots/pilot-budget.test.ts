import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { theClock } from '#shared/models/wire.ts';
import { theModels } from '#shared/models/wire-providers.ts';
import type { NextStep } from '#shared/pilots/advance-pilot.ts';
import type { Pilot } from '#shared/pilots/schema/pilot.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { linesOf } from '#test/helpers/active-run.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { invokeTask } from '#test/helpers/handlers.ts';
import { endpointOf, standIn } from '#test/helpers/memory-resources.ts';
import { type Piloted, readPilot, seedQuestions, startPilot } from '#test/helpers/piloting.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const TOKENS_PER_CALL = 20;
const ROWS = 200;
const ARMS = [{ name: 'First' }, { name: 'Second', brand_controls: { length: 'concise' } }];

let world: World;
let use: Use;
let piloted: Piloted;
let calls: number;

/** Writes a better answer to every question. */
const model: ModelClient = {
  modelId: 'a-model',
  generate: async ({ messages }) => {
    calls += 1;
    const shown = messages.map(({ content }) => content).join('\n');
    const town = /town number (\d+)/i.exec(shown)?.[1];
    return {
      text: `Town number ${town} of the valley is known for its old mill, for the market beside the river, and for its bridge.`,
      finishReason: 'stop',
      usage: { input_tokens: 15, output_tokens: TOKENS_PER_CALL - 15 },
    };
  },
};

beforeEach(async () => {
  vi.spyOn(logger, 'info').mockImplementation(() => {});
  vi.spyOn(logger, 'error').mockImplementation(() => {});
  calls = 0;
  world = createWorld(Date.now, [
    standIn(theClock, createFastClock(10)),
    standIn(theModels, endpointOf(model)),
  ]);
  use = world.installed({
    MODEL_ID_REWRITE: 'a-model',
    MODEL_ID_ANSWER: 'a-model',
    MODEL_ID_JUDGE: '',
    MODEL_ID_EMBED: '',
    MODEL_CONCURRENCY: '1',
    MODEL_CONTEXT_TOKENS: '4096',
  });
  piloted = await seedQuestions(world, 300);
});

/** Starts a pilot whose plan allows so many tokens a run. */
async function start(tokens: number): Promise<RunContext> {
  const { caller, dataset } = piloted;
  const limited = { ...caller, plan: { ...caller.plan, tokens_per_run: tokens } };
  return startPilot(world, { caller: limited, dataset }, { arms: ARMS, sample_rows: ROWS });
}

/** Runs a pilot by its deployed tasks, as its state machine does; returns what each worker was and said. */
async function run(context: RunContext): Promise<string[]> {
  const worked: string[] = [];
  const settle = (error: object | null) => invokeTask(use, 'pilot/settle-pilot', { ...context, error });
  try {
    for (let step = 0; ; step += 1) {
      const next = await invokeTask<NextStep>(use, 'pilot/advance-pilot', { ...context, step });
      if (next.worker === 'none') break;
      for (const line of next.chunk_count === 0 ? [] : linesOf(world.objects.text(next.plan_key))) {
        const task = `pilot/${next.worker}-chunk`;
        const { status } = await invokeTask<{ status: string }>(use, task, JSON.parse(line));
        worked.push(`${next.worker} ${status}`);
      }
    }
  } catch (error) {
    const { name, message } = error as Error;
    await settle({ code: name, message, level: 'error' });
    return worked;
  }
  await settle(null);
  return worked;
}

const doneOf = ({ arms }: Pilot): number[] => arms.map(({ rows }) => rows.done);

afterEach(() => {
  vi.restoreAllMocks();
});

test('a pilot whose tokens end in the middle keeps, shows and bills the rows that are done, and no others', async () => {
  const context = await start(3000);

  const worked = await run(context);

  const pilot = await readPilot(world, piloted, context);
  expect(worked.slice(-2)).toEqual(['adapt stopped', 'adapt stopped']);
  // No worker that came after the last token asked the model.
  expect(calls * TOKENS_PER_CALL).toBe(3000);
  expect(pilot).toMatchObject({
    status: 'failed',
    progress: { rows_done: 250, rows_total: 400 },
    arms: [
      { status: 'interrupted', rows: { done: 200 }, against_original: null },
      { status: 'interrupted', rows: { done: 50 }, against_original: null },
    ],
    credits_reserved: 4,
    credits_charged: 3,
  });
  const results = [1, 2].map((arm) =>
    linesOf(world.objects.text(objectKeys.pilotResults(context.run_id, arm))),
  );
  expect(results.map((lines) => lines.length)).toEqual(doneOf(pilot));
  const { team_id } = piloted.caller;
  expect(await world.store.ledger.findBalance(team_id)).toMatchObject({
    available: 997,
    held: 0,
    settled: 3,
  });
  expect(await faultsOf(world.store, team_id)).toEqual([]);
});

test('a pilot whose tokens end in the middle says what it lacks, in place of a recommendation', async () => {
  const context = await start(3000);

  await run(context);

  const { recommendation, error } = await readPilot(world, piloted, context);
  expect(recommendation).toBeNull();
  expect(error?.code).toBe('run_budget_exceeded');
  expect(error?.message).toMatch(/after 3000 tokens; its plan allows 3000 a run \(tokens_per_run\)/);
  expect(error?.message).toContain('no arm is recommended: not all were compared on the whole sample');
  expect(error?.message).toContain('(sample_rows)');
  expect(error?.message).not.toMatch(/downloaded|max_rows/);
});

test('a pilot whose tokens end in the middle stays as it ended where its end is reported twice', async () => {
  const context = await start(3000);
  await run(context);
  const first = await readPilot(world, piloted, context);

  await run(context);

  expect(await readPilot(world, piloted, context)).toEqual(first);
});

test('a pilot with tokens for all of its rows recommends', async () => {
  const context = await start(12_001);

  await run(context);

  const pilot = await readPilot(world, piloted, context);
  expect(doneOf(pilot)).toEqual([200, 200]);
  expect(pilot).toMatchObject({
    status: 'succeeded',
    recommendation: { certainty: 'nothing_shown' },
    credits_charged: 4,
  });
});
