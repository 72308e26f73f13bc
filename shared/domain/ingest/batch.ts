import { invalidField } from '../../errors/from-zod.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { FileFormat } from '../../schema/dataset.ts';
import { TabularFormat } from '../../schema/rows-manifest.ts';
import { type InitiateBatchRequest, UPLOAD_BYTES_MAX } from '../../schema/uploads.ts';
import { formatBytes } from '../tabular/file-error.ts';
import { fileNameOf } from './source.ts';
import { readUploadKey, uploadMissing } from './upload.ts';

/** Names in keys are cut from the left, and the number must stay. */
const NAME_CHARACTERS_MAX = 100;

type BatchFile = InitiateBatchRequest['files'][number];

/** Text is taken among tables and among documents; a batch of nothing else is a table. */
function kindOf(format: FileFormat): 'tabular' | 'documents' | 'either' {
  if (format === 'txt') return 'either';
  return TabularFormat.safeParse(format).success ? 'tabular' : 'documents';
}

/**
 * A batch has either tables or documents.
 * @throws {ServiceError} `invalid_request` where they are mixed, `file_too_large`
 */
export function requireBatch(
  files: readonly [BatchFile, ...BatchFile[]],
  bytesMax: number = UPLOAD_BYTES_MAX,
): void {
  const first = files.find(({ file_format }) => kindOf(file_format) !== 'either');
  const kind = first === undefined ? 'tabular' : kindOf(first.file_format);
  const other = files.findIndex(({ file_format }) => ![kind, 'either'].includes(kindOf(file_format)));
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

/** The name under which file `n` of a batch is uploaded: two of its files may have one name. */
export function batchFileName(n: number, name: string, format: FileFormat): string {
  return `${String(n).padStart(3, '0')}-${fileNameOf(name, format).slice(-NAME_CHARACTERS_MAX)}`;
}

/**
 * The upload keys of a batch.
 * @throws {ServiceError} `upload_missing` for a key of another dataset or team, `invalid_request` where one comes twice
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
