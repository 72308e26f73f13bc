import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { requireRoom, waitingBytesOf } from './decide/quarantine.ts';
import { UPLOAD_URL_SECONDS } from './decide/upload.ts';

export interface OpenUploadsPorts {
  readonly objects: ObjectStore;
  /** Maximum bytes of a team's uncompleted uploads. */
  readonly waitingBytesMax: number;
}

/** A file to upload. */
export interface ExpectedFile {
  readonly key: string;
  /**
   * Null if its size is not declared: the URL then accepts any size, and files above the limit are deleted afterwards.
   */
  readonly bytes: number | null;
}

export type OpenUploads = (teamId: string, files: readonly ExpectedFile[]) => Promise<string[]>;

/** Upload URLs for a team's files. A URL accepts only the declared size. */
export function createOpenUploads({ objects, waitingBytesMax }: OpenUploadsPorts): OpenUploads {
  return async (teamId, files) => {
    let waiting = 0;
    for await (const { bytes } of objects.listSizes(objectKeys.uploadsOf(teamId))) {
      waiting += waitingBytesOf(bytes);
      if (waiting > waitingBytesMax) break;
    }
    requireRoom(
      waiting,
      files.reduce((sum, { bytes }) => sum + waitingBytesOf(bytes ?? 0), 0),
      waitingBytesMax,
    );
    return Promise.all(files.map(({ key, bytes }) => objects.presignPut(key, UPLOAD_URL_SECONDS, bytes)));
  };
}
