import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { findRunDoubts } from '#shared/adaptation/read-doubts.ts';
import { contentOfColumns, type RowMapping } from '#shared/answers/decide/row-mapping.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { mappingHints } from '#shared/datasets/decide/unknown-columns.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import { keyOfMapping, lookMapping, sourceMapping } from './decide/form-columns.ts';
import type { RowDoubts } from './decide/row-doubts.ts';
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
  /** The same, or the append whose rows they are. */
  readonly shown: RunRecord | null;
  /** Names the version of the rows, as keys do. */
  readonly version: string;
  /** Names the rows, with the mapping by which they are read: nothing of them changes while it stays. */
  readonly key: string;
  /** Rows of the source: those that a run added in other languages are none. */
  readonly rows: number;
  readonly mapping: ConfiguredColumnMapping;
  /** Whether the version has the row: not one that was dropped, or that a failed run has not finished. */
  isDelivered(row: number): boolean;
  /** What the witnesses that ask no model have found in these rows; null if they have not looked. */
  readonly found: RunDoubts | null;
  /** The same of rows that no run has adapted, with how it went. */
  readonly doubts: RowDoubts | null;
  /** How probably the answer of a row is wrong, 0 to 1; 0 for one that nobody doubts. */
  doubtOf(row: number): number;
  /** Hands over the texts of those rows that are delivered, in order, with why they are doubted; a few rows in memory. */
  each(rows: readonly number[], use: UseTexts): Promise<void>;
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
    const reading = await mappingOf(ports.objects, dataset, run);
    const { index } = opened;
    const hasDoubts = index.sections.doubt.bytes > 0;
    const [section, found] = await Promise.all([
      readSections(opened, 'outcome', hasDoubts ? 'doubt' : 'outcome'),
      run === null ? (opened.doubts?.found ?? null) : findRunDoubts(ports.objects, run.run_id),
    ]);
    const outcomes = readNumbers(Uint8Array, ...section('outcome'));
    const percents = hasDoubts ? readNumbers(Uint8Array, ...section('doubt')) : null;
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
      shown: opened.run,
      version: opened.version,
      key: run === null ? `${opened.version} ${keyOfMapping(reading.mapping)}` : opened.version,
      rows,
      mapping: reading.mapping,
      isDelivered,
      found,
      doubts: opened.doubts,
      doubtOf: (row) => opened.doubtOf.get(row)?.probability ?? (percents?.[row] ?? 0) / 100,
      each: (wanted, take) => eachTexts(opened, dataset, reading, inOrder(wanted.filter(isDelivered)), take),
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
 * The mapping by which the rows of a version are read, and which of its columns hold conversations: that of its run, or else of the dataset.
 * @throws {ServiceError} `column_mapping_required`
 */
export async function mappingOf(
  objects: Pick<ObjectStore, 'read'>,
  dataset: DatasetRecord,
  run: Pick<RunRecord, 'run_id'> | null,
): Promise<ReadColumns> {
  const reading =
    run === null
      ? contentOf(sourceMapping(dataset, dataset.columns ?? []), dataset)
      : (await readJson(objects, objectKeys.runRequest(run.run_id), RunRequestObject)).specification;
  const { mapping } = reading;
  const isRead = run === null ? lookMapping(dataset) !== null : mapping !== null && hasCompletions(mapping);
  if (mapping !== null && isRead) return { mapping, conversations: reading.conversations };
  if (mapping !== null) {
    throw new ServiceError(
      'column_mapping_required',
      'The rows of this dataset have pairs of answers. A review takes rows with one completion each.',
      { details: [{ path: 'column_mapping', message: 'is required for a review' }] },
    );
  }
  const { listed, hints } = mappingHints(dataset.columns ?? []);
  throw new ServiceError(
    'column_mapping_required',
    [
      'It is not known which columns hold prompts and completions, so there is nothing to review. Adapt the dataset, or upload it with processing_mode "raw" and a column_mapping.',
      ...hints,
    ].join(' '),
    { details: [{ path: 'column_mapping', message: 'is required for a review', available: listed }] },
  );
}

/** How the rows of a version are read. */
type ReadColumns = Pick<RowMapping, 'mapping' | 'conversations'>;

const contentOf = (
  mapping: ConfiguredColumnMapping | null,
  { columns }: DatasetRecord,
): { mapping: ConfiguredColumnMapping | null; conversations?: readonly string[] | undefined } =>
  mapping === null ? { mapping } : { mapping, ...contentOfColumns(mapping, columns ?? []) };

type UseTexts = (row: number, texts: RowTexts, doubt: Doubt | null) => void;

async function eachTexts(
  opened: OpenIndex,
  { dataset_id }: Pick<DatasetRecord, 'dataset_id'>,
  reading: ReadColumns,
  wanted: readonly number[],
  use: UseTexts,
): Promise<void> {
  const { index, objects, version } = opened;
  const reader = rowTextsReader(reading);
  const read = (before: CellsByColumn, after: CellsByColumn | null): RowTexts =>
    reader.read(
      before,
      after === null
        ? null
        : {
            prompt: after.get('enhanced_prompt') ?? null,
            completion: after.get('enhanced_completion') ?? null,
          },
    );
  for (let at = 0; at < wanted.length; at += ROWS_AT_ONCE) {
    const rows = wanted.slice(at, at + ROWS_AT_ONCE);
    const stored = await readRows(opened, rows);
    const isLong = (_: number, place: number): boolean => stored[place]?.size === 'long';
    const long = await readLongRows(opened, rows.filter(isLong));
    for (const [place, row] of rows.entries()) {
      const shown = stored[place] as StoredRow;
      if (shown.size === 'large') {
        const large = await readLargeRow(objects, objectKeys.largeRow(dataset_id, version, row));
        use(row, read(large.before, large.after), shown.doubt);
        continue;
      }
      const whole = long.get(row) ?? shown;
      const after = writtenCells(whole);
      const texts = read(
        byColumn(index.before, whole.before),
        after === null ? null : byColumn(index.after, after),
      );
      use(row, texts, whole.doubt);
    }
  }
}

type CellsByColumn = ReadonlyMap<string, string | null>;

const byColumn = (
  columns: readonly { readonly name: string }[],
  cells: readonly (string | null | [string])[],
): CellsByColumn => new Map(columns.map(({ name }, at) => [name, wholeCell(cells[at] ?? null)]));

/** Reads a row that has an object of its own. */
async function readLargeRow(
  objects: Pick<ObjectStore, 'read'>,
  key: string,
): Promise<{ before: CellsByColumn; after: CellsByColumn | null }> {
  const body = await objects.read(key);
  // As of the other objects of an index: what is left of it is of no use.
  if (body === null) throw Object.assign(new Error(`The object ${key} is gone.`), { name: 'NoSuchKey' });
  const { before, after } = JSON.parse(body.toString('utf8')) as LargeRow;
  const cells = (side: LargeRow['before']): CellsByColumn =>
    new Map(side.map(({ column, text }) => [column, text]));
  return { before: cells(before), after: after === null ? null : cells(after) };
}

/** The rows as they lie in the index. */
const inOrder = (rows: readonly number[]): number[] => [...new Set(rows)].sort((a, b) => a - b);

/** A row that has an object of its own. */
interface LargeRow {
  readonly before: readonly { readonly column: string; readonly text: string }[];
  readonly after: LargeRow['before'] | null;
}

const wholeCell = (cell: string | null | [string]): string | null => (Array.isArray(cell) ? cell[0] : cell);
