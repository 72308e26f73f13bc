import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { listStatus } from '#shared/datasets/decide/states.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { pathBelow } from '#shared/tabular/decide/images/image-cell.ts';
import { type CompleteUploadPorts, columnsStandInHeader, startIngest } from './complete-upload.ts';
import { readBatchKeys, requireBatch } from './decide/batch.ts';
import { compareColumns } from './decide/compare-columns.ts';
import { requireSize, uploadMissing } from './decide/upload.ts';
import {
  type Batch,
  type BatchFileFormat,
  type CompleteBatchRequest,
  ImageFileFormat,
} from './schema/uploads.ts';

export interface CompleteBatchPorts extends Omit<CompleteUploadPorts, 'datasets'> {
  readonly datasets: Pick<DatasetRepository, 'require' | 'find' | 'deferIngest' | 'rejectUpload'>;
}

interface UploadedFile {
  readonly key: string;
  readonly name: string;
  readonly format: BatchFileFormat;
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
  const dataset = await ports.datasets.require(input.caller, input.request.dataset_id);
  const { dataset_id: datasetId, batch_key: batchKey } = dataset;
  if (batchKey === undefined) {
    throw new ServiceError(
      'dataset_not_ready',
      'The dataset is not a batch. Complete its upload with POST /api/v1/datasets/{dataset_id}/upload/complete.',
    );
  }
  if (dataset.state !== 'awaiting_upload') return { dataset_id: datasetId, status: batchStatus(dataset) };

  return complete(ports, { ...dataset, batch_key: batchKey }, input).catch(async (error: unknown) => {
    // A repetition may come while the first request is under way, or its run has taken the files by now.
    const isRepeated = error instanceof ServiceError && COMPLETED_TWICE.includes(error.code);
    const current = isRepeated ? await ports.datasets.find(datasetId) : null;
    if (current === null || current.state === 'awaiting_upload') throw error;
    return { dataset_id: datasetId, status: batchStatus(current) };
  });
}

/** What a request may be refused with of which another one has completed the upload. */
const COMPLETED_TWICE: readonly string[] = ['dataset_not_ready', 'upload_missing'];

/** Hands the checked files of a batch to the ingest, or keeps them for later. */
async function complete(
  ports: CompleteBatchPorts,
  dataset: DatasetRecord & { readonly batch_key: string },
  { caller, request, now }: Parameters<typeof completeBatch>[1],
): Promise<{ dataset_id: string; status: string }> {
  const { dataset_id: datasetId, batch_key: batchKey } = dataset;
  const files = await requireFiles(ports, caller, request);
  const mismatch = await findMismatch(ports, caller, files, now);
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
    await forEachAtOnce(files, ({ key, name, format }) =>
      ports.objects.copy(key, keptKeyOf(datasetId, { name, format, upload_key: key })),
    );
    const waiting = await ports.datasets.deferIngest(caller, datasetId, {}, now);
    return { dataset_id: datasetId, status: batchStatus(waiting) };
  }
  return startIngest(ports.launchRun, { caller, dataset, changes: {}, now });
}

/** Where a file of a batch is kept as it was uploaded; an image, where the cells of the tables name it. */
export function keptKeyOf(datasetId: string, { name, format, upload_key: key }: Batch[number]): string {
  return ImageFileFormat.safeParse(format).success
    ? objectKeys.file(datasetId, pathBelow(name) ?? name)
    : objectKeys.raw(datasetId, key.slice(key.lastIndexOf('/') + 1));
}

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
  { readColumns, freeUses }: Pick<CompleteBatchPorts, 'readColumns' | 'freeUses'>,
  caller: Caller,
  files: readonly UploadedFile[],
  now: number,
): Promise<ErrorData | null> {
  const told = files.flatMap(({ format, ...file }) => {
    const tabular = TabularFormat.safeParse(format);
    return tabular.success && columnsStandInHeader(tabular.data, file.bytes)
      ? [{ ...file, format: tabular.data }]
      : [];
  });
  if (told.length === 0) return null;
  await freeUses.admit(caller, 'scans_per_hour', now);
  const { columns, other } = await readColumns(
    told.map(({ key, name, format, bytes }) => ({ key, name, format, bytes })),
  );
  if (other === null) return null;
  const names = [told[0]?.name ?? '', told[other.index]?.name ?? ''] as const;
  const message = compareColumns(columns, other.columns, names);
  return message === null ? null : { code: 'schema_mismatch', message, level: 'error' };
}
