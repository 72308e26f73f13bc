import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { OUTCOMES } from './decide/row-index/row-index.ts';
import { readNumbers } from './decide/row-index/row-table.ts';
import { type StoredRow, writtenCells } from './decide/row-index/stored-row.ts';
import { hasCompletions, type RowTexts, rowTextsReader } from './decide/row-texts.ts';
import {
  type OpenIndex,
  type ReadRowsPorts,
  readLongRows,
  readRows,
  readSections,
  searchTexts,
  withIndex,
} from './read-rows.ts';

/** The rows that reads without a version mean, for those who look at single ones. */
export interface OpenTexts {
  /** The adaptation whose rows these are; null for rows as they came. */
  readonly run: RunRecord | null;
  /** Names the rows: nothing of them changes while it stays. */
  readonly key: string;
  /** Rows of the source: those that a run added in other languages are none. */
  readonly rows: number;
  readonly mapping: ConfiguredColumnMapping;
  /** Whether the version has the row: not one that was dropped, or that a failed run has not finished. */
  isDelivered(row: number): boolean;
  /** Hands over the texts of those rows that are delivered, in order, a few rows in memory. */
  each(rows: readonly number[], use: (row: number, texts: RowTexts) => void): Promise<void>;
  /** The delivered rows with this text in any cell, in any case, as far as one request may search. */
  search(text: string, signal: AbortSignal): Promise<{ rows: number[]; isComplete: boolean }>;
}

/** Rows whose complete cells are in memory at once. */
const ROWS_AT_ONCE = 100;

/**
 * Opens the rows of a dataset that reads without a version mean.
 * @throws {ServiceError} as `listRows`, and `column_mapping_required` if it is not known which texts are reviewed
 */
export async function withTexts<T>(
  ports: ReadRowsPorts,
  dataset: DatasetRecord,
  signal: AbortSignal,
  use: (texts: OpenTexts) => Promise<T>,
): Promise<T> {
  return withIndex(ports, dataset, {}, signal, async (opened) => {
    const run = adaptationOf(opened.run);
    const mapping = await mappingOf(ports.objects, dataset, run);
    const { index } = opened;
    const section = await readSections(opened, 'outcome', 'outcome');
    const outcomes = readNumbers(Uint8Array, ...section('outcome'));
    const added = index.facets.outcome
      .filter(({ value }) => value === 'expanded' || value === 'expansion_failed')
      .reduce((sum, { rows }) => sum + rows, 0);
    const rows = index.total - added;
    const isDelivered = (row: number): boolean => {
      if (row >= rows) return false;
      const outcome = OUTCOMES[(outcomes[row] as number) - 1];
      return outcome !== 'dropped' && !(outcome === 'failed' && run?.status === 'failed');
    };
    return use({
      run,
      key: opened.version,
      rows,
      mapping,
      isDelivered,
      each: (wanted, take) => eachTexts(opened, dataset, mapping, inOrder(wanted.filter(isDelivered)), take),
      async search(text, aborted) {
        const { hits, end } = await searchTexts(opened, {
          search: text,
          first: 0,
          isCandidate: isDelivered,
          bytesMax: ports.searchBytesMax,
          texts: ports.texts,
          signal: aborted,
        });
        const found: number[] = [];
        for (let row = 0; row < rows; row += 1) if (hits[row] === 1 && isDelivered(row)) found.push(row);
        return { rows: found, isComplete: end >= index.total };
      },
    });
  });
}

/**
 * The mapping by which the rows of a version are read: that of its run, or else of the dataset.
 * @throws {ServiceError} `column_mapping_required`
 */
export async function mappingOf(
  objects: Pick<ObjectStore, 'read'>,
  { configured_column_mapping: configured, raw_column_mapping: raw }: DatasetRecord,
  run: Pick<RunRecord, 'run_id'> | null,
): Promise<ConfiguredColumnMapping> {
  const ofDataset = raw === null ? null : { ...raw, context: raw.context ?? [] };
  const mapping =
    run === null
      ? (configured ?? ofDataset)
      : (await readJson(objects, objectKeys.runRequest(run.run_id), RunRequestObject)).specification.mapping;
  if (mapping !== null && hasCompletions(mapping)) return mapping;
  throw new ServiceError(
    'column_mapping_required',
    mapping === null
      ? 'It is not known which columns hold prompts and completions, so there is nothing to review. Adapt the dataset, or upload it with processing_mode "raw" and a column_mapping.'
      : 'The rows of this dataset have pairs of answers. A review takes rows with one completion each.',
    { details: [{ path: 'column_mapping', message: 'is required for a review' }] },
  );
}

async function eachTexts(
  opened: OpenIndex,
  { dataset_id }: Pick<DatasetRecord, 'dataset_id'>,
  mapping: ConfiguredColumnMapping,
  wanted: readonly number[],
  use: (row: number, texts: RowTexts) => void,
): Promise<void> {
  const { index, objects, version } = opened;
  const reader = rowTextsReader(mapping);
  const places = reader.columns.map((name) => [name, index.before.findIndex((each) => each.name === name)]);
  const readBefore = (cells: readonly (string | null)[]) =>
    new Map(places.map(([name, at]) => [name as string, cells[at as number] ?? null]));
  const readAfter = (cells: readonly (string | null)[]) => {
    const cellOf = (name: string) => cells[index.after.findIndex((each) => each.name === name)] ?? null;
    return { prompt: cellOf('enhanced_prompt'), completion: cellOf('enhanced_completion') };
  };
  const take = (row: number, stored: StoredRow): void => {
    const after = writtenCells(stored);
    use(
      row,
      reader.read(
        readBefore(stored.before.map(wholeCell)),
        after === null ? null : readAfter(after.map(wholeCell)),
      ),
    );
  };
  for (let at = 0; at < wanted.length; at += ROWS_AT_ONCE) {
    const rows = wanted.slice(at, at + ROWS_AT_ONCE);
    const stored = await readRows(opened, rows);
    const long = await readLongRows(
      opened,
      rows.filter((_, place) => stored[place]?.size === 'long'),
    );
    for (const [place, row] of rows.entries()) {
      const shown = stored[place] as StoredRow;
      if (shown.size !== 'large') {
        take(row, long.get(row) ?? shown);
        continue;
      }
      const body = await objects.read(objectKeys.largeRow(dataset_id, version, row));
      if (body === null)
        throw Object.assign(new Error('The object of a row is gone.'), { name: 'NoSuchKey' });
      const large = JSON.parse(body.toString('utf8')) as LargeRow;
      const after = new Map(large.after?.map(({ column, text }) => [column, text]));
      use(
        row,
        reader.read(
          new Map(large.before.map(({ column, text }) => [column, text])),
          large.after === null
            ? null
            : {
                prompt: after.get('enhanced_prompt') ?? null,
                completion: after.get('enhanced_completion') ?? null,
              },
        ),
      );
    }
  }
}

/** The rows as they lie in the index. */
const inOrder = (rows: readonly number[]): number[] => [...new Set(rows)].sort((a, b) => a - b);

/** A row that has an object of its own. */
interface LargeRow {
  readonly before: readonly { readonly column: string; readonly text: string }[];
  readonly after: LargeRow['before'] | null;
}

const wholeCell = (cell: string | null | [string]): string | null => (Array.isArray(cell) ? cell[0] : cell);
