import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { digitsOf, uuidOf } from '#shared/training/decide/model-name.ts';

/** The id of a thing in OpenAI's API, which is the prefix of its kind and the digits of its own id. */
export const openaiId = (prefix: 'file-' | 'ftjob-' | 'batch_', uuid: string): string =>
  `${prefix}${digitsOf(uuid)}`;

/** The own id of a thing; null for what is no id of its kind. Takes the own id too. */
export function ownId(prefix: 'file-' | 'ftjob-' | 'batch_', id: string): string | null {
  if (id.startsWith(prefix)) return uuidOf(id.slice(prefix.length));
  return uuidOf(digitsOf(id));
}

/** The file id of a dataset. */
export const fileIdOf = (datasetId: string): string => openaiId('file-', datasetId);

/**
 * The dataset of a file id.
 * @throws {ServiceError} `dataset_not_found`
 */
export function datasetIdOf(fileId: string, path = 'file_id'): string {
  const id = ownId('file-', fileId);
  if (id !== null) return id;
  throw new ServiceError(
    'dataset_not_found',
    `${path}: there is no file with this id in your team. Upload it with POST /api/v1/files, or list your files.`,
    { details: [{ path, message: 'is not the id of a file' }] },
  );
}

/** Seconds since the epoch of an ISO 8601 time. */
export const unixSeconds = (at: string): number => Math.floor(Date.parse(at) / 1000);
