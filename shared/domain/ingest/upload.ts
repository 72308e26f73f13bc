import { ServiceError } from '../../errors/service-error.ts';

/** How long an upload URL works. */
export const UPLOAD_URL_SECONDS = 3600;

const uploadKey = /(?:^|\/)(uploads\/([^/]+)\/([0-9a-f-]{36})\/[^/]+)$/;

/**
 * The dataset id that an upload key of the team carries. Clients may send the key itself or the path of the upload
 * URL, which begins with the bucket where buckets are addressed by path.
 * @throws {ServiceError} `upload_missing`, alike for another team's key and for one that never was
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
    // A stray % is part of the key that was sent; it then matches nothing below.
  }
  const [, key, team, datasetId] = uploadKey.exec(text) ?? [];
  if (key === undefined || team !== teamId || datasetId === undefined) throw uploadMissing(path);
  return { key, datasetId };
}

export function uploadMissing(path: string): ServiceError {
  const message =
    'no file was uploaded: PUT it to the upload URL first, and complete the upload within two days';
  return new ServiceError('upload_missing', `${path}: ${message}`, { details: [{ path, message }] });
}

/**
 * @throws {ServiceError} `upload_mismatch` where the object has another size than the caller says, `file_too_large`
 */
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
