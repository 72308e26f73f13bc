import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BATCH_PASSES_MAX, type BatchJob, type BatchState } from '#shared/adaptation/decide/batch-jobs.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { type Batching, betterAnswer, type Ended, seedRows, startBatching } from '#test/helpers/batching.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let batching: Batching;

beforeEach(async () => {
  world = createWorld(() => NOW);
  owner = await seedTeam(world.store, 1000);
  batching = await startBatching(world, owner);
});
afterEach(() => batching.close());

const singly: Partial<AdaptRequest> = { job_specification: {} };
const cellsOf = ({ results }: Ended) =>
  results.map(({ row, outcome, cells, edit }) => ({ row, outcome, cells, edit }));
const stateOf = (runId: string): BatchState => JSON.parse(world.objects.text(objectKeys.batchState(runId)));
const singleRows = (): number[] =>
  [
    ...new Set(
      batching.single.map(({ messages }) =>
        Number(/(?:question|answer) (\d+)/.exec(messages.map(({ content }) => content).join('\n'))?.[1]),
      ),
    ),
  ].sort((a, b) => a - b);

/** Tokens at the provider's price: half for those of batch jobs. */
const metered = ({ report: { tokens, batched } }: Ended): number => {
  const all = tokens.input + tokens.output;
  return all - ((batched?.input ?? 0) + (batched?.output ?? 0)) / 2;
};

/** A run without batch jobs on rows of its own. */
async function runSingly(rows: number): Promise<Ended> {
  const launched = await batching.launch(await seedRows(world, owner, rows, 500), singly);
  const ended = await batching.finish(launched);
  batching.single.length = 0;
  // Another team has no recorded calls of these rows.
  owner = await seedTeam(world.store, 1000);
  await batching.close();
  batching = await startBatching(world, owner);
  return ended;
}

test('a run of 2,000 rows in batch jobs gives the rows of single calls, at half the metered price', async () => {
  const single = await runSingly(2000);
  const launched = await batching.launch(await seedRows(world, owner, 2000, 500));
  const steps = await batching.process(launched);
  const batched = await batching.finish(launched);

  expect(cellsOf(batched)).toEqual(cellsOf(single));
  expect(single.results.every(({ outcome }) => outcome === 'changed')).toBe(true);
  expect(batching.single).toHaveLength(0);
  expect(batched.report.tokens).toEqual(single.report.tokens);
  expect(metered(batched)).toBe(metered(single) / 2);
  expect(batched.report.batched).toEqual(batched.report.tokens);
  expect(single.run).toMatchObject({ reserved_credits: 20, settled_credits: 20 });
  expect(batched.run).toMatchObject({ reserved_credits: 10, settled_credits: 10 });
  // The prompt, then the answer, and a pass that finds nothing left.
  expect(steps.map(({ status }) => status)).toEqual([
    'collect',
    'wait',
    'collect',
    'wait',
    'collect',
    'done',
  ]);
  expect(batching.stand.batches().map(({ calls }) => calls)).toEqual([2000, 2000]);
  expect(batching.stand.files()).toEqual([]);
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
}, 60_000);
