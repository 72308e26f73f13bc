import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { showsNoRows } from '#shared/datasets/decide/not-ready.ts';
import { type DatasetRecord, deliveredRunId } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RequireVersionPorts } from '#shared/runs/require-version.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';
import { ScoredRow } from '#shared/runs/schema/row-score.ts';
import { DOWNLOAD_URL_SECONDS } from './decide/download.ts';
import { lookMapping } from './decide/form-columns.ts';
import { nameOfMapping, type RowDoubts } from './decide/row-doubts.ts';
import { fitPage, type RowScores, shownColumns, shownRow } from './decide/row-index/fit-page.ts';
import { withRoles } from './decide/row-index/row-columns.ts';
import {
  type FilteredRows,
  filterRows,
  mayCount,
  type RowIndex,
  type RowNumbers,
  type TableSection,
  valuesOf,
} from './decide/row-index/row-index.ts';
import {
  type Blocks,
  blockIn,
  blockOf,
  rangesOf,
  readNumbers,
  type Section,
} from './decide/row-index/row-table.ts';
import {
  findInTexts,
  foldText,
  hasBits,
  requiredBits,
  SIGNATURE_BYTES,
} from './decide/row-index/search-text.ts';
import { StoredRow } from './decide/row-index/stored-row.ts';
import type { TextCache } from './decide/row-index/text-cache.ts';
import { awaitBuilt, startBuilding } from './export-file.ts';
import { findRead, type NamedRead } from './find-read.ts';
import {
  claimOfRowIndex,
  findIndex,
  indexParts,
  type RowsOf,
  readIndexable,
  versionOf,
} from './index-rows.ts';
import type { RowDetail, RowsPage, RowsQuery } from './schema/rows.ts';
import { readRowDoubts, tellLook } from './tell-look.ts';

export interface ReadRowsPorts extends RequireVersionPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'readRange' | 'presignGet'>;
  readonly claims: Claims;
  /** Starts building an index and returns at once. */
  readonly startIndex: (of: RowsOf) => Promise<void>;
  /** Bytes of text that one search reads, as they are unpacked. */
  readonly searchBytesMax: number;
  readonly texts: TextCache;
}

const ROWS_DEFAULT = 50;
/** Text is read in pieces of about this size, a few at once; less than a gap is read along. */
const READ_BYTES = 4 * 1024 * 1024;
const GAP_BYTES = 512 * 1024;
const READS_AT_ONCE = 6;
/** Seconds after which a search stops, so that one request keeps no function busy. */
const SEARCH_SECONDS = 5;
/** Seconds after which a caller is told to ask again for rows whose index is being built. */
const COME_BACK_SECONDS = 10;

const unpack = promisify(inflateRaw);

export interface ListRowsPorts extends ReadRowsPorts {
  /** Starts to look at rows that no run has adapted, and returns at once. */
  readonly startLook: (of: RowsOf) => Promise<void>;
}

/**
 * Reads a page of a dataset's rows. Builds their index if there is none. Doubted rows that no run has adapted are looked for
 * at the first request for them.
 * @throws {ServiceError} `run_not_found`, `version_not_found`, `no_data_yet`, `dataset_too_large`, `rows_pending` while the index is being built
 */
export async function listRows(
  ports: ListRowsPorts,
  dataset: DatasetRecord,
  query: RowsQuery,
  { signal, now }: { readonly signal: AbortSignal; readonly now: number },
): Promise<RowsPage> {
  return withIndex(ports, dataset, query, signal, async (opened) => {
    const { index, run } = opened;
    const offset = query.offset ?? 0;
    const limit = query.limit ?? ROWS_DEFAULT;
    const reading = readScores(ports.objects, run);
    const { doubts } = opened;
    const starts = query.doubted !== undefined;
    const [scores, { matching, facets, rows, next_row }, looked_at] = await Promise.all([
      reading,
      findRows(opened, query, { offset, limit }, reading, ports, signal),
      tellLook(ports, { dataset, run, rows: index.total, doubts, starts, now }),
    ]);
    const stored = await readRows(opened, rows);
    const page = { ...describeIndex(opened), looked_at, matching, offset, next_row, facets };
    const show = (place: number, characters: number) =>
      shownRow(index, rows[place] as number, stored[place] as StoredRow, scores, characters);
    return { ...page, rows: fitPage(page, show, rows.length) };
  });
}

/**
 * Reads one row, complete.
 * @throws {ServiceError} as `listRows`, and `row_not_found`
 */
export async function readRow(
  ports: ReadRowsPorts,
  dataset: DatasetRecord,
  asked: NamedRead & { readonly row: number },
  signal: AbortSignal,
): Promise<RowDetail> {
  const { row } = asked;
  return withIndex(ports, dataset, asked, signal, async (opened) => {
    const { index, run, version } = opened;
    if (row >= index.total) {
      throw new ServiceError(
        'row_not_found',
        index.total === 0
          ? 'The dataset has no rows.'
          : `The dataset has no row ${row}: its rows are 0 to ${index.total - 1}.`,
      );
    }
    const [scores, [found]] = await Promise.all([readScores(ports.objects, run), readRows(opened, [row])]);
    const whole = found?.size === 'long' ? (await readLongRows(opened, [row])).get(row) : found;
    const stored = whole as StoredRow;
    const key = objectKeys.largeRow(dataset.dataset_id, version, row);
    return {
      ...describeIndex(opened),
      row: shownRow(index, row, stored, scores),
      url:
        stored.size === 'large'
          ? await ports.objects.presignGet(key, DOWNLOAD_URL_SECONDS, `row-${row}.json`, 'application/json')
          : null,
    };
  });
}

/**
 * Sets off the index of a run's rows at its end; nothing waits for it. No run fails because of it: where this fails, or
 * another index of the team is being built, the first request for the rows sets it off.
 */
export async function startRowIndex(
  ports: Pick<ReadRowsPorts, 'claims' | 'startIndex'> & { readonly onFailure: (error: unknown) => void },
  of: RowsOf,
): Promise<void> {
  await beginIndex(ports, of).catch(ports.onFailure);
}

/** Hands the rows to whoever builds their index, unless an index of the team is being built. */
async function beginIndex(ports: Pick<ReadRowsPorts, 'claims' | 'startIndex'>, of: RowsOf): Promise<void> {
  await startBuilding(ports.claims, claimOfRowIndex(of.team_id), () => ports.startIndex(of));
}

export interface OpenIndex {
  readonly index: RowIndex;
  readonly run: RunRecord | null;
  readonly version: string;
  readonly objects: ReadRowsPorts['objects'];
  /** Keys of the objects of the index. */
  readonly keys: ReturnType<typeof indexParts>;
  /** What witnesses said of rows that no run has adapted; null if they have not looked, and for others. */
  readonly doubts: RowDoubts | null;
  /** The doubts of these rows. */
  readonly doubtOf: ReadonlyMap<number, Doubt>;
}

/**
 * Opens the index of a version's rows, and has it built if there is none.
 * @throws {ServiceError} as `listRows`
 */
export async function withIndex<T>(
  ports: ReadRowsPorts,
  dataset: DatasetRecord,
  read: NamedRead,
  signal: AbortSignal,
  use: (opened: OpenIndex) => Promise<T>,
): Promise<T> {
  const { objects } = ports;
  const { dataset_id: datasetId, team_id } = dataset;
  const run = await shownRun(ports, dataset, read);
  const version = versionOf(run?.run_id);
  const of = { dataset_id: datasetId, team_id, ...(run === null ? {} : { run_id: run.run_id }) };
  const pending = new ServiceError(
    'rows_pending',
    `The index of the rows is being built, or waits for another one of the team. Try again in ${COME_BACK_SECONDS} seconds.`,
    { retryAfterSeconds: COME_BACK_SECONDS },
  );
  const index = await awaitBuilt(ports.claims, {
    find: () => findIndex(objects, datasetId, version),
    claim: claimOfRowIndex(team_id),
    start: async () => {
      await readIndexable(objects, datasetId, run);
      await ports.startIndex(of);
    },
    signal,
    pending,
  });
  const keys = indexParts(datasetId, version);
  try {
    const isSource = adaptationOf(run) === null;
    const doubts = isSource ? await doubtsOf(objects, dataset, run) : null;
    const doubtOf = new Map(doubts?.found?.rows.map(({ row, ...doubt }) => [row, doubt]));
    // Rows as they came are indexed once, whatever they are mapped as later.
    const mapped = { ...index, before: withRoles(index.before, dataset.configured_column_mapping) };
    return await use({ index: isSource ? mapped : index, run, version, objects, keys, doubts, doubtOf });
  } catch (error) {
    if ((error as { name?: string }).name !== 'NoSuchKey') throw error;
    // The bucket expires objects one by one: what is left of the index is of no use.
    await beginIndex(ports, of);
    throw pending;
  }
}

/** What is known of rows that no run has adapted, as they are read now. */
async function doubtsOf(
  objects: Pick<ObjectStore, 'read'>,
  dataset: DatasetRecord,
  run: RunRecord | null,
): Promise<RowDoubts | null> {
  const doubts = await readRowDoubts(objects, dataset.dataset_id, run);
  const mapping = lookMapping(dataset);
  return doubts === null || mapping === null || doubts.mapping !== nameOfMapping(mapping) ? null : doubts;
}

/** The adaptation whose rows are shown; null for the rows as they came. */
async function shownRun(
  ports: RequireVersionPorts,
  dataset: DatasetRecord,
  read: NamedRead,
): Promise<RunRecord | null> {
  if (dataset.row_count === null) {
    throw showsNoRows(dataset.state);
  }
  const run = await findRead(ports, dataset, read);
  if (run === undefined) {
    const delivered = deliveredRunId(dataset);
    return delivered === null ? null : ports.runs.find(dataset.dataset_id, delivered);
  }
  if (run?.status === 'running') {
    throw new ServiceError('no_data_yet', 'The run is active. Poll the status until it has ended.');
  }
  return run;
}

/** What every answer says of the rows. */
function describeIndex({ index, run }: OpenIndex): Omit<RowDetail, 'row' | 'url'> {
  return {
    dataset_id: index.dataset_id,
    // Rows that are as they came, also by an append, are of no adaptation.
    run_id: adaptationOf(run) === null ? null : index.run_id,
    status: adaptationOf(run) === null ? null : run?.status === 'failed' ? 'failed' : 'succeeded',
    columns: shownColumns(index),
    columns_total: index.before.length,
    total: index.total,
  };
}

async function readScores(objects: Pick<ObjectStore, 'read'>, run: RunRecord | null): Promise<RowScores> {
  if (run === null) return new Map();
  const rows = await findJson(objects, objectKeys.evaluationRows(run.run_id), ScoredRow.array());
  return new Map(rows?.map(({ row, ...score }) => [row, score]));
}

/** Reads neighbouring sections of the table in one request. */
export async function readSections(
  { index, objects, keys }: OpenIndex,
  first: TableSection,
  last: TableSection,
): Promise<(name: TableSection) => [Uint8Array, number, Section]> {
  const { at: from } = index.sections[first];
  const { at, bytes } = index.sections[last];
  const end = at + bytes;
  const read = end === from ? Buffer.alloc(0) : await objects.readRange(keys.table, from, end - 1);
  return (name) => [read, from, index.sections[name]];
}

type Found = FilteredRows & { readonly next_row: number | null };

async function findRows(
  opened: OpenIndex,
  query: RowsQuery,
  page: { readonly offset: number; readonly limit: number },
  scores: Promise<RowScores>,
  { searchBytesMax, texts }: Pick<ReadRowsPorts, 'searchBytesMax' | 'texts'>,
  signal: AbortSignal,
): Promise<Found> {
  const { index } = opened;
  const { search, scored, doubted, first_row: first = 0 } = query;
  const filters = {
    outcome: query.outcome,
    code: query.code,
    language: query.language,
    length_change: query.length_change,
  };
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  const isPicked = scored !== undefined || doubted !== undefined || search !== undefined;
  if (!isFiltered && !isPicked && first === 0) {
    const count = Math.max(0, Math.min(page.limit, index.total - page.offset));
    const rows = Array.from({ length: count }, (_, place) => page.offset + place);
    return { matching: index.total, facets: index.facets, rows, next_row: null };
  }
  const hasDoubts = doubted !== undefined && index.sections.doubt.bytes > 0;
  const section = await readSections(opened, 'outcome', hasDoubts ? 'doubt' : 'language');
  const numbers: RowNumbers = {
    outcome: readNumbers(Uint8Array, ...section('outcome')),
    length_change: readNumbers(Uint8Array, ...section('length_change')),
    code: readNumbers(Uint16Array, ...section('code')),
    language: readNumbers(Uint16Array, ...section('language')),
  };
  const values = valuesOf(index);
  const isScored = await scoredFilter(scored, scores);
  const doubts = hasDoubts ? readNumbers(Uint8Array, ...section('doubt')) : null;
  const isDoubted = (row: number): boolean =>
    doubted === undefined || (opened.doubtOf.has(row) || (doubts?.[row] ?? 0) > 0) === (doubted === 'true');
  const isWanted = (row: number): boolean => isScored(row) && isDoubted(row);
  if (search === undefined) {
    const range = { first, end: index.total, isCandidate: isWanted };
    return { ...filterRows(numbers, values, filters, range, page), next_row: null };
  }
  const passes = mayCount(numbers, values, filters);
  const { hits, end } = await searchTexts(opened, {
    search,
    first,
    isCandidate: (row) => isWanted(row) && passes(row),
    bytesMax: searchBytesMax,
    texts,
    signal,
  });
  const range = { first, end, isCandidate: (row: number) => hits[row] === 1 && isWanted(row) };
  return {
    ...filterRows(numbers, values, filters, range, page),
    next_row: end < index.total ? end : null,
  };
}

/**
 * Which rows a filter by score lets through. The index cannot tell: it is built while the evaluation works, and never
 * changes.
 */
async function scoredFilter(
  scored: RowsQuery['scored'],
  scores: Promise<RowScores>,
): Promise<(row: number) => boolean> {
  if (scored === undefined) return () => true;
  const [known, wanted] = [await scores, scored === 'true'];
  return (row) => known.has(row) === wanted;
}

/** The blocks of the text that is searched. */
interface TextTable extends Blocks {
  /** Unpacked bytes of each block. */
  readonly sizes: Uint32Array;
  /** False for a block that does not contain the wanted text. */
  readonly mayContain: (block: number) => boolean;
}

async function readTextTable(opened: OpenIndex, wanted: Uint8Array): Promise<TextTable> {
  const bits = requiredBits(wanted);
  const section = await readSections(
    opened,
    'text_blocks',
    bits.length === 0 ? 'text_block_bytes' : 'signatures',
  );
  const [bytes, from] = section('text_block_bytes');
  const signatures = opened.index.sections.signatures.at - from;
  return {
    firstRows: readNumbers(Uint32Array, ...section('text_blocks')),
    ends: readNumbers(Float64Array, ...section('text_block_ends')),
    sizes: readNumbers(Uint32Array, ...section('text_block_bytes')),
    mayContain: (block) => {
      if (bits.length === 0) return true;
      const start = signatures + block * SIGNATURE_BYTES;
      return hasBits(bytes.subarray(start, start + SIGNATURE_BYTES), bits);
    },
  };
}

interface AskedText {
  readonly search: string;
  readonly first: number;
  readonly isCandidate: (row: number) => boolean;
  readonly bytesMax: number;
  readonly texts: TextCache;
  readonly signal: AbortSignal;
}

/** The blocks that one request searches, and the row at which it stops. */
function blocksToSearch(
  { firstRows, sizes, mayContain }: TextTable,
  total: number,
  { first, isCandidate, bytesMax }: Pick<AskedText, 'first' | 'isCandidate' | 'bytesMax'>,
): { blocks: number[]; end: number } {
  const hasCandidate = (from: number, end: number): boolean => {
    for (let row = from; row < end; row += 1) if (isCandidate(row)) return true;
    return false;
  };
  const blocks: number[] = [];
  let read = 0;
  for (const [block, from] of firstRows.entries()) {
    const end = firstRows[block + 1] ?? total;
    if (end <= first || !mayContain(block) || !hasCandidate(from, end)) continue;
    read += sizes[block] as number;
    if (read > bytesMax && blocks.length > 0) return { blocks, end: Math.max(first, from) };
    blocks.push(block);
  }
  return { blocks, end: total };
}

/** Marks the rows whose text contains the wanted one, up to the row where the request has read or worked enough. */
export async function searchTexts(
  opened: OpenIndex,
  asked: AskedText,
): Promise<{ hits: Uint8Array; end: number }> {
  const { objects, keys, index } = opened;
  const deadline = performance.now() + SEARCH_SECONDS * 1000;
  const wanted = Buffer.from(foldText(asked.search), 'utf8');
  const table = await readTextTable(opened, wanted);
  const { firstRows, ends, sizes } = table;
  const { blocks, end } = blocksToSearch(table, index.total, asked);

  const hits = new Uint8Array(index.total);
  const searched = new Set<number>();
  const searchBlock = (block: number, text: Buffer): void => {
    findInTexts(text, wanted, (place) => {
      hits[(firstRows[block] as number) + place] = 1;
    });
    searched.add(block);
  };
  // Every request searches its first block, so that whoever goes on gets to the end.
  const maySearch = (block: number): boolean =>
    block === blocks[0] || !(asked.signal.aborted || performance.now() >= deadline);
  const keyOf = (block: number): string => `${keys.texts} ${block}`;
  const unread = blocks.filter((block) => {
    const text = asked.texts.get(keyOf(block));
    if (text !== undefined && maySearch(block)) searchBlock(block, text);
    return text === undefined;
  });
  const ranges = rangesOf(ends, unread, { gapMax: GAP_BYTES, bytesMax: READ_BYTES });
  let next = 0;
  const work = async (): Promise<void> => {
    for (let range = ranges[next++]; range !== undefined; range = ranges[next++]) {
      if (!maySearch(range.blocks[0] as number)) return;
      const packed = await objects.readRange(keys.texts, range.from, range.to);
      for (const block of range.blocks) {
        if (!maySearch(block)) return;
        const body = blockIn(packed, range.from, ends, block);
        // One piece of the right size: many small ones would have to be joined.
        const text = await unpack(body, { chunkSize: Math.max(64, sizes[block] as number) });
        asked.texts.put(keyOf(block), text);
        searchBlock(block, text);
      }
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  const missed = blocks.find((block) => !searched.has(block));
  return { hits, end: missed === undefined ? end : (firstRows[missed] as number) };
}

/** A row with what it is doubted for: the index of rows that no run has adapted is older than their doubts. */
function withDoubt({ doubtOf }: Pick<OpenIndex, 'doubtOf'>, row: number, stored: StoredRow): StoredRow {
  const doubt = doubtOf.get(row);
  return doubt === undefined ? stored : { ...stored, doubt };
}

/** Reads rows as a page shows them, in the order of their numbers. */
export async function readRows(opened: OpenIndex, rows: readonly number[]): Promise<StoredRow[]> {
  if (rows.length === 0) return [];
  const { objects, keys } = opened;
  const section = await readSections(opened, 'row_blocks', 'row_block_ends');
  const { firstRows, ends }: Blocks = {
    firstRows: readNumbers(Uint32Array, ...section('row_blocks')),
    ends: readNumbers(Float64Array, ...section('row_block_ends')),
  };
  const blocks = [...new Set(rows.map((row) => blockOf(firstRows, row)))];
  const lines = new Map<number, string[]>();
  await forEachAtOnce(rangesOf(ends, blocks, { gapMax: 0, bytesMax: READ_BYTES }), async (range) => {
    const packed = await objects.readRange(keys.rows, range.from, range.to);
    for (const block of range.blocks) {
      const text = await unpack(blockIn(packed, range.from, ends, block));
      lines.set(block, text.toString('utf8').split('\n'));
    }
  });
  return rows.map((row) => {
    const block = blockOf(firstRows, row);
    const line = lines.get(block)?.[row - (firstRows[block] as number)] ?? '';
    return withDoubt(opened, row, StoredRow.parse(JSON.parse(line)));
  });
}

/** Reads the complete form of rows that have more than a page shows, and have no object of their own. */
export async function readLongRows(
  opened: OpenIndex,
  rows: readonly number[],
): Promise<ReadonlyMap<number, StoredRow>> {
  const found = new Map<number, StoredRow>();
  if (rows.length === 0) return found;
  const { objects, keys } = opened;
  const section = await readSections(opened, 'long_blocks', 'long_block_ends');
  const ends = readNumbers(Float64Array, ...section('long_block_ends'));
  const firstRows = readNumbers(Uint32Array, ...section('long_blocks'));
  const wanted = new Set(rows);
  const blocks = [...new Set(rows.map((row) => blockOf(firstRows, row)))].sort((a, b) => a - b);
  await forEachAtOnce(rangesOf(ends, blocks, { gapMax: 0, bytesMax: READ_BYTES }), async (range) => {
    const packed = await objects.readRange(keys.long, range.from, range.to);
    for (const block of range.blocks) {
      for (const line of (await unpack(blockIn(packed, range.from, ends, block)))
        .toString('utf8')
        .split('\n')) {
        const end = line.indexOf(' ');
        const row = end === -1 ? -1 : Number(line.slice(0, end));
        if (wanted.has(row)) {
          found.set(row, withDoubt(opened, row, StoredRow.parse(JSON.parse(line.slice(end + 1)))));
        }
      }
    }
  });
  return found;
}
