import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

/**
 * Moves an upload from the quarantine to its final key; a retry, and a deferred upload, find it there.
 * @throws {ServiceError} `upload_missing`
 */
export async function keepUpload(objects: ObjectStore, uploadKey: string, rawKey: string): Promise<void> {
  if ((await objects.head(rawKey)) === null) {
    if ((await objects.head(uploadKey)) === null) {
      throw new ServiceError('upload_missing', 'The uploaded file is gone. Upload it again.');
    }
    await objects.copy(uploadKey, rawKey);
  }
  await objects.remove([uploadKey]);
}
