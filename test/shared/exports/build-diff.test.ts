import { beforeEach, expect, test } from 'vitest';
import { buildDiff } from '#shared/exports/build-diff.ts';
import { DiffIndex } from '#shared/exports/decide/diff/diff-index.ts';
import type { DiffRow } from '#shared/exports/schema/diff.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ExpandPlan } from '#shared/runs/schema/run-context.ts';
import type { ExpansionResult } from '#shared/runs/schema/run-result.ts';
import {
  type ActiveRun,
  adaptRows,
  endRunNow,
  finishBatches,
  linesOf,
  startRunOn,
} from '#test/helpers/active-run.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';
import { adaptVersion, answered, ingestVersion, reload } from '#test/helpers/versions.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const build = (of: { dataset_id: string; team_id: string; from: number; to: number }) =>
  buildDiff({ ...world.store, objects: world.objects }, of);

const jsonl = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Writes the rows that a run has added in other languages: the row of each, its target and its text. */
async function expand(
  { run, batches, context }: ActiveRun,
  made: readonly { readonly row: number; readonly target: number; readonly text: string | null }[],
): Promise<void> {
  const n = batches.length;
  const key = objectKeys.expansionSelection(run.run_id, n);
  const plan: ExpandPlan = {
    ...context,
    n,
    first_row: 0,
    row_count: made.length,
    batch: 0,
    selection_key: key,
  };
  const results = made.map(
    ({ row: source_row, target, text }, row): ExpansionResult => ({
      row,
      source_row,
      target,
      outcome: text === null ? 'failed' : 'expanded',
      ...(text === null ? {} : { cells: { enhanced_prompt: '¿qué?', enhanced_completion: text } }),
      tokens: { input: 1, output: 1 },
      calls: 1,
    }),
  );
  await world.objects.write(objectKeys.expansionPlan(run.run_id), jsonl([plan]), 'application/jsonl');
  await world.objects.write(
    key,
    jsonl(made.map(({ row, target }) => ({ row, target }))),
    'application/jsonl',
  );
  await world.objects.write(objectKeys.result(run.run_id, n), jsonl(results), 'application/jsonl');
}

test('rows that a run added in other languages are compared by their row and language', async () => {
  const owner = await seedTeam(world.store, 1000);
  const dataset = await ingestVersion(world, owner, 3);
  const adapt = async (languages: string[], made: Parameters<typeof expand>[1]) => {
    const language_expansion = { type: 'translate' as const, languages, sample_rate: 1 };
    const active = await startRunOn(world, owner, await reload(world, dataset), {
      request: { language_expansion },
    });
    await finishBatches(world, active);
    await expand(active, made);
    await endRunNow(world, active);
  };
  await adapt(
    ['es'],
    [
      { row: 0, target: 0, text: 'cero' },
      { row: 1, target: 0, text: 'uno' },
    ],
  );
  await adapt(
    ['de', 'es'],
    [
      { row: 0, target: 1, text: 'cero' },
      { row: 1, target: 0, text: 'eins' },
      { row: 1, target: 1, text: 'uno, pues' },
      { row: 2, target: 0, text: null },
    ],
  );
  const { dataset_id, team_id } = dataset;

  expect(await build({ dataset_id, team_id, from: 2, to: 3 })).toEqual({ rows: 6 });

  const rowsOf = (kind: string): Partial<DiffRow>[] =>
    linesOf(world.objects.text(objectKeys.diffRows(dataset_id, 2, 3, kind))).map((line) => JSON.parse(line));
  expect(rowsOf('changed')).toMatchObject([
    { row: 1, target: { language: 'es' }, after: { cells: [{ text: 'uno, pues' }] } },
  ]);
  expect(rowsOf('added')).toMatchObject([{ row: 1, target: { language: 'de', country: null } }]);
  expect(rowsOf('removed')).toEqual([]);
  const index = DiffIndex.parse(JSON.parse(world.objects.text(objectKeys.diffIndex(dataset_id, 2, 3))));
  expect(index.counts).toEqual({ added: 1, removed: 0, changed: 1, unchanged: 4 });
});

test('the same versions give the same bytes', async () => {
  const owner = await seedTeam(world.store, 1000);
  const { dataset_id, team_id } = await ingestVersion(world, owner, 5);
  await adaptVersion(world, owner, { dataset_id }, (row) => answered(row, `better ${row}`));
  const stored = () =>
    world.objects
      .keys()
      .filter((key) => key.startsWith(objectKeys.diff(dataset_id, 1, 2)))
      .map((key) => [key, world.objects.text(key)]);

  await build({ dataset_id, team_id, from: 1, to: 2 });
  const first = stored();
  await build({ dataset_id, team_id, from: 1, to: 2 });

  expect(first).toHaveLength(4);
  expect(stored()).toEqual(first);
});

test('a comparison of another team’s dataset, or of one that is gone, leaves nothing', async () => {
  const owner = await seedTeam(world.store, 1000);
  const { dataset_id, team_id } = await ingestVersion(world, owner, 5);
  await adaptVersion(world, owner, { dataset_id }, (row) => answered(row, `better ${row}`));
  const before = world.objects.keys();

  expect(await build({ dataset_id, team_id: 'another', from: 1, to: 2 })).toEqual({ rows: 0 });
  expect(await build({ dataset_id: 'gone', team_id, from: 1, to: 2 })).toEqual({ rows: 0 });
  expect(await build({ dataset_id, team_id, from: 1, to: 9 })).toEqual({ rows: 0 });
  expect(world.objects.keys()).toEqual(before);
});

test('rows of a kilobyte are compared so fast that 100,000 take less than a tenth of the function’s time', async () => {
  const words = 'word '.repeat(200);
  const active = await adaptRows(world, { rows: 20_000, chunkRows: 5000 }, (row) =>
    answered(row, `better ${row} ${words}`),
  );
  const { dataset, caller } = active;
  await adaptVersion(world, caller, dataset, (row) =>
    answered(row, row % 2 === 0 ? `best ${row} ${words}` : `better ${row} ${words}`),
  );
  const { dataset_id, team_id } = dataset;
  const elapsed = startStopwatch();

  expect(await build({ dataset_id, team_id, from: 2, to: 3 })).toEqual({ rows: 20_000 });

  expect(elapsed() / 1000).toBeLessThan(90 / 5);
  const index = DiffIndex.parse(JSON.parse(world.objects.text(objectKeys.diffIndex(dataset_id, 2, 3))));
  expect(index.counts).toEqual({ added: 0, removed: 0, changed: 10_000, unchanged: 10_000 });
}, 120_000);
