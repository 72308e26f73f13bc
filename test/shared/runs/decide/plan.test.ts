import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchRows, planRun, type RunPlan, shareWorkers, workforceOf } from '#shared/runs/decide/plan.ts';
import type { RowsChunk } from '#shared/tabular/schema/rows-manifest.ts';

const context = { run_id: 'run-1', dataset_id: 'dataset-1', team_id: 'team-1' };

function chunksOf(rowCounts: readonly number[]): RowsChunk[] {
  let first = 0;
  return rowCounts.map((row_count, n) => {
    const chunk = { key: `chunk-${n}`, first_row: first, row_count, bytes: 1 };
    first += row_count;
    return chunk;
  });
}

/** The rows that a plan has processed, in the order of the plan. */
function selectedRows({ batches }: RunPlan): number[] {
  return batches.flatMap((batch) =>
    (batch.selected ?? Array.from({ length: batch.row_count }, (_, place) => place)).map(
      (place) => batch.first_row + place,
    ),
  );
}

const plans = fc.record({
  counts: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }),
  batchRowsMax: fc.integer({ min: 1, max: 70 }),
  maxRows: fc.option(fc.integer({ min: 1, max: 300 })),
  seed: fc.string(),
});
type Drawn = typeof plans extends fc.Arbitrary<infer T> ? T : never;
const planOf = ({ counts, ...options }: Drawn): RunPlan => planRun(context, chunksOf(counts), options);

test('the share of a worker is plans that follow each other, at most 100, and of no more rows than one batch may have, nor of more bytes than a worker holds', () => {
  fc.assert(
    fc.property(plans, (drawn) => {
      const { batches } = planOf(drawn);
      const work = shareWorkers(batches, { rowsMax: drawn.batchRowsMax, bytesOf: () => 1 });
      expect(work.flatMap(({ also = [], ...batch }) => [batch, ...also])).toEqual(batches);
      for (const { row_count, also = [] } of work) {
        const rows = also.reduce((sum, batch) => sum + batch.row_count, row_count);
        expect(rows).toBeLessThanOrEqual(drawn.batchRowsMax);
      }
    }),
  );
  const single = planRun(context, chunksOf(new Array<number>(250).fill(1)), {
    maxRows: null,
    seed: null,
    batchRowsMax: 1000,
  });
  const shares = (bytes: number) =>
    shareWorkers(single.batches, { rowsMax: 1000, bytesOf: () => bytes }).map(
      ({ also = [] }) => 1 + also.length,
    );
  expect(shares(1)).toEqual([100, 100, 50]);
  expect(shares(16 * 1024 * 1024)).toEqual(new Array(250).fill(1));
});

test('a plan has every selected row in exactly one batch, in order', () => {
  fc.assert(
    fc.property(plans, (drawn) => {
      const rows = selectedRows(planOf(drawn));

      expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
    }),
  );
});

test('a plan selects exactly max_rows, or all where there are no more', () => {
  fc.assert(
    fc.property(plans, (drawn) => {
      const total = drawn.counts.reduce((sum, count) => sum + count, 0);
      const plan = planOf(drawn);

      expect(plan.selectedRows).toBe(Math.min(total, drawn.maxRows ?? total));
      expect(selectedRows(plan)).toHaveLength(plan.selectedRows);
    }),
  );
});

test('a plan without a seed selects the first rows', () => {
  const options = { maxRows: 45, seed: null, batchRowsMax: 20 };

  const plan = planRun(context, chunksOf([30, 30, 30]), options);

  expect(selectedRows(plan)).toEqual(Array.from({ length: 45 }, (_, row) => row));
});

test('a plan that has to cover all rows keeps the batches of which none is selected', () => {
  const options = { maxRows: 1, seed: null, batchRowsMax: 20 };

  const part = planRun(context, chunksOf([30, 30]), options);
  const whole = planRun(context, chunksOf([30, 30]), { ...options, coversAllRows: true });

  expect(part.batches.map(({ row_count }) => row_count)).toEqual([20]);
  expect(whole.batches.map(({ row_count, selected }) => [row_count, selected])).toEqual([
    [20, [0]],
    [10, []],
    [20, []],
    [10, []],
  ]);
  expect(whole.selectedRows).toBe(1);
});

test('a plan keeps batches within one chunk and within their length', () => {
  fc.assert(
    fc.property(plans, (drawn) => {
      const chunks = new Map(chunksOf(drawn.counts).map((chunk) => [chunk.key, chunk]));

      for (const batch of planOf(drawn).batches) {
        const chunk = chunks.get(batch.chunk_key);
        expect(batch.row_count).toBeLessThanOrEqual(drawn.batchRowsMax);
        expect(batch.first_line + batch.row_count).toBeLessThanOrEqual(chunk?.row_count ?? 0);
        expect(batch.first_row).toBe((chunk?.first_row ?? 0) + batch.first_line);
      }
    }),
  );
});

test('numbers its batches from 0 without a gap, and none is idle', () => {
  fc.assert(
    fc.property(plans, (drawn) => {
      const { batches } = planOf(drawn);

      expect(batches.map(({ n }) => n)).toEqual(batches.map((_, index) => index));
      for (const { selected, row_count } of batches) {
        expect(selected === null || (selected.length > 0 && selected.length < row_count)).toBe(true);
      }
    }),
  );
});

test('a plan is the same for the same seed, and another for another', () => {
  fc.assert(
    fc.property(plans, (drawn) => {
      expect(planOf(drawn)).toEqual(planOf(drawn));
    }),
  );
  const sample = (seed: string) =>
    selectedRows(planRun(context, chunksOf([1000]), { maxRows: 20, seed, batchRowsMax: 100 }));

  expect(sample('a')).not.toEqual(sample('b'));
});

test('a plan takes its sample from all over the dataset', () => {
  const rows = selectedRows(
    planRun(context, chunksOf([500, 500]), { maxRows: 200, seed: 's', batchRowsMax: 100 }),
  );

  for (const quarter of [0, 250, 500, 750]) {
    const inQuarter = rows.filter((row) => row >= quarter && row < quarter + 250).length;
    expect(inQuarter).toBeGreaterThan(25);
  }
});

test.each([1, 2, 32, 63, 64, 65, 100, 128, 1000])(
  'workers never have more calls open together than the concurrency of %i allows',
  (concurrency) => {
    const { workers, callsPerWorker } = workforceOf(concurrency);

    expect(workers * callsPerWorker).toBeLessThanOrEqual(concurrency);
    expect(workers).toBeGreaterThanOrEqual(1);
    expect(callsPerWorker).toBeGreaterThanOrEqual(1);
    expect(callsPerWorker).toBeLessThanOrEqual(64);
  },
);

test.each([
  [8, 32, 1200],
  [8, 1, 37],
  [1000, 1, 25],
])('workers with rows of %i seconds and %i calls get batches of %i rows', (seconds, callsPerWorker, rows) => {
  expect(batchRows(seconds, { workers: 1, callsPerWorker })).toBe(rows);
});
