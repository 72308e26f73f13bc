import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { ListedObject, ObjectStore } from '#shared/platform/storage/object-store.ts';
import { withoutRoom } from './decide/quarantine.ts';
import { datasetIdOf } from './decide/upload.ts';

export interface SweepUploadsPorts {
  readonly objects: ObjectStore;
  readonly datasets: Pick<DatasetRepository, 'find'>;
  /** Prefix of all uploads; the next part of a key is the team. */
  readonly prefix: string;
  readonly waitingBytesMax: number;
  readonly fileBytesMax: number;
}

export type SweepUploads = () => Promise<{ examined: number; deleted: number }>;

const FILES_AT_ONCE = 50_000;
/** Datasets that are looked up at once. */
const LOOKUPS_AT_ONCE = 16;

/**
 * Deletes uploads beyond a team's limit of uncompleted bytes. A file of a completed upload stays: the ingest removes it.
 * A listing groups the files by team.
 */
export function createSweepUploads(ports: SweepUploadsPorts): SweepUploads {
  const { objects, datasets, prefix, waitingBytesMax, fileBytesMax } = ports;
  const isWaiting = async (key: string): Promise<boolean> => {
    const id = datasetIdOf(key);
    const dataset = id === null ? null : await datasets.find(id);
    return dataset === null || dataset.state === 'awaiting_upload';
  };
  return async () => {
    let examined = 0;
    let deleted = 0;
    let team = '';
    let files: ListedObject[] = [];
    const settle = async (): Promise<void> => {
      const beyond = withoutRoom(files, { bytesMax: waitingBytesMax, fileBytesMax });
      for (let at = 0; at < beyond.length; at += LOOKUPS_AT_ONCE) {
        const some = beyond.slice(at, at + LOOKUPS_AT_ONCE);
        const waits = await Promise.all(some.map(isWaiting));
        const keys = some.filter((_, n) => waits[n]);
        if (keys.length > 0) await objects.remove(keys);
        deleted += keys.length;
      }
      files = [];
    };
    for await (const file of objects.listSizes(prefix)) {
      const owner = file.key.slice(prefix.length).split('/', 1)[0] ?? '';
      if (owner !== team) await settle();
      team = owner;
      files.push(file);
      examined += 1;
      // For a team with very many files the sweep takes several rounds: memory holds one of them.
      if (files.length >= FILES_AT_ONCE) await settle();
    }
    await settle();
    return { examined, deleted };
  };
}
