import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { FilePurpose } from '#shared/datasets/schema/dataset.ts';
import { type CompleteUploadPorts, completeUpload } from '#shared/ingest/complete-upload.ts';
import { newDataset } from '#shared/ingest/decide/new-dataset.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { sourceOf } from './decide/files.ts';

export interface CreateFilePorts extends CompleteUploadPorts {
  readonly newId: () => string;
}

/**
 * Makes a dataset of a file that came whole, and starts reading it.
 * @throws {ServiceError} every code of the contract
 */
export async function createFile(
  ports: CreateFilePorts,
  input: {
    readonly caller: Caller;
    readonly name: string;
    readonly purpose: FilePurpose;
    readonly content: Buffer;
    /** Milliseconds since the epoch. */
    readonly now: number;
  },
): Promise<DatasetRecord> {
  const { caller, name, purpose, content, now } = input;
  const { length: bytes } = content;
  // Before anything is written. The launch counts the file once more: a form counts as two.
  await ports.freeUses.admit(caller, 'readings_per_hour', now);
  const made = newDataset(caller, sourceOf(name), ports.newId(), now);
  const rawKey = objectKeys.raw(made.dataset_id, made.file_name);
  const dataset: DatasetRecord = {
    ...made,
    // The ingest moves the upload away: its content is read from here while the rows are read, and afterwards.
    raw_key: rawKey,
    file_bytes: bytes,
    file_purpose: purpose,
  };
  for (const key of [rawKey, dataset.s3_key]) {
    await ports.objects.write(key, content, 'application/octet-stream');
  }
  await completeUpload(ports, { caller, dataset, isNew: true, fileSizeBytes: bytes, sha256: null, now });
  return { ...dataset, state: 'ingesting' };
}
