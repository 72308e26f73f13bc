import { expect, test } from 'vitest';
import { priceRows } from '#shared/access/decide/prices.ts';
import { billGrowth } from '#shared/growth/bill-growth.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunPipeline } from '#shared/runs/decide/run-kinds.ts';
import { billTraining } from '#shared/training/bill-training.ts';
import { createMemoryObjects } from '#test/helpers/memory-objects.ts';
import { makeCaller, makeDataset, makeRun, NOW } from '#test/helpers/records.ts';
import { makeTraining } from '#test/helpers/training.ts';

const dataset = makeDataset(makeCaller());
const rows = {
  ...{ total: 1000, changed: 30, kept: 500, dropped: 7, failed: 3, not_selected: 0 },
  ...{ expanded: 240, expansion_failed: 5 },
};
const NEW_ROWS = 270;
const report = { rows, tokens: { input: 0, output: 0, calls: 0 }, reported_rows: [], stages: [] };

async function bill(pipeline: RunPipeline, reserved: number, found: Partial<typeof dataset> | null = {}) {
  const run = makeRun(dataset, { pipeline, reserved_credits: reserved });
  const objects = createMemoryObjects();
  await objects.write(objectKeys.report(run.run_id), JSON.stringify(report), 'application/json');
  const datasets = { find: async () => (found === null ? null : { ...dataset, ...found }) };
  return billGrowth({ datasets, objects }, run);
}

test.each([
  ['expand', 'text'],
  ['invent', 'invented'],
  ['augment', 'augmented'],
] as const)('rows that %s adds cost the price of %s', async (pipeline, price) => {
  expect(await bill(pipeline, 10_000)).toEqual({ billedCredits: priceRows(NEW_ROWS, price), counts: rows });
});

test('no more is billed than was reserved', async () => {
  expect((await bill('expand', 2)).billedCredits).toBe(2);
  expect((await bill('augment', 0)).billedCredits).toBe(0);
});

test.each([
  ['gone', null],
  ['without its rows', { manifest_key: null }],
])('nothing is billed for a dataset that is %s', async (_what, found) => {
  expect(await bill('expand', 10_000, found)).toEqual({ billedCredits: 0, counts: null });
});

const unused = {
  datasets: { find: () => Promise.reject(new Error('a run that has ended has its counts')) },
  objects: createMemoryObjects(),
  endRun: () => Promise.reject(new Error('the run has ended')),
};

test('a training is billed by the run that added its rows, and by no other', async () => {
  const adding = makeRun(dataset, {
    pipeline: 'augment',
    status: 'succeeded',
    counts: { ...rows, expanded: 200 },
  });
  const asked: unknown[] = [];
  const runs = {
    find: async (...ids: [string, string]) => {
      asked.push(ids);
      return adding;
    },
  };
  const augmented = { dataset_id: dataset.dataset_id, run_id: adding.run_id };
  const training = makeTraining(dataset, { augmentation_domain_rows: 500, augmented });

  const price = priceRows(200, 'training_augmented');
  expect(await billTraining({ ...unused, runs }, training, NOW)).toEqual({
    billedCredits: price,
    priceBeforeDiscount: price,
  });
  expect(new Set(asked.map(String))).toEqual(new Set([`${dataset.dataset_id},${adding.run_id}`]));
  expect(await billTraining({ ...unused, runs }, { ...training, augmented: null }, NOW)).toEqual({
    billedCredits: 0,
    priceBeforeDiscount: 0,
  });
  expect(asked).toHaveLength(2);
  expect(await billTraining({ ...unused, runs }, { ...training, discount_percent: 100 }, NOW)).toEqual({
    billedCredits: 0,
    priceBeforeDiscount: price,
  });
});

test('rows that are delivered while the run of a training is being ended are billed', async () => {
  const adding = makeRun(dataset, { pipeline: 'augment', status: 'running', reserved_credits: 0 });
  const objects = createMemoryObjects();
  await objects.write(objectKeys.report(adding.run_id), JSON.stringify(report), 'application/json');
  let made = { ...dataset, manifest_key: null as string | null };
  const ports = {
    objects,
    runs: { find: async () => adding },
    datasets: { find: async () => made },
    endRun: async () => {
      made = { ...made, manifest_key: 'delivered meanwhile' };
      return { ...adding, status: 'failed' as const, counts: null };
    },
  };
  const augmented = { dataset_id: dataset.dataset_id, run_id: adding.run_id };
  const training = makeTraining(dataset, { augmentation_domain_rows: 500, augmented });

  expect((await billTraining(ports, training, NOW)).billedCredits).toBe(
    priceRows(rows.expanded, 'training_augmented'),
  );
});
