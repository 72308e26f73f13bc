import * as z from 'zod';
import { UploadInstructions } from '#shared/datasets/schema/dataset.ts';
import {
  count,
  DatasetId,
  DatasetParams,
  DateTime,
  ErrorData,
  jsonObject,
  text,
} from '#shared/platform/schema/common.ts';
import { FileFormat } from '#shared/platform/schema/file-format.ts';
import { UPLOAD_BYTES_MAX } from './uploads.ts';

/** Rows of one request at most; the body is limited to 4 MiB anyway. */
const ROWS_MAX = 100_000;

const FileSize = z.int().min(0).max(UPLOAD_BYTES_MAX);

const Row = jsonObject('must be an object: cells by column');

export const AppendRequest = z
  .strictObject({
    rows: z
      .array(Row)
      .min(1)
      .max(ROWS_MAX)
      .optional()
      .meta({ example: [{ question: 'How do I reset my password?', answer: 'Settings, then Reset.' }] })
      .describe(
        'Rows to append, 1 to 100,000: cells by column. A column that a row leaves out is null there. A body has at most 4 MiB.',
      ),
    file: z
      .strictObject({
        name: z.string().min(1).max(255).describe('Name of the file, 1 to 255 characters.'),
        file_format: FileFormat.optional().describe(
          'Format of the file. Default: by the extension of `name`.',
        ),
        file_size_bytes: FileSize.optional().describe(
          'Size of the file in bytes, 0 to 2,147,483,648. If given, the URL takes a file of this size only.',
        ),
      })
      .optional()
      .describe(
        'Asks where to upload a file with rows. Send its `s3_key` in a second request once it is there.',
      ),
    s3_key: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe('Object key of an uploaded file, from the response to a request with `file`.'),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
      .optional()
      .describe('With `s3_key`: SHA-256 of the file, 64 hexadecimal digits. If given, it is checked.'),
  })
  .meta({ id: 'AppendRequest', description: 'Exactly one of `rows`, `file` and `s3_key`.' });
export type AppendRequest = z.infer<typeof AppendRequest>;

const AppendId = text('5d0c2b7e-8f14-4a3d-9b6e-1c7a4f2e8d05');

export const AppendStatus = z.enum(['awaiting_upload', 'pending', 'succeeded', 'failed']);

export const Append = z
  .object({
    append_id: AppendId.nullable().describe('Id of the append; null while its file is not uploaded.'),
    dataset_id: DatasetId,
    status: AppendStatus.meta({ example: 'pending' }).describe(
      '`awaiting_upload` in the answer to `file`. `pending` until the rows are there: they wait for an active run. `failed`: nothing was appended.',
    ),
    appended_rows: count(1).nullable().describe('Rows of the append; null until they are read.'),
    version: z
      .int()
      .min(1)
      .nullable()
      .describe('Version of the dataset with these rows; null until they are there.'),
    upload_instructions: UploadInstructions.nullable()
      .meta({ example: null })
      .describe('Where to send the file of a request with `file`; null otherwise.'),
    error_data: ErrorData.nullable().describe('Why the append failed; null otherwise.'),
    created_at: DateTime.describe('Time of the request, ISO 8601 in UTC.'),
    ended_at: DateTime.nullable()
      .meta({ example: null })
      .describe('Time at which the append ended, ISO 8601 in UTC; null until then.'),
  })
  .meta({ id: 'Append' });
export type Append = z.infer<typeof Append>;

export const AppendParams = DatasetParams.extend({
  append_id: AppendId.min(1).max(100).describe('Id of the append.'),
});
