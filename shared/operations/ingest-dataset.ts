import { createHash } from 'node:crypto';
import { throwUnknownColumns } from '../domain/adaptation/request.ts';
import type { DatasetRecord } from '../domain/datasets/record.ts';
import type { DatasetRepository } from '../domain/datasets/repository.ts';
import { rawMappingColumns } from '../domain/ingest/source.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { FileFormat } from '../schema/dataset.ts';
import type { RowsColumn, RowsManifest } from '../schema/rows-manifest.ts';
import { keepUpload } from './keep-upload.ts';
import { readBatch } from './read-batch.ts';
import { readImport } from './read-import.ts';

/** Reads a file of a format into canonical chunks. */
export type ReadFile = (input: {
  readonly format: FileFormat;
  /** What the rows of a document, and messages on it, call the file. */
  readonly name: string;
  readonly source: AsyncIterable<Buffer>;
  readonly maxBytes: number;
  readonly chunkKey: (n: number) => string;
  readonly writeChunk: (n: number, body: Buffer) => Promise<void>;
}) => Promise<RowsManifest>;

export interface IngestDatasetPorts {
  readonly datasets: Pick<DatasetRepository, 'find' | 'recordFindings'>;
  readonly objects: ObjectStore;
  readonly readFile: ReadFile;
  readonly fileBytesMax: number;
}

/**
 * Uploaded file, or files of a batch or an import → canonical chunks and manifest. An upload is moved out of the quarantine first
 * and kept, also when it cannot be read. Safe to repeat: chunks have fixed keys, and the dataset's record is written
 * last.
 * @throws {ServiceError} `upload_missing`, `upload_mismatch`, `file_empty`, `file_unreadable`, `schema_mismatch`,
 * `column_unknown`, `run_interrupted` when the run is no longer active
 */
export async function ingestDataset(
  ports: IngestDatasetPorts,
  input: { readonly dataset_id: string; readonly run_id: string; readonly now: number },
): Promise<{ row_count: number }> {
  const { dataset_id: datasetId, run_id: runId, now } = input;
  const dataset = await ports.datasets.find(datasetId);
  if (dataset === null)
    throw new ServiceError('run_interrupted', 'The dataset was deleted before it was read.');

  const { manifest, rawKey } = await readSource(ports, dataset, runId);
  const mapping = dataset.raw_column_mapping;
  if (mapping !== null) {
    throwUnknownColumns(
      rawMappingColumns(mapping),
      manifest.columns.map((column) => column.name),
    );
  }

  const manifestKey = objectKeys.manifest(datasetId);
  await ports.objects.write(manifestKey, JSON.stringify(manifest), 'application/json');
  const isActive = await ports.datasets.recordFindings(
    datasetId,
    runId,
    {
      row_count: manifest.row_count,
      columns: manifest.columns,
      image_column_formats: imageFormatsOf(manifest.columns),
      manifest_key: manifestKey,
      raw_key: rawKey,
      ...(mapping === null
        ? {}
        : { configured_column_mapping: { ...mapping, context: mapping.context ?? [] } }),
    },
    now,
  );
  if (!isActive) throw new ServiceError('run_interrupted', 'The run has ended before the file was read.');
  return { row_count: manifest.row_count };
}

async function readSource(
  ports: IngestDatasetPorts,
  dataset: DatasetRecord,
  runId: string,
): Promise<{ manifest: RowsManifest; rawKey: string | null }> {
  if (dataset.batch_key !== undefined) {
    return { manifest: await readBatch(ports, dataset, dataset.batch_key), rawKey: null };
  }
  return dataset.import_key === undefined
    ? readUpload(ports, dataset)
    : { manifest: await readImport(ports, dataset, runId), rawKey: null };
}

async function readUpload(
  { objects, readFile, fileBytesMax }: IngestDatasetPorts,
  dataset: DatasetRecord,
): Promise<{ manifest: RowsManifest; rawKey: string }> {
  const { dataset_id: datasetId } = dataset;
  const rawKey = objectKeys.raw(datasetId, dataset.file_name);
  await keepUpload(objects, dataset.s3_key, rawKey);
  const hash = createHash('sha256');
  const manifest = await readFile({
    format: dataset.file_format,
    name: dataset.file_name,
    source: hashed(objects, rawKey, hash),
    maxBytes: fileBytesMax,
    chunkKey: (n) => objectKeys.rows(datasetId, n),
    writeChunk: (n, body) => objects.write(objectKeys.rows(datasetId, n), body, 'application/jsonl'),
  });
  requireHash(dataset.expected_sha256, hash.digest('hex'));
  return { manifest, rawKey };
}

/** Null where no column holds images (spec §2.1). */
export function imageFormatsOf(columns: readonly RowsColumn[]): DatasetRecord['image_column_formats'] {
  const found = columns.flatMap(({ name, profile }) =>
    profile?.image_format ? [[name, profile.image_format] as const] : [],
  );
  return found.length === 0 ? null : Object.fromEntries(found);
}

async function* hashed(
  objects: ObjectStore,
  key: string,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const block of await objects.stream(key)) {
    hash.update(block);
    yield block;
  }
}

function requireHash(expected: string | null, actual: string): void {
  if (expected === null || expected === actual) return;
  throw new ServiceError(
    'upload_mismatch',
    `The file's SHA-256 is ${actual}, but ${expected} was announced. The file was damaged in transit: upload it again.`,
  );
}
