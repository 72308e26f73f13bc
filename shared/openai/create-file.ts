import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { FilePurpose } from '#shared/datasets/schema/dataset.ts';
import { startIngest } from '#shared/ingest/complete-upload.ts';
import { newDataset } from '#shared/ingest/decide/new-dataset.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import { sourceOf } from './decide/files.ts';

export interface CreateFilePorts {
  readonly objects: Pick<ObjectStore, 'write'>;
  readonly launchRun: LaunchRun;
  readonly newId: () => string;
}

/**
 * Makes a dataset of a file that came whole, and starts reading it. Nothing of a file that is refused is stored.
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
  const made = newDataset(caller, sourceOf(name), ports.newId(), now);
  const rawKey = objectKeys.raw(made.dataset_id, made.file_name);
  const dataset: DatasetRecord = {
    ...made,
    // The ingest moves the upload away: its content is read from here while the rows are read, and afterwards.
    raw_key: rawKey,
    file_bytes: content.length,
    file_purpose: purpose,
  };
  const store = async () => {
    for (const key of [rawKey, dataset.s3_key])
      await ports.objects.write(key, content, 'application/octet-stream');
  };
  await startIngest(ports.launchRun, { caller, dataset, isNew: true, store, changes: {}, now });
  return { ...dataset, state: 'ingesting' };
}
