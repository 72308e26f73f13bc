import type { DatasetChanges, DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { listStatus } from '#shared/datasets/decide/states.ts';
import { throwUnknownColumns } from '#shared/datasets/decide/unknown-columns.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FreeUseLimiter } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import { SAMPLE_BYTES } from '#shared/tabular/decide/limits.ts';
import { rawMappingColumns } from './decide/source.ts';
import { requireSize, uploadMissing } from './decide/upload.ts';
import type { ReadColumns } from './read-columns.ts';

export interface CompleteUploadPorts {
  readonly datasets: DatasetRepository;
  readonly objects: ObjectStore;
  readonly launchRun: LaunchRun;
  readonly readColumns: ReadColumns;
  readonly freeUses: FreeUseLimiter;
  readonly uploadBytesMax: number;
}

export interface CompleteUploadInput {
  readonly caller: Caller;
  readonly dataset: DatasetRecord;
  /** Whether the dataset is to be created, which a request that is refused does not do. */
  readonly isNew: boolean;
  readonly fileSizeBytes: number;
  readonly sha256: string | null;
  /** What the request says anew of the dataset that waits for the file. */
  readonly changes?: Pick<DatasetChanges, 'name' | 'max_unreadable_share' | 'redact_personal_data'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Checks an uploaded file and hands it to the ingest, or keeps it for `start-adaption` (spec §4.1, §4.13). A raw
 * mapping is checked against the file's columns first: the upload stays usable when one is missing. An upload that
 * was completed before answers as it stands, so that a client may repeat the call.
 * @throws {ServiceError} `upload_missing`, `upload_mismatch`, `file_too_large`, `column_unknown`, `file_unreadable`
 */
export async function completeUpload(
  ports: CompleteUploadPorts,
  input: CompleteUploadInput,
): Promise<{ dataset_id: string; status: string }> {
  const { dataset, isNew } = input;
  const { dataset_id } = dataset;
  if (dataset.batch_key !== undefined) {
    throw new ServiceError(
      'dataset_not_ready',
      'The dataset is a batch. Complete it with POST /api/v1/datasets/upload/complete-batch.',
    );
  }
  if (dataset.state !== 'awaiting_upload') return { dataset_id, status: listStatus(dataset.state) };

  // A repetition may come while the first request is under way, or its run has taken the file by now.
  const asItStands = async (error: unknown): Promise<{ dataset_id: string; status: string }> => {
    const current = await ports.datasets.find(dataset_id);
    if (current === null || current.state === 'awaiting_upload') throw error;
    // What could not be started has failed, and its caller is told so.
    if (isNew && current.state === 'failed') throw error;
    return { dataset_id, status: listStatus(current.state) };
  };
  try {
    await requireFile(ports, input);
  } catch (error) {
    return asItStands(error);
  }
  return complete(ports, input).catch((error: unknown) => {
    const isRepeated =
      error instanceof ServiceError && (isNew ? MADE_TWICE : MOVED_TWICE).includes(error.code);
    if (!isRepeated) throw error;
    return asItStands(error);
  });
}

/** Checks that the file is there, as large as said, and has the columns of a raw mapping. */
async function requireFile(
  { objects, freeUses, readColumns, uploadBytesMax }: CompleteUploadPorts,
  { caller, dataset, fileSizeBytes, now }: CompleteUploadInput,
): Promise<void> {
  const { s3_key: key, raw_column_mapping: mapping, file_format } = dataset;
  const head = await objects.head(key);
  if (head === null) throw uploadMissing('file');
  requireSize(head.bytes, fileSizeBytes, uploadBytesMax);
  if (mapping === null || !columnsStandInHeader(file_format, head.bytes)) return;
  const format = file_format as TabularFormat;
  await freeUses.admit(caller, 'scans_per_hour', now);
  const { columns } = await readColumns([{ key, name: null, format, bytes: head.bytes }]);
  throwUnknownColumns(rawMappingColumns(mapping), columns);
}

/** What a request may be refused with of which another one has completed the upload: of a new dataset, and of one that waited. */
const MADE_TWICE: readonly string[] = ['service_unavailable', 'dataset_not_ready'];
const MOVED_TWICE: readonly string[] = ['dataset_not_ready'];

/** Hands a checked upload to the ingest, or keeps it for later. */
async function complete(
  ports: CompleteUploadPorts,
  { caller, dataset, isNew, sha256, changes: saidAnew, now }: CompleteUploadInput,
): Promise<{ dataset_id: string; status: string }> {
  const { dataset_id, s3_key: key } = dataset;
  const changes = { ...saidAnew, expected_sha256: sha256?.toLowerCase() ?? null };
  if (dataset.defer_adaption) {
    const rawKey = objectKeys.raw(dataset_id, dataset.file_name);
    // Before its file: nothing would find a copy that no dataset names, nor one of a dataset that was erased by now.
    if (isNew && !(await ports.datasets.create(dataset))) await ports.datasets.require(caller, dataset_id);
    await ports.objects.copy(key, rawKey);
    const waiting = await ports.datasets.deferIngest(
      caller,
      dataset_id,
      { ...changes, raw_key: rawKey },
      now,
    );
    return { dataset_id, status: listStatus(waiting.state) };
  }
  return startIngest(ports.launchRun, { caller, dataset, isNew, changes, now });
}

/**
 * Whether a file's columns can be told without reading all of it. In a large JSON file a column may first occur in
 * any row, and a workbook has its columns in sheets: there it is the ingest that refuses an unknown one.
 */
export function columnsStandInHeader(format: string, bytes: number): boolean {
  const tabular = TabularFormat.safeParse(format).data;
  if (tabular === undefined) return false;
  return tabular === 'csv' || tabular === 'parquet' || bytes <= SAMPLE_BYTES;
}

/** Hands a dataset to the pipeline that reads its file, or imports its files first; it costs nothing. */
export function startIngest(
  launchRun: LaunchRun,
  input: {
    readonly caller: Caller;
    readonly dataset: DatasetRecord;
    /** Whether the launch creates the dataset. */
    readonly isNew?: boolean;
    /** Writes what the pipeline reads, once it is launched. */
    readonly store?: (() => Promise<void>) | undefined;
    readonly changes: DatasetChanges;
    readonly now: number;
  },
): Promise<{ dataset_id: string; status: string }> {
  const { caller, dataset, isNew = false, store, changes, now } = input;
  return launchRun({
    caller,
    dataset,
    isNew,
    store,
    pipeline: dataset.import_key === undefined ? 'ingest' : 'import',
    request: null,
    decide: () => ({
      credits: 0,
      rows: null,
      changes,
      response: () => ({ dataset_id: dataset.dataset_id, status: 'pending' }),
    }),
    now,
  });
}
