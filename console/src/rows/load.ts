import { dataOf, type Schemas, type TunesmithClient } from 'tunesmith';
import type { RowFilters } from './filters.ts';
import { PAGE_ROWS, type PagePlace, type Row, type RowsPage } from './pages.ts';

type Query = {
  run_id?: string;
  version?: number;
  outcome?: NonNullable<Row['outcome']>;
  code?: string;
  language?: string;
  length_change?: NonNullable<Row['length_change']>;
  doubted?: 'true' | 'false';
  search?: string;
  first_row?: number;
  offset?: number;
  limit?: number;
};

/** What is looked at: a dataset, one of its runs or versions or the one that the service shows, and filters. */
export interface RowsOf {
  readonly datasetId: string;
  readonly runId: string | null;
  /** Null where a run is named, and for what the service shows. */
  readonly version: number | null;
  readonly filters: RowFilters;
}

/** The filters as the service takes them. It says itself which of their values it does not know. */
const queryOf = ({ runId, version, filters }: RowsOf): Query =>
  Object.fromEntries(
    Object.entries({ run_id: runId, version, ...filters }).filter(
      ([, value]) => value !== null && value !== '',
    ),
  );

function readPage(
  client: TunesmithClient,
  of: RowsOf,
  page: Pick<Query, 'first_row' | 'offset' | 'limit'>,
  signal: AbortSignal,
): Promise<RowsPage> {
  return dataOf(
    client.GET('/api/v1/datasets/{dataset_id}/rows', {
      signal,
      params: { path: { dataset_id: of.datasetId }, query: { ...queryOf(of), ...page } },
    }),
  );
}

/** Searches the rows from `firstRow` on: how many match, and the first of them. */
export function searchRows(
  client: TunesmithClient,
  of: RowsOf,
  firstRow: number | null,
  signal: AbortSignal,
): Promise<RowsPage> {
  return readPage(
    client,
    of,
    { limit: PAGE_ROWS, ...(firstRow === null ? {} : { first_row: firstRow }) },
    signal,
  );
}

/** Milliseconds that a page is seen before it is asked for: pages that are scrolled past are not asked for at all. */
const SEEN_MS = 80;

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });

/** Reads a page of rows. An answer that ended early, because its rows are long, is gone on with. */
export async function loadRows(
  client: TunesmithClient,
  of: RowsOf,
  place: PagePlace,
  signal: AbortSignal,
): Promise<Row[]> {
  await pause(SEEN_MS, signal);
  const rows: Row[] = [];
  while (rows.length < place.limit) {
    const { rows: more } = await readPage(
      client,
      of,
      {
        offset: place.offset + rows.length,
        limit: place.limit - rows.length,
        ...(place.firstRow === null ? {} : { first_row: place.firstRow }),
      },
      signal,
    );
    if (more.length === 0) break;
    rows.push(...more);
  }
  return rows;
}

/** The place of a row among those that match; null if it is not among them, or if not all were searched. */
export async function placeOfRow(
  client: TunesmithClient,
  of: RowsOf,
  row: number,
  matching: number,
  signal: AbortSignal,
): Promise<number | null> {
  const from = await readPage(client, of, { first_row: row, limit: 1 }, signal);
  return from.next_row === null && from.rows[0]?.row === row ? matching - from.matching : null;
}

type Detail = Schemas['RowDetail'];

export function loadRow(
  client: TunesmithClient,
  { datasetId, runId, version }: Pick<RowsOf, 'datasetId' | 'runId' | 'version'>,
  row: number,
  signal: AbortSignal,
): Promise<Detail> {
  return dataOf(
    client.GET('/api/v1/datasets/{dataset_id}/rows/{row}', {
      signal,
      params: {
        path: { dataset_id: datasetId, row: String(row) },
        query: {
          ...(runId === null ? {} : { run_id: runId }),
          ...(version === null ? {} : { version }),
        },
      },
    }),
  );
}

/** Reads the cells of a row that is too long for an answer of the service from where they lie. The key stays here. */
export async function loadLongRow(url: string, signal: AbortSignal): Promise<Pick<Row, 'before' | 'after'>> {
  const answer = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  if (!answer.ok) {
    throw new Error(
      `The storage answered with status ${answer.status}. The link works for 15 minutes: close the row and open it again.`,
    );
  }
  return (await answer.json()) as Pick<Row, 'before' | 'after'>;
}
