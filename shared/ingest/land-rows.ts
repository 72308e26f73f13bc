import { keptWarnings } from '#shared/datasets/decide/file-warnings.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { type Appends, isIdle } from '#shared/runs/decide/append.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { quoteName } from '#shared/tabular/decide/file-error.ts';
import { imageFormatsOf } from '#shared/tabular/decide/images/column-formats.ts';
import { isCellOf } from '#shared/tabular/decide/typed-cells.ts';
import { type RowsColumn, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { findMisfit, misfit, noColumnOf } from './decide/append.ts';
import { joinedType, joinManifests } from './decide/join-manifests.ts';

export interface LandRowsPorts {
  readonly runs: Pick<RunRepository, 'find' | 'recordPlan'>;
  readonly appends: Appends;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'copy'>;
}

/**
 * Seconds between two looks at a busy dataset: a tenth of the time that the append has waited. In the two days that an
 * execution has, these are 260 looks, which its history holds with every repetition.
 */
const WAIT_SECONDS = { least: 3, most: 900 } as const;

/** Objects with rows that a dataset has at most: each is a worker's invocation in every run. */
export const CHUNKS_MAX = 5000;

/** Whether the rows are there, or after how many seconds to try again. */
export type Landing = { readonly landed: true } | { readonly landed: false; readonly waitSeconds: number };

/**
 * Adds the rows that an append has read to its dataset, as the next version. While a run is active the dataset stays as it
 * is, and the append waits; of several, whichever comes first lands first, and the next one follows its rows. Safe to
 * repeat: chunks and manifest have keys of the run's own, and one transaction makes them the dataset's.
 * @throws {ServiceError} `schema_mismatch`, with the row and the column that do not fit; `dataset_too_large`
 */
export async function landRows(
  { runs, appends, objects }: LandRowsPorts,
  dataset: DatasetRecord,
  runId: string,
  now: number,
): Promise<Landing> {
  const { dataset_id: datasetId, manifest_key: manifestKey } = dataset;
  const run = await runs.find(datasetId, runId);
  if (run === null || manifestKey === null) throw new ServiceError('run_interrupted', 'The append is gone.');
  if (run.version !== undefined) return { landed: true };
  if (run.status !== 'running') throw new ServiceError('run_interrupted', 'The append has ended.');

  const added = await readJson(objects, objectKeys.convertedManifest(runId), RowsManifest);
  if (run.total_rows === null) {
    await runs.recordPlan(datasetId, runId, { total_rows: added.row_count, models: {}, prompt_versions: {} });
  }
  const before = await readJson(objects, manifestKey, RowsManifest);
  const fitting = await requireFit(objects, runId, before.columns, added);
  if (!isIdle(dataset)) return waiting(run, now);

  const whole = appended(before, { ...added, columns: fitting }, datasetId, runId);
  if (whole.chunks.length > CHUNKS_MAX) {
    throw new ServiceError(
      'dataset_too_large',
      `The rows of this dataset lie in ${before.chunks.length} objects, one or more for each append, and at most ${CHUNKS_MAX} may be. Download it, and upload it as a new dataset; append more rows at once.`,
    );
  }
  const key = objectKeys.appendedManifest(datasetId, runId);
  await forEachAtOnce(added.chunks, (_, n) =>
    objects.copy(objectKeys.converted(runId, n), objectKeys.appendedRows(datasetId, runId, n)),
  );
  await objects.write(key, JSON.stringify(whole), 'application/json');
  const rows = {
    row_count: whole.row_count,
    columns: whole.columns,
    manifest_key: key,
    warnings: keptWarnings(whole.warnings),
    image_column_formats: imageFormatsOf(whole.columns),
  };
  return (await appends.land(dataset, run, rows, timestamp(now))) ? { landed: true } : waiting(run, now);
}

function waiting({ started_at }: RunRecord, now: number): Landing {
  return { landed: false, waitSeconds: waitSeconds((now - Date.parse(started_at)) / 1000) };
}

/** Seconds until an append that has waited `waited` seconds looks again. */
export function waitSeconds(waited: number): number {
  return Math.round(Math.min(WAIT_SECONDS.most, Math.max(WAIT_SECONDS.least, waited / 10)));
}

/** The manifest of all rows: those of the dataset, and the appended ones after them. */
function appended(before: RowsManifest, added: RowsManifest, datasetId: string, runId: string): RowsManifest {
  const joined = joinManifests(before, added, ['the dataset', 'the appended rows']);
  let firstRow = before.row_count;
  const chunks = added.chunks.map((chunk, n) => {
    const first_row = firstRow;
    firstRow += chunk.row_count;
    return { ...chunk, key: objectKeys.appendedRows(datasetId, runId, n), first_row };
  });
  return { ...joined, row_count: firstRow, chunks: [...before.chunks, ...chunks] };
}

/**
 * The columns of the appended rows, with the types of the dataset where their values are of those.
 * @throws {ServiceError} `schema_mismatch`
 */
async function requireFit(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  columns: readonly RowsColumn[],
  added: RowsManifest,
): Promise<RowsColumn[]> {
  const known = new Map(columns.map((column) => [column.name, column]));
  const unknown = added.columns.find(({ name }) => !known.has(name));
  if (unknown !== undefined) throw misfit(0, unknown.name, noColumnOf(unknown.name, columns));
  const names = new Set(added.columns.map(({ name }) => name));
  for (const { name } of columns) {
    if (names.has(name)) continue;
    throw new ServiceError(
      'schema_mismatch',
      `The appended file has no column ${quoteName(name)}. Appended rows have the columns of the dataset; nothing was appended.`,
    );
  }
  const fitting: RowsColumn[] = [];
  for (const column of added.columns) {
    const expected = known.get(column.name) as RowsColumn;
    // A column of mixed values takes all.
    if (expected.type === 'JSON' || joinedType(expected, column) !== null) {
      fitting.push(expected.type === 'JSON' ? { ...column, type: 'JSON' } : column);
      continue;
    }
    let row = 0;
    for (const [n, chunk] of added.chunks.entries()) {
      const found = findMisfit(await readLines(objects, objectKeys.converted(runId, n)), expected, row);
      if (found !== null) throw misfit(found.row, column.name, found.problem);
      row += chunk.row_count;
    }
    // Dates, lists and structs are text and JSON in rows that are sent, in the form in which they are shown.
    if (isCellOf(null, expected.type) !== null) {
      fitting.push({ ...column, type: expected.type });
      continue;
    }
    throw new ServiceError(
      'schema_mismatch',
      `Column ${quoteName(column.name)} is ${expected.type} in the dataset and ${column.type} in the appended rows. Nothing was appended.`,
    );
  }
  return fitting;
}
