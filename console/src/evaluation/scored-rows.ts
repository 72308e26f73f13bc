import { dataOf, type TunesmithClient } from 'tunesmith';
import type { ScoredRow } from './scales.ts';

/** Rows of a request. */
const PAGE_ROWS = 200;
/** Rows that are looked through at most: each request is up to 1 MiB. */
export const ROWS_READ_MAX = 4000;

export interface ScoredRows {
  readonly rows: readonly ScoredRow[];
  /** Rows that were looked through, from the first one on. */
  readonly read: number;
  readonly total: number;
}

/**
 * Looks through the rows for those with scores of the evaluation's sample. The service has no list of them, so that only the
 * first rows of a large dataset are looked through.
 */
export async function readScoredRows(
  client: TunesmithClient,
  datasetId: string,
  signal: AbortSignal,
): Promise<ScoredRows> {
  const rows: ScoredRow[] = [];
  let read = 0;
  let total = 0;
  let runId: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(client, datasetId, runId, read, signal);
    if (page.rows.length === 0) break;
    for (const { row, score } of page.rows) {
      if (score?.before != null && score.after !== null) {
        rows.push({ row, before: score.before, after: score.after });
      }
    }
    read += page.rows.length;
    ({ total, run_id: runId } = page);
  } while (read < Math.min(total, ROWS_READ_MAX));
  return { rows, read, total };
}

const readPage = (
  client: TunesmithClient,
  datasetId: string,
  runId: string | null,
  offset: number,
  signal: AbortSignal,
) =>
  dataOf(
    client.GET('/api/v1/datasets/{dataset_id}/rows', {
      signal,
      params: {
        path: { dataset_id: datasetId },
        query: { offset, limit: PAGE_ROWS, ...(runId === null ? {} : { run_id: runId }) },
      },
    }),
  );
