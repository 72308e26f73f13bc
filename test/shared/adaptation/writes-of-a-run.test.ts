import { beforeEach, expect, test } from 'vitest';
import { adaptBatch } from '#shared/adaptation/adapt-batch.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { endAdaptation } from '#shared/lifecycle/end-adaptation.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { noBatchJobs, startRun } from '#test/helpers/active-run.ts';
import { adaptingPorts } from '#test/helpers/adapting-ports.ts';
import { NOW } from '#test/helpers/records.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const CHUNKS = 4;
/** A launch, a plan, an end, and what a worker says of its chunk at its end; progress on the way takes time. */
const WRITES_MAX = 6 + CHUNKS;

let world: World;

beforeEach(() => {
  world = createWorld();
});

const model: ModelClient = {
  modelId: 'a-model',
  generate: async () => ({
    text: 'This is a much better and more complete answer than there was.',
    finishReason: 'stop',
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
};

/** Names of everything that is called of the table's ports and changes something. */
function countWrites(): () => string[] {
  const { datasets, runs, ledger, idempotency } = world.store;
  const written: string[] = [];
  const ports: readonly unknown[] = [datasets, runs, ledger, idempotency];
  for (const port of ports as Record<string, (...args: unknown[]) => unknown>[]) {
    for (const [name, call] of Object.entries(port)) {
      if (/^(find|list|read|require|last)/.test(name)) continue;
      port[name] = (...args) => {
        written.push(name);
        return call(...args);
      };
    }
  }
  return () => written;
}

async function writesOf(rows: number): Promise<string[]> {
  const written = countWrites();
  const { datasets, runs, trainings } = world.store;
  const { objects, endRun } = world;
  const { context, batches } = await startRun(world, {
    rows,
    chunkRows: rows / CHUNKS,
    modelConcurrency: 64,
    request: { recipe_specification: { recipes: { prompt_rephrase: false } } },
  });
  expect(batches).toHaveLength(CHUNKS);
  // Time stands still: what workers write every five seconds grows with time, however many rows there are.
  const clock = createVirtualClock();
  for (const batch of batches) {
    const ports = {
      ...adaptingPorts(world, model, clock),
      runs,
      objects,
      callsPerWorker: 64,
    };
    const invocation = { deadlineMs: clock.now() + 900_000, attempt: 'a' };
    expect(await adaptBatch(ports, batch, invocation)).toEqual({ status: 'finished' });
  }
  const ports = { datasets, runs, trainings, objects, endRun, endBatchJobs: noBatchJobs };
  await assembleRun(ports, context, { now: NOW });
  expect((await endAdaptation(ports, context, null, NOW)).counts?.total).toBe(rows);
  return written();
}

test('a run of ten times the rows in as many chunks writes as many items to the table', async () => {
  const few = await writesOf(200);
  world = createWorld();
  const many = await writesOf(2000);

  expect(many.sort()).toEqual(few.sort());
  expect(many).toContain('recordBatchProgress');
  expect(many.length).toBeLessThanOrEqual(WRITES_MAX);
}, 120_000);
