import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { FileFormat, TabularFormat } from '#shared/platform/schema/file-format.ts';
import { formatBytes } from '#shared/tabular/decide/file-error.ts';
import { pathBelow } from '#shared/tabular/decide/images/image-cell.ts';
import {
  type BatchFileFormat,
  ImageFileFormat,
  type InitiateBatchRequest,
  UPLOAD_BYTES_MAX,
} from '../schema/uploads.ts';
import { fileNameOf } from './source.ts';
import { readUploadKey, uploadMissing } from './upload.ts';

/** Long names lose their start in keys, so that the extension stays. */
const NAME_CHARACTERS_MAX = 100;

type BatchFile = InitiateBatchRequest['files'][number];

/** Whether a file of a batch contains rows; the others are images that rows refer to. */
export function holdsRows<T extends { readonly file_format: BatchFileFormat }>(
  file: T,
): file is T & { readonly file_format: FileFormat } {
  return FileFormat.safeParse(file.file_format).success;
}

/** Text files are allowed among tables and among documents; a batch of only text files is a table. */
function kindOf(format: BatchFileFormat): 'tabular' | 'documents' | 'either' | 'image' {
  if (ImageFileFormat.safeParse(format).success) return 'image';
  if (format === 'txt') return 'either';
  return TabularFormat.safeParse(format).success ? 'tabular' : 'documents';
}

/**
 * Images need unique names in the batch, and a table whose cells name them.
 * @throws {ServiceError} `invalid_request`
 */
function requireImages(files: readonly BatchFile[]): void {
  const images = files.flatMap(({ file_name, file_format }, index) =>
    kindOf(file_format) === 'image' ? [{ index, path: pathBelow(file_name) }] : [],
  );
  const [first] = images;
  if (first === undefined) return;
  for (const { index, path } of images) {
    const isRepeated = images.some((other) => other.index < index && other.path === path);
    if (path !== null && !isRepeated) continue;
    const problem = isRepeated ? 'is the name of two images' : 'leads out of the batch';
    throw invalidField(`files[${index}].file_name`, `${problem}; name each image as the cells name it`);
  }
  const kinds = new Set(files.map(({ file_format }) => kindOf(file_format)));
  if (kinds.has('documents') || kinds.size === 1) {
    throw invalidField(
      `files[${first.index}].file_format`,
      `is an image, and images go with tables (${TabularFormat.options.join(', ')}) whose cells name them; add the table`,
    );
  }
}

/**
 * A batch has either tables, with the images that they name, or documents.
 * @throws {ServiceError} `invalid_request` if they are mixed, `file_too_large`
 */
export function requireBatch(
  files: readonly [BatchFile, ...BatchFile[]],
  bytesMax: number = UPLOAD_BYTES_MAX,
): void {
  requireImages(files);
  const withRows = files.filter(holdsRows);
  const first = withRows.find(({ file_format }) => kindOf(file_format) !== 'either');
  const kind = first === undefined ? 'tabular' : kindOf(first.file_format);
  const other = files.findIndex(
    ({ file_format }) => ![kind, 'either', 'image'].includes(kindOf(file_format)),
  );
  if (first !== undefined && other !== -1) {
    throw invalidField(
      `files[${other}].file_format`,
      `is ${files[other]?.file_format}, but a batch holds either documents or tables (${TabularFormat.options.join(', ')}), and its first file is ${first.file_format}; send two batches`,
    );
  }
  const bytes = files.reduce((sum, { file_size_bytes }) => sum + file_size_bytes, 0);
  if (bytes > bytesMax) {
    throw new ServiceError(
      'file_too_large',
      `The batch has ${formatBytes(bytes)}; the limit is ${formatBytes(bytesMax)}. Send several batches and combine their datasets.`,
    );
  }
}

/** The upload name of file `n` of a batch: two of its files may have the same name. */
export function batchFileName(n: number, name: string, format: BatchFileFormat): string {
  return `${String(n).padStart(3, '0')}-${fileNameOf(name, format).slice(-NAME_CHARACTERS_MAX)}`;
}

/**
 * The upload keys of a batch.
 * @throws {ServiceError} `upload_missing` for a key of another dataset or team, `invalid_request` for a duplicate
 */
export function readBatchKeys(
  files: readonly { readonly s3_key: string }[],
  teamId: string,
  datasetId: string,
): string[] {
  const keys: string[] = [];
  for (const [index, { s3_key }] of files.entries()) {
    const path = `files[${index}].s3_key`;
    const read = readUploadKey(s3_key, teamId, path);
    if (read.datasetId !== datasetId) throw uploadMissing(path);
    if (keys.includes(read.key)) throw invalidField(path, 'is named twice; name each file once');
    keys.push(read.key);
  }
  return keys;
}
