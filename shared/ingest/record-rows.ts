import { FIRST_COLUMNS_BYTES_MAX, requireRoomForColumns } from '#shared/datasets/decide/columns-room.ts';
import { keptWarnings } from '#shared/datasets/decide/file-warnings.ts';
import { requireFittingColumns } from '#shared/datasets/decide/mapped-columns.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { throwUnknownColumns } from '#shared/datasets/decide/unknown-columns.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { isAppend } from '#shared/runs/decide/run-kinds.ts';
import { giveBackReadingPlace } from '#shared/runs/reading-places.ts';
import { imageFormatsOf } from '#shared/tabular/decide/images/column-formats.ts';
import { type RowsChunk, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { rawMappingColumns } from './decide/source.ts';
import { type LandRowsPorts, landRows } from './land-rows.ts';

export interface RecordRowsPorts {
  readonly datasets: Pick<DatasetRepository, 'find' | 'recordFindings'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'copy'>;
  readonly runs: LandRowsPorts['runs'];
  readonly appends: LandRowsPorts['appends'];
  readonly claims: Pick<Claims, 'release'>;
}

/** What comes next: `recorded` rows are described, `appended` ones end the run, and `waiting` ones are tried again. */
export interface RecordedRows {
  readonly status: 'recorded' | 'appended' | 'waiting';
  readonly wait_seconds: number;
}

/**
 * Makes what a file was converted to the rows of its dataset: checks the manifest, copies the chunks and records what
 * was found. The manifest is that of a function that parses files of strangers: it may say what rows there are, never
 * where they lie. Safe to repeat: chunks have fixed keys, and the dataset's record is written last.
 * @throws {ServiceError} `column_unknown`; `invalid_request` where a column of conversations holds others; `run_interrupted` where the dataset is gone or its run has ended
 */
export async function recordRows(
  ports: RecordRowsPorts,
  input: { readonly dataset_id: string; readonly run_id: string; readonly now: number },
): Promise<RecordedRows> {
  const { datasets, objects } = ports;
  const { dataset_id: datasetId, run_id: runId, now } = input;
  const dataset = await datasets.find(datasetId);
  if (dataset === null)
    throw new ServiceError('run_interrupted', 'The dataset was deleted before it was read.');
  const run = await ports.runs.find(datasetId, runId);
  if (isAppend(run)) {
    const landing = await landRows(ports, dataset, runId, now);
    if (landing.landed) return { status: 'appended', wait_seconds: 0 };
    // Its file is read: for the days that it may wait, others of the team are.
    if (run !== null) await giveBackReadingPlace(ports.claims, run);
    return { status: 'waiting', wait_seconds: landing.waitSeconds };
  }
  // A run that has ended leaves the rows of the dataset alone.
  if (dataset.run_id !== runId) throw runEnded();

  const converted = await readJson(objects, objectKeys.convertedManifest(runId), RowsManifest);
  requireRoomForColumns(converted.columns, FIRST_COLUMNS_BYTES_MAX);
  const mapping = dataset.raw_column_mapping;
  if (mapping !== null) {
    throwUnknownColumns(
      rawMappingColumns(mapping),
      converted.columns.map((column) => column.name),
    );
    const { chat } = mapping;
    if (chat !== undefined) requireFittingColumns({ chat }, converted.columns);
  }

  const manifest: RowsManifest = { ...converted, ...placeChunks(datasetId, converted.chunks) };
  await forEachAtOnce(manifest.chunks, ({ key }, n) => objects.copy(objectKeys.converted(runId, n), key));
  const manifestKey = objectKeys.manifest(datasetId);
  await objects.write(manifestKey, JSON.stringify(manifest), 'application/json');
  const isUpload = dataset.batch_key === undefined && dataset.import_key === undefined;
  const isActive = await datasets.recordFindings(
    datasetId,
    runId,
    {
      row_count: manifest.row_count,
      columns: manifest.columns,
      warnings: keptWarnings(manifest.warnings),
      image_column_formats: imageFormatsOf(manifest.columns),
      manifest_key: manifestKey,
      raw_key: isUpload ? objectKeys.raw(datasetId, dataset.file_name) : null,
      ...(mapping === null
        ? {}
        : { configured_column_mapping: { ...mapping, context: mapping.context ?? [] } }),
    },
    now,
  );
  if (!isActive) throw runEnded();
  return { status: 'recorded', wait_seconds: 0 };
}

/** Chunks as the dataset has them: where they lie and which rows they begin with follows from their order. */
function placeChunks(
  datasetId: string,
  chunks: readonly RowsChunk[],
): Pick<RowsManifest, 'chunks' | 'row_count'> {
  let rows = 0;
  const placed = chunks.map((chunk, n) => {
    const first_row = rows;
    rows += chunk.row_count;
    return { ...chunk, key: objectKeys.rows(datasetId, n), first_row };
  });
  return { chunks: placed, row_count: rows };
}

function runEnded(): ServiceError {
  return new ServiceError('run_interrupted', 'The run has ended before the file was read.');
}
