import { ServiceError } from '#shared/platform/errors/service-error.ts';

/** Validity of an upload URL, in seconds. */
export const UPLOAD_URL_SECONDS = 3600;

const uploadKey = /(?:^|\/)(uploads\/([^/]+)\/([0-9a-f-]{36})\/[^/]+)$/;

/**
 * The dataset id in an upload key of the team. Clients may send the key itself or the path of the upload URL, which
 * begins with the bucket for path-style URLs.
 * @throws {ServiceError} `upload_missing`, the same for another team's key and for an unknown one
 */
export function readUploadKey(
  sent: string,
  teamId: string,
  path = 's3_key',
): { key: string; datasetId: string } {
  let text = sent;
  try {
    text = decodeURIComponent(sent);
  } catch {
    // An invalid % escape is part of the key; it then matches nothing below.
  }
  const [, key, team, datasetId] = uploadKey.exec(text) ?? [];
  if (key === undefined || team !== teamId || datasetId === undefined) throw uploadMissing(path);
  return { key, datasetId };
}

/** The dataset id that an upload key carries; null where the key is none. */
export function datasetIdOf(key: string): string | null {
  return uploadKey.exec(key)?.[3] ?? null;
}

/** The beginning of the name of a file that is appended, before the name that its caller gave it. */
const APPENDED = /^append-[0-9a-f-]{36}-/;

/** The caller's name of the file of an append; null where the key is of no append. */
export function appendedName(key: string): string | null {
  const name = key.split('/').at(-1) ?? '';
  return APPENDED.test(name) ? name.replace(APPENDED, '') : null;
}

export function uploadMissing(path: string): ServiceError {
  const message =
    'no file was uploaded: PUT it to the upload URL first, and complete the upload within two days';
  return new ServiceError('upload_missing', `${path}: ${message}`, { details: [{ path, message }] });
}

/** @throws {ServiceError} `upload_mismatch` if the object's size differs from the caller's, `file_too_large` */
export function requireSize(
  actualBytes: number,
  announcedBytes: number,
  bytesMax: number,
  path = 'file_size_bytes',
): void {
  if (actualBytes > bytesMax) {
    throw new ServiceError('file_too_large', `The file has ${actualBytes} bytes; the limit is ${bytesMax}.`);
  }
  if (actualBytes !== announcedBytes) {
    const message = `is ${announcedBytes}, but the uploaded file has ${actualBytes} bytes; upload it again or correct it`;
    throw new ServiceError('upload_mismatch', `${path}: ${message}`, {
      details: [{ path, message, actual: actualBytes }],
    });
  }
}
