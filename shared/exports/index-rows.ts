import { addedBy } from '#shared/adaptation/decide/added-columns.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { requireAdaptation } from '#shared/adaptation/require-adaptation.ts';
import { type MaterialReader, materialReader } from '#shared/answers/decide/row-material.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { readJson, readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { isDelivered } from '#shared/runs/decide/outcomes.ts';
import { adaptationOf, manifestKeyOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { ExpansionSelection, type ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import { BatchPlan } from '#shared/runs/schema/run-context.ts';
import { ExpansionResult, RunResult } from '#shared/runs/schema/run-result.ts';
import { adaptedColumns } from '#shared/tabular/decide/export-columns.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { deliveredRows, readExpansion } from './build-export.ts';
import {
  addedRow,
  languageOf,
  lengthChangeOf,
  sourceRow,
  uploadedRow,
} from './decide/row-index/describe-row.ts';
import { IndexWriter, type Packed, type RowToIndex } from './decide/row-index/index-writer.ts';
import { requireIndexable } from './decide/row-index/indexable.ts';
import { joinOutcomes } from './decide/row-index/join-outcomes.ts';
import { sourceColumnsOf, writtenColumnsOf } from './decide/row-index/row-columns.ts';
import { RowIndex } from './decide/row-index/row-index.ts';
import { buildClaimed } from './export-file.ts';
import { ObjectWriter, type PartedObjects } from './write-object.ts';

export interface IndexRowsPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: PartedObjects & Pick<ObjectStore, 'read' | 'head' | 'list' | 'remove'>;
  readonly claims: Pick<Claims, 'renew' | 'release'>;
  readonly loadDetector: () => Promise<LanguageDetector>;
}

export interface RowsOf {
  readonly dataset_id: string;
  readonly team_id: string;
  /** The adaptation whose rows are meant; absent for the rows as they came. */
  readonly run_id?: string | undefined;
}

/** The version of a dataset's rows, as keys name it. */
export const versionOf = (runId: string | null | undefined): string => runId ?? 'source';

/** The claim of the process that builds an index: one at a time for each team, whatever it asks for. */
export const claimOfRowIndex = (teamId: string): string => `row index of ${teamId}`;

/** Errors that no repetition mends; whoever asks for the rows is told them. */
const LASTING: readonly string[] = ['run_not_found', 'dataset_too_large'];

const OCTETS = 'application/octet-stream';

/**
 * Writes the index of a dataset's rows, before and after a run, or as they came. The results of the run must be final.
 * Memory does not depend on the text of the rows. Idempotent: an index that is there is left, and the same rows give the
 * same bytes. Rows that are gone, or go meanwhile, have no index, nor have too many, and that is no failure.
 */
export async function indexRows(ports: IndexRowsPorts, of: RowsOf): Promise<{ rows: number }> {
  return buildClaimed(ports.claims, claimOfRowIndex(of.team_id), () => indexIfMissing(ports, of));
}

async function indexIfMissing(ports: IndexRowsPorts, of: RowsOf): Promise<{ rows: number }> {
  try {
    const dataset = await ports.datasets.find(of.dataset_id);
    if (dataset === null || dataset.team_id !== of.team_id) return { rows: 0 };
    const run = of.run_id === undefined ? null : await requireAdaptation(ports.runs, dataset, of.run_id);
    const there = await findWholeIndex(ports.objects, of);
    if (there !== null) return { rows: there.total };
    return { rows: await writeUnlessGone(ports, dataset, run) };
  } catch (error) {
    if (error instanceof ServiceError && LASTING.includes(error.code)) return { rows: 0 };
    throw error;
  }
}

/** The keys of the objects that an index consists of, besides the one that completes it. */
export const indexParts = (datasetId: string, version: string) => ({
  rows: objectKeys.indexedRows(datasetId, version),
  texts: objectKeys.indexedTexts(datasetId, version),
  long: objectKeys.longRows(datasetId, version),
  table: objectKeys.rowTable(datasetId, version),
});

/** The object that completes an index; null without one, and for one that an older version of the service wrote. */
export async function findIndex(
  objects: Pick<ObjectStore, 'read'>,
  datasetId: string,
  version: string,
): Promise<RowIndex | null> {
  const body = await objects.read(objectKeys.rowIndex(datasetId, version));
  return body === null ? null : (RowIndex.safeParse(JSON.parse(body.toString('utf8'))).data ?? null);
}

/** The index, if all of it is there: the bucket expires objects one by one. */
async function findWholeIndex(
  objects: Pick<ObjectStore, 'read' | 'head'>,
  { dataset_id: datasetId, run_id: runId }: RowsOf,
): Promise<RowIndex | null> {
  const version = versionOf(runId);
  const index = await findIndex(objects, datasetId, version);
  if (index === null) return null;
  const parts = Object.values(indexParts(datasetId, version));
  const found = await Promise.all(parts.map((key) => objects.head(key)));
  return found.includes(null) ? null : index;
}

/**
 * Reads what rows there are to index.
 * @throws {ServiceError} `dataset_too_large` if they are more than one function can index
 */
export async function readIndexable(
  objects: Pick<ObjectStore, 'read'>,
  datasetId: string,
  run: RunRecord | null,
): Promise<RowsManifest> {
  const adaptation = adaptationOf(run);
  const [manifest, added] = await Promise.all([
    readJson(objects, manifestKeyOf(datasetId, run), RowsManifest),
    adaptation === null ? [] : readExpansion(objects, adaptation.run_id),
  ]);
  requireIndexable(
    manifest,
    added.reduce((sum, { row_count }) => sum + row_count, 0),
  );
  return manifest;
}

async function writeUnlessGone(
  ports: IndexRowsPorts,
  dataset: DatasetRecord,
  run: RunRecord | null,
): Promise<number> {
  const { dataset_id: datasetId } = dataset;
  const isGone = async (): Promise<boolean> => {
    const found = await ports.datasets.find(datasetId);
    const current = run === null ? null : await ports.runs.find(datasetId, run.run_id);
    if (found !== null && current?.results_deleted_at === undefined) return false;
    // The deletion has listed the objects before.
    await removeIndex(ports.objects, datasetId, versionOf(run?.run_id));
    return true;
  };
  let rows: number;
  try {
    rows = await writeIndex(ports, dataset, run);
  } catch (error) {
    // The deletion takes what is being read.
    if (await isGone()) return 0;
    throw error;
  }
  return (await isGone()) ? 0 : rows;
}

async function removeIndex(
  objects: Pick<ObjectStore, 'list' | 'remove'>,
  datasetId: string,
  version: string,
): Promise<void> {
  const keys: string[] = [];
  for await (const key of objects.list(objectKeys.rowIndexOf(datasetId, version))) keys.push(key);
  if (keys.length > 0) await objects.remove(keys);
}

async function writeIndex(
  { objects, loadDetector }: IndexRowsPorts,
  { dataset_id: datasetId, configured_column_mapping: mapping }: DatasetRecord,
  delivered: RunRecord | null,
): Promise<number> {
  const version = versionOf(delivered?.run_id);
  const manifest = await readIndexable(objects, datasetId, delivered);
  const run = adaptationOf(delivered);
  const reading = await readingOf(objects, manifest, mapping, run);
  const index = new IndexWriter(reading.before, reading.after);
  const keys = indexParts(datasetId, version);
  const writers = {
    rows: new ObjectWriter(objects, keys.rows, OCTETS),
    texts: new ObjectWriter(objects, keys.texts, OCTETS),
    long: new ObjectWriter(objects, keys.long, OCTETS),
    table: new ObjectWriter(objects, keys.table, OCTETS),
  };
  const append = async ({ rows, texts, long, large }: Packed): Promise<void> => {
    if (rows !== undefined) await writers.rows.write(rows);
    if (texts !== undefined) await writers.texts.write(texts);
    if (long !== undefined) await writers.long.write(long);
    if (large !== undefined) {
      await objects.write(objectKeys.largeRow(datasetId, version, large.row), large.body, 'application/json');
    }
  };
  try {
    const detect = await loadDetector();
    for await (const row of rowsOf(objects, manifest, run, reading, detect)) {
      const packed = index.add(row);
      if (Object.keys(packed).length > 0) await append(packed);
    }
    await append(index.end());
    const { table, index: written } = index.finish({ dataset_id: datasetId, run_id: run?.run_id ?? null });
    for (const part of table) await writers.table.write(part);
    for (const writer of Object.values(writers)) await writer.end();
    const key = objectKeys.rowIndex(datasetId, version);
    await objects.write(key, JSON.stringify(written), 'application/json');
    return written.total;
  } catch (error) {
    await Promise.all(Object.values(writers).map((writer) => writer.abandon()));
    throw error;
  }
}

interface Reading {
  readonly before: ReturnType<typeof sourceColumnsOf>;
  readonly after: ReturnType<typeof writtenColumnsOf>;
  /** The prompt and the completion that a row came with, and the columns that say so. */
  readonly original: Pick<MaterialReader, 'columns' | 'original'>;
  readonly expansion: ResolvedExpansion | null;
}

/** How the rows of a version are read: by the mapping of its run, or else of the dataset. */
async function readingOf(
  objects: Pick<ObjectStore, 'read'>,
  { columns }: RowsManifest,
  mapping: ConfiguredColumnMapping | null,
  run: RunRecord | null,
): Promise<Reading> {
  if (run === null) {
    return {
      before: sourceColumnsOf(columns, mapping),
      after: [],
      original: originalOf(columns, mapping),
      expansion: null,
    };
  }
  const { specification } = await readJson(objects, objectKeys.runRequest(run.run_id), RunRequestObject);
  const { reasoningTrace, preferencePairs } = addedBy(specification);
  const written = adaptedColumns(specification.mapping, columns, {
    reasoningTrace,
    preferencePairs,
  }).flatMap(({ result }) => result ?? []);
  return {
    before: sourceColumnsOf(columns, specification.mapping),
    after: writtenColumnsOf(written),
    original: materialReader(specification),
    expansion: specification.expansion,
  };
}

/** The text of rows that no run has read: the completion that is mapped, or else the longest cell. */
function originalOf(
  columns: RowsManifest['columns'],
  mapping: ConfiguredColumnMapping | null,
): Reading['original'] {
  if (mapping?.chat !== undefined) return materialReader({ mode: 'chat', mapping });
  const name = mapping?.completion ?? mapping?.chosen;
  const names = columns.map((column) => column.name).filter((column) => column !== mapping?.image);
  return {
    columns: name === undefined ? names : [name],
    original: (cells) => ({ prompt: null, completion: longestOf(cells.values()) }),
  };
}

function longestOf(texts: Iterable<string | null>): string | null {
  let longest: string | null = null;
  for (const text of texts) if ((text?.length ?? 0) > (longest?.length ?? 0)) longest = text;
  return longest;
}

/** Every row of the source, then the rows that the run was to add. */
async function* rowsOf(
  objects: Pick<ObjectStore, 'read'>,
  manifest: RowsManifest,
  run: RunRecord | null,
  reading: Reading,
  detect: LanguageDetector,
): AsyncGenerator<RowToIndex> {
  const names = reading.before.map(({ name }) => name);
  const read = reading.original.columns.map((name) => [name, names.indexOf(name)] as const);
  const { source, results, added } = deliveredRows(objects, manifest, run);
  const parse = (value: unknown) => RunResult.safeParse(value).data ?? null;
  const selection = run === null ? null : await readSelection(objects, run.run_id);

  for await (const { row, cells, result } of joinOutcomes(source, results ?? null, names, parse)) {
    const original = reading.original.original(new Map(read.map(([name, at]) => [name, cells[at] ?? null])));
    const after = result !== null && isDelivered(result) ? writtenCells(reading, result.cells) : null;
    const completion = completionOf(reading, after);
    const texts = {
      language: languageOf(detect, [completion, original.completion, original.prompt]),
      length_change: lengthChangeOf(original.completion, completion),
    };
    const facts =
      selection === null ? uploadedRow(texts) : sourceRow(result, selection.isSelected(row), texts);
    yield { facts, before: cells, after };
  }
  if (run === null || added === undefined) return;

  const parseAdded = (value: unknown) => ExpansionResult.safeParse(value).data ?? null;
  const made = expansionsOf(objects, run.run_id, reading.expansion);
  for await (const { cells, result } of joinOutcomes(added.source, added.results, names, parseAdded)) {
    const next = await made.next();
    if (next.done === true) throw new Error('an expansion has more rows than were selected for it');
    const after = result?.outcome === 'expanded' ? writtenCells(reading, result.cells) : null;
    const language =
      languageOf(detect, [completionOf(reading, after)]) ?? next.value.target?.language ?? null;
    const facts = addedRow(result, next.value, { language, length_change: null });
    yield { facts, before: cells, after };
  }
}

function writtenCells(
  { after }: Reading,
  cells: Readonly<Record<string, string | number | null>> | undefined,
): (string | null)[] {
  return after.map(({ name }) => {
    const cell = own(cells, name) ?? null;
    return cell === null ? null : String(cell);
  });
}

function completionOf({ after: columns }: Reading, after: readonly (string | null)[] | null): string | null {
  return after?.[columns.findIndex(({ role }) => role === 'completion')] ?? null;
}

/** Which rows a run was to work on, asked in the order of the rows. */
async function readSelection(objects: Pick<ObjectStore, 'read'>, runId: string) {
  const batches = await readJsonLines(objects, objectKeys.plan(runId), BatchPlan);
  let at = 0;
  let places: ReadonlySet<number> | null = null;
  return {
    isSelected(row: number): boolean {
      for (; at < batches.length; at += 1) {
        const batch = batches[at] as BatchPlan;
        if (row >= batch.first_row + batch.row_count) {
          places = null;
          continue;
        }
        if (row < batch.first_row) return false;
        if (batch.selected === null) return true;
        places ??= new Set(batch.selected);
        return places.has(row - batch.first_row);
      }
      return false;
    },
  };
}

async function* expansionsOf(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  expansion: ResolvedExpansion | null,
): AsyncGenerator<{ sourceRow: number; target: ResolvedExpansion['targets'][number] | null }> {
  for (const { selection_key: key } of await readExpansion(objects, runId)) {
    for (const { row, target } of await readJsonLines(objects, key, ExpansionSelection)) {
      yield { sourceRow: row, target: expansion?.targets[target] ?? null };
    }
  }
}
