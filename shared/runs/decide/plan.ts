import type { RowsChunk } from '#shared/tabular/schema/rows-manifest.ts';
import type { BatchPlan, RunContext } from '../schema/run-context.ts';
import { sampleRows } from './sample-rows.ts';

/** Target time of a worker for its batch of rows, well below the Lambda timeout. */
const BATCH_SECONDS = 300;
const BATCH_ROWS_MIN = 25;
/** Maximum of concurrent calls per worker; beyond this another worker is started. */
const WORKER_CALLS_MAX = 64;

export interface Workforce {
  /** Concurrent workers: `MaxConcurrency` of the map. */
  readonly workers: number;
  /** Concurrent calls of each worker, so that all together stay within the model's concurrency. */
  readonly callsPerWorker: number;
}

/** Splits the installation's model concurrency among workers. */
export function workforceOf(modelConcurrency: number): Workforce {
  const workers = Math.ceil(modelConcurrency / WORKER_CALLS_MAX);
  return { workers, callsPerWorker: Math.max(1, Math.floor(modelConcurrency / workers)) };
}

/**
 * Rows that one worker can finish in five minutes at `secondsPerRow` of model time, and at most its share of `rows`, so
 * that all workers get rows.
 */
export function batchRows(
  secondsPerRow: number,
  workforce: Workforce,
  rows = Number.POSITIVE_INFINITY,
): number {
  const inTime = Math.floor((BATCH_SECONDS * workforce.callsPerWorker) / secondsPerRow);
  return Math.max(BATCH_ROWS_MIN, Math.min(inTime, Math.ceil(rows / workforce.workers)));
}

/** Plans that a worker gets together at most: the input of a state has 256 KiB. */
const PLANS_TOGETHER_MAX = 100;
/** Bytes of the rows that such plans have together at most: a worker may hold them all. */
const BYTES_TOGETHER_MAX = 16 * 1024 * 1024;

/**
 * Gives small plans that follow each other to one worker: each keeps its number, results and checkpoints, but a row or two
 * do not occupy a worker. So a dataset that grew by single rows takes no longer than one that was uploaded at once.
 */
export function shareWorkers<T extends { readonly row_count: number }>(
  plans: readonly T[],
  { rowsMax, bytesOf }: { readonly rowsMax: number; readonly bytesOf: (plan: T) => number },
): (T & { also?: T[] })[] {
  const work: (T & { also?: T[] })[] = [];
  let rows = 0;
  let bytes = 0;
  for (const plan of plans) {
    const last = work.at(-1);
    const together = last === undefined ? 0 : 1 + (last.also?.length ?? 0);
    const own = bytesOf(plan);
    rows += plan.row_count;
    bytes += own;
    const isTooMuch = rows > rowsMax || bytes > BYTES_TOGETHER_MAX || together === PLANS_TOGETHER_MAX;
    if (last === undefined || isTooMuch) {
      work.push({ ...plan });
      rows = plan.row_count;
      bytes = own;
    } else {
      last.also = [...(last.also ?? []), plan];
    }
  }
  return work;
}

export interface RunPlan {
  readonly batches: readonly BatchPlan[];
  /** Rows to process. */
  readonly selectedRows: number;
}

/**
 * Cuts a dataset's chunks into batches for workers. `maxRows` takes a uniform sample, the same for the same seed,
 * or without a seed the first rows; batches without a selected row are left out, unless the results have to cover
 * all rows, and their rows count as `not_selected`.
 */
export function planRun(
  context: RunContext,
  chunks: readonly RowsChunk[],
  options: {
    readonly maxRows: number | null;
    readonly seed: string | null;
    readonly batchRowsMax: number;
    readonly coversAllRows?: boolean;
  },
): RunPlan {
  const total = chunks.reduce((sum, chunk) => sum + chunk.row_count, 0);
  const sample =
    options.maxRows === null || options.maxRows >= total
      ? null
      : options.seed === null
        ? Array.from({ length: options.maxRows }, (_, row) => row)
        : sampleRows(total, options.maxRows, options.seed);
  const batches: BatchPlan[] = [];
  let nextSampled = 0;
  for (const chunk of chunks) {
    for (let line = 0; line < chunk.row_count; line += options.batchRowsMax) {
      const rowCount = Math.min(options.batchRowsMax, chunk.row_count - line);
      const firstRow = chunk.first_row + line;
      let selected: number[] | null = null;
      if (sample !== null) {
        selected = [];
        for (
          let row = sample[nextSampled];
          row !== undefined && row < firstRow + rowCount;
          row = sample[nextSampled]
        ) {
          selected.push(row - firstRow);
          nextSampled += 1;
        }
        if (selected.length === 0 && options.coversAllRows !== true) continue;
        if (selected.length === rowCount) selected = null;
      }
      batches.push({
        run_id: context.run_id,
        dataset_id: context.dataset_id,
        team_id: context.team_id,
        n: batches.length,
        chunk_key: chunk.key,
        first_line: line,
        first_row: firstRow,
        row_count: rowCount,
        selected,
      });
    }
  }
  return { batches, selectedRows: sample?.length ?? total };
}
