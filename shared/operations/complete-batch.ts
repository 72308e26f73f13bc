import type { Caller } from '../domain/access/caller.ts';
import { listStatus } from '../domain/datasets/lifecycle.ts';
import type { DatasetRecord } from '../domain/datasets/record.ts';
import type { DatasetRepository } from '../domain/datasets/repository.ts';
import { readBatchKeys, requireBatch } from '../domain/ingest/batch.ts';
import { requireSize, uploadMissing } from '../domain/ingest/upload.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import { quoteName } from '../domain/tabular/file-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ErrorData } from '../schema/common.ts';
import type { FileFormat } from '../schema/dataset.ts';
import { TabularFormat } from '../schema/rows-manifest.ts';
import type { Batch, CompleteBatchRequest } from '../schema/uploads.ts';
import { type CompleteUploadPorts, columnsStandInHeader, startIngest } from './complete-upload.ts';
import { compareColumns } from './read-files.ts';

/** Requests to the object store at once. */
const FILES_AT_ONCE = 16;

export interface CompleteBatchPorts extends Omit<CompleteUploadPorts, 'datasets'> {
  readonly datasets: Pick<DatasetRepository, 'require' | 'deferIngest' | 'rejectUpload'>;
}

interface UploadedFile {
  readonly key: string;
  readonly name: string;
  readonly format: FileFormat;
  readonly bytes: number;
}

/**
 * Checks the files of a batch and hands them to the ingest, or keeps them for `start-adaption`. Files whose columns can
 * be told at once, and differ, fail the dataset at once. A batch that was completed before answers as it stands.
 * @throws {ServiceError} `dataset_not_found`, `dataset_not_ready` where the dataset is no batch, `invalid_request`,
 * `upload_missing`, `upload_mismatch`, `file_too_large`, `file_empty`, `file_unreadable`
 */
export async function completeBatch(
  ports: CompleteBatchPorts,
  input: {
    readonly caller: Caller;
    readonly request: CompleteBatchRequest;
    /** Milliseconds since the epoch. */
    readonly now: number;
  },
): Promise<{ dataset_id: string; status: string }> {
  const { caller, request, now } = input;
  const dataset = await ports.datasets.require(caller, request.dataset_id);
  const { dataset_id: datasetId, batch_key: batchKey } = dataset;
  if (batchKey === undefined) {
    throw new ServiceError(
      'dataset_not_ready',
      'The dataset is not a batch. Complete its upload with POST /api/v1/datasets/{dataset_id}/upload/complete.',
    );
  }
  if (dataset.state !== 'awaiting_upload') return { dataset_id: datasetId, status: batchStatus(dataset) };

  const files = await requireFiles(ports, caller, request);
  const mismatch = await findMismatch(ports, files);
  if (mismatch !== null) {
    return {
      dataset_id: datasetId,
      status: batchStatus(await ports.datasets.rejectUpload(caller, datasetId, mismatch, now)),
    };
  }

  const batch: Batch = files.map(({ key, name, format }) => ({ name, format, upload_key: key }));
  await ports.objects.write(batchKey, JSON.stringify(batch), 'application/json');
  if (request.defer_adaption ?? dataset.defer_adaption) {
    // Uploads expire; what waits to be started does not.
    await forEachAtOnce(files, ({ key }) => ports.objects.copy(key, rawKeyOf(datasetId, key)));
    const waiting = await ports.datasets.deferIngest(caller, datasetId, {}, now);
    return { dataset_id: datasetId, status: batchStatus(waiting) };
  }
  return startIngest(ports.launchRun, { caller, dataset, changes: {}, now });
}

/** Where a file of a batch is kept as it was uploaded. */
export const rawKeyOf = (datasetId: string, uploadKey: string): string =>
  objectKeys.raw(datasetId, uploadKey.slice(uploadKey.lastIndexOf('/') + 1));

function batchStatus({ state, error_data }: DatasetRecord): string {
  return state === 'failed' && error_data?.code === 'schema_mismatch'
    ? 'preprocessing_failed'
    : listStatus(state);
}

async function requireFiles(
  { objects, uploadBytesMax }: Pick<CompleteBatchPorts, 'objects' | 'uploadBytesMax'>,
  caller: Caller,
  { dataset_id, files }: CompleteBatchRequest,
): Promise<UploadedFile[]> {
  requireBatch(files, uploadBytesMax);
  const keys = readBatchKeys(files, caller.team_id, dataset_id);
  const sizes = await forEachAtOnce(keys, (key) => objects.head(key));
  return files.map(({ file_name: name, file_format: format, file_size_bytes }, index) => {
    const head = sizes[index] ?? null;
    if (head === null) throw uploadMissing(`files[${index}].s3_key`);
    requireSize(head.bytes, file_size_bytes, uploadBytesMax, `files[${index}].file_size_bytes`);
    return {
      key: keys[index] as string,
      name,
      format,
      bytes: head.bytes,
    };
  });
}

/** The first file whose columns are seen to be others than those of the first; the ingest sees all of them. */
async function findMismatch(
  { objects, readColumns }: Pick<CompleteBatchPorts, 'objects' | 'readColumns'>,
  files: readonly UploadedFile[],
): Promise<ErrorData | null> {
  const told = files.flatMap(({ format, ...file }) => {
    const tabular = TabularFormat.safeParse(format);
    return tabular.success && columnsStandInHeader(format, file.bytes)
      ? [{ ...file, format: tabular.data }]
      : [];
  });
  const columns = await forEachAtOnce(told, async ({ key, name, format, bytes }) => {
    try {
      return await readColumns(format, bytes, (from, to) => objects.readRange(key, from, to));
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause;
      throw new ServiceError(cause.code, `${quoteName(name)}: ${cause.message}`, { cause });
    }
  });
  for (const [index, { name }] of told.entries()) {
    const message = compareColumns(columns[0] ?? [], columns[index] ?? [], [told[0]?.name ?? '', name]);
    if (message !== null) return { code: 'schema_mismatch', message, level: 'error' };
  }
  return null;
}

/** What `work` answers for each, in their order. */
async function forEachAtOnce<T, Result>(
  items: readonly T[],
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += FILES_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + FILES_AT_ONCE).map(work))));
  }
  return results;
}
