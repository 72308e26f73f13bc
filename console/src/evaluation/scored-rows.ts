import { dataOf, type TunesmithClient } from 'tunesmith';
import type { ScoredRow } from './scales.ts';

/** Rows of a request. */
const PAGE_ROWS = 200;
/** Scored rows that are read at most: a request of up to 1 MiB brings 200 of them, or fewer if they are long. */
export const SCORED_ROWS_MAX = 1000;

export interface ScoredRows {
  /** Those of the rows read that have scores before and after. */
  readonly rows: readonly ScoredRow[];
  /** Rows of the evaluation's sample that were read, from the first one on. */
  readonly read: number;
  /** Rows of the evaluation's sample. */
  readonly sampled: number;
}

/** Reads the rows of the evaluation's sample, which have scores, in their order; of a large sample the first ones. */
export async function readScoredRows(
  client: TunesmithClient,
  datasetId: string,
  signal: AbortSignal,
): Promise<ScoredRows> {
  const rows: ScoredRow[] = [];
  let read = 0;
  let sampled = 0;
  let runId: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(client, datasetId, runId, read, signal);
    ({ matching: sampled, run_id: runId } = page);
    if (page.rows.length === 0) break;
    for (const { row, score } of page.rows) {
      if (score?.before != null && score.after !== null) {
        rows.push({ row, before: score.before, after: score.after });
      }
    }
    read += page.rows.length;
  } while (read < Math.min(sampled, SCORED_ROWS_MAX));
  return { rows, read, sampled };
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
        query: {
          scored: 'true',
          offset,
          limit: Math.min(PAGE_ROWS, SCORED_ROWS_MAX - offset),
          ...(runId === null ? {} : { run_id: runId }),
        },
      },
    }),
  );
