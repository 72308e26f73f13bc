import type { BatchPlan, RunContext } from '#shared/runs/schema/run-context.ts';
import type { RowsChunk } from '#shared/tabular/schema/rows-manifest.ts';
import type { VerdictRecord } from './verdict.ts';

/** Bytes of mended texts in the result of a batch: who reads results holds several of them. */
const MENDED_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Cuts all rows of a dataset into batches: its chunks, and shorter pieces where many long texts were mended.
 * @param verdicts by row
 */
export function planBatches(
  { run_id, dataset_id, team_id }: RunContext,
  chunks: readonly RowsChunk[],
  verdicts: readonly VerdictRecord[],
): BatchPlan[] {
  const batches: BatchPlan[] = [];
  let next = 0;
  for (const chunk of chunks) {
    const end = chunk.first_row + chunk.row_count;
    let first = chunk.first_row;
    const cut = (before: number): void => {
      batches.push({
        run_id,
        dataset_id,
        team_id,
        n: batches.length,
        chunk_key: chunk.key,
        first_line: first - chunk.first_row,
        first_row: first,
        row_count: before - first,
        selected: null,
      });
      first = before;
    };
    let bytes = 0;
    for (; next < verdicts.length && (verdicts[next] as VerdictRecord).row < end; next += 1) {
      const { row, mended_bytes: more = 0 } = verdicts[next] as VerdictRecord;
      if (bytes + more > MENDED_BYTES_MAX && row > first) {
        cut(row);
        bytes = 0;
      }
      bytes += more;
    }
    cut(end);
  }
  return batches;
}
