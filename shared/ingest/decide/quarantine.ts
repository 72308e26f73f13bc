import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ListedObject } from '#shared/platform/storage/object-store.ts';
import { formatBytes } from '#shared/tabular/decide/file-error.ts';

/** Days that a file waits for the completion of its upload; then the bucket deletes it. */
export const WAITING_DAYS_MAX = 2;

/** Minimum size that a file counts for, so that the number of a team's files is limited too. */
const FILE_BYTES_MIN = 2 ** 20;

/** Bytes that a file counts against a team's limit of uncompleted uploads. */
export const waitingBytesOf = (bytes: number): number => Math.max(bytes, FILE_BYTES_MIN);

/**
 * Rejects an upload that exceeds a team's limit: its uncompleted uploads plus the declared size.
 * @throws {ServiceError} `uploads_limit_reached`
 */
export function requireRoom(waitingBytes: number, announcedBytes: number, bytesMax: number): void {
  if (waitingBytes + announcedBytes <= bytesMax && waitingBytes < bytesMax) return;
  const announced = announcedBytes === 0 ? '' : `, and ${formatBytes(announcedBytes)} are announced`;
  throw new ServiceError(
    'uploads_limit_reached',
    `Files of ${formatBytes(waitingBytes)} wait for their upload to be completed${announced}; a team may have ${formatBytes(bytesMax)}. ` +
      `Complete those uploads; what is not completed is deleted after ${WAITING_DAYS_MAX} days.`,
  );
}

/** The files of one team above the limit: the newest ones, and each that is larger than the maximum file size. */
export function withoutRoom(
  files: readonly ListedObject[],
  limits: { readonly bytesMax: number; readonly fileBytesMax: number },
): string[] {
  let held = 0;
  return [...files]
    .sort((a, b) => a.modifiedMs - b.modifiedMs)
    .filter(({ bytes }) => {
      const counted = waitingBytesOf(bytes);
      if (bytes > limits.fileBytesMax || held + counted > limits.bytesMax) return true;
      held += counted;
      return false;
    })
    .map(({ key }) => key);
}
