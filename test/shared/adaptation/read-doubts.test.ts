import { beforeEach, describe, expect, test } from 'vitest';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { readReport } from '#shared/runs/read-report.ts';
import { resultOf, startRun, writeResults } from '#test/helpers/active-run.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const found = {
  share_wrong: 0.12345,
  looked_at: { execution: 1, neighbours: 5 },
  not_looked_at: 2,
  rows: [],
  asked: [0, 3],
};

/** What the report of a run of eight rows says, of which rows were doubted by so much. */
async function reported(
  recipes: NonNullable<AdaptRequest['recipe_specification']>['recipes'],
  doubts: object | null,
  probabilities: readonly number[] = [],
) {
  const active = await startRun(world, {
    rows: 8,
    request: { recipe_specification: { recipes: { ...recipes } } },
  });
  const { run, context, dataset } = active;
  if (doubts !== null) {
    await world.objects.write(objectKeys.doubts(run.run_id), JSON.stringify(doubts), 'application/json');
  }
  const results = Array.from({ length: 8 }, (_, row) => {
    const probability = probabilities[row];
    return {
      ...resultOf(row),
      ...(probability === undefined ? {} : { doubt: { probability, reasons: [] } }),
    };
  });
  await writeResults(world, objectKeys.result(run.run_id, 0), results);
  const ports = { datasets: world.store.datasets, runs: world.store.runs, objects: world.objects };
  await assembleRun(ports, context, { now: NOW });
  const current = (await world.store.datasets.find(dataset.dataset_id)) ?? dataset;
  return (await readReport({ runs: world.store.runs, objects: world.objects }, current, {}, 'a key')).doubts;
}

describe('what a report says of doubts', () => {
  test('a report counts doubted and doubtful rows, and those that nobody looked at', async () => {
    expect(await reported({}, { ...found, asked: null }, [0.2, 0.5, 0.9])).toEqual({
      doubted: 3,
      doubtful: 2,
      share_wrong: 0.123,
      looked_at: { execution: 1, neighbours: 5 },
      not_looked_at: 2,
    });
  });

  test('a report says of a bounded run how many rows the model was not asked about', async () => {
    const bounded = { verification: 'flag', verification_rows: 2 } as const;

    expect(await reported(bounded, found)).toMatchObject({ not_asked: 6 });
    expect(await reported(bounded, null)).toMatchObject({ not_asked: 8 });
  });

  test('a report says that nobody looked at any row where the search for doubts failed', async () => {
    expect(await reported({}, null)).toEqual({
      doubted: 0,
      doubtful: 0,
      share_wrong: null,
      looked_at: { execution: 0, neighbours: 0 },
      not_looked_at: 8,
    });
  });

  test('a report says nothing of doubts where they are off', async () => {
    expect(await reported({ verification: 'off' }, null)).toBeUndefined();
  });
});
