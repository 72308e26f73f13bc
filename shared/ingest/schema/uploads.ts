import * as z from 'zod';
import { RedactPersonalData, UnreadableShare, UploadInstructions } from '#shared/datasets/schema/dataset.ts';
import { DatasetId, text } from '#shared/platform/schema/common.ts';
import { FileFormat } from '#shared/platform/schema/file-format.ts';

/** Largest file that is taken, in bytes: 2 GiB. */
export const UPLOAD_BYTES_MAX = 2_147_483_648;

const { url: UploadUrl, s3_key: UploadKey } = UploadInstructions.shape;
const DatasetName = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'Name of the dataset, 1 to 255 characters.', example: 'support-answers' });
const FileSize = z.int().min(0).max(UPLOAD_BYTES_MAX).meta({ example: 48_213 });
const Sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
  .optional()
  .describe('SHA-256 of the file, 64 hexadecimal digits. If given, it is checked.');

/** Spec §4.13. */
export const InitiateUploadRequest = z.strictObject({
  name: DatasetName,
  file_format: FileFormat.describe('Format of the file.'),
  file_size_bytes: FileSize.optional().describe(
    'Size of the file in bytes, 0 to 2,147,483,648. If given, the URL takes a file of this size only.',
  ),
});

/** `s3_key` is more than the spec promises: clients otherwise take it from the path of the URL. */
export const InitiateUploadResponse = z.object({
  upload_url: UploadUrl.describe('URL to which the file is sent with HTTP PUT, valid for one hour.'),
  s3_key: UploadKey.describe('Object key of the file; pass it to `POST /api/v1/datasets/upload/complete`.'),
});

export const CompleteUploadRequest = z.strictObject({
  s3_key: UploadKey.min(1)
    .max(1024)
    .describe('Object key from the response of `POST /api/v1/datasets/upload/initiate`.'),
  name: DatasetName,
  file_format: FileFormat.describe('Format of the file.'),
  file_size_bytes: FileSize.describe(
    'Size of the uploaded file in bytes, 0 to 2,147,483,648. Another size is refused.',
  ),
  sha256: Sha256,
  defer_adaption: z
    .boolean()
    .optional()
    .describe('If true, the file is stored and not read until `start-adaption` is called. Default: false.'),
  max_unreadable_share: UnreadableShare,
  redact_personal_data: RedactPersonalData,
});
export type CompleteUploadRequest = z.infer<typeof CompleteUploadRequest>;

export const CompleteUploadByIdRequest = z.strictObject({
  file_size_bytes: FileSize.describe(
    'Size of the uploaded file in bytes, 0 to 2,147,483,648. Another size is refused.',
  ),
  sha256: Sha256,
});

export const CompleteUploadResponse = z.object({
  dataset_id: DatasetId,
  status: text('pending').describe(
    'Status of the dataset, or `preprocessing_failed` when the files of a batch do not have the same columns.',
  ),
});

/** Files that one batch takes. */
export const BATCH_FILES_MAX = 500;

/** Formats of images that the rows of a batch's tables refer to by file name. */
export const ImageFileFormat = z.enum(['png', 'jpg', 'jpeg', 'gif', 'webp']);
export type ImageFileFormat = z.infer<typeof ImageFileFormat>;

export const BatchFileFormat = z.enum([...FileFormat.options, ...ImageFileFormat.options]);
export type BatchFileFormat = z.infer<typeof BatchFileFormat>;

/** The example of the key of a batch's file, whose name begins with its number. */
const BATCH_KEY =
  'uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/0-may.csv';

const BatchFile = z.strictObject({
  file_name: z
    .string()
    .min(1)
    .max(255)
    .meta({ example: 'may.csv' })
    .describe(
      'Name of the file, 1 to 255 characters, unique in the batch. Rows refer to an image by its name, which may be a path.',
    ),
  file_format: BatchFileFormat.describe(
    'Format of the file. A batch holds either documents or tables; beside tables it may hold the images that their cells name.',
  ),
  file_size_bytes: FileSize.describe('Size of the file in bytes, 0 to 2,147,483,648.'),
});

const someOf = <T extends z.ZodType>(file: T) =>
  z
    .array(file)
    .min(1)
    .max(BATCH_FILES_MAX)
    .transform((files) => files as [z.output<T>, ...z.output<T>[]]);

export const InitiateBatchRequest = z.strictObject({
  name: DatasetName,
  files: someOf(BatchFile).describe('Files of the batch, 1 to 500.'),
  defer_adaption: z
    .boolean()
    .optional()
    .describe('If true, the files are stored and not read until `start-adaption` is called. Default: false.'),
  max_unreadable_share: UnreadableShare,
  redact_personal_data: RedactPersonalData,
});
export type InitiateBatchRequest = z.infer<typeof InitiateBatchRequest>;

export const InitiateBatchResponse = z.object({
  dataset_id: DatasetId,
  uploads: z
    .array(
      z.object({
        file_name: text('may.csv').describe('Name of the file, as in the request.'),
        upload_url: UploadUrl.meta({
          example: `https://tunesmith.s3.amazonaws.com/${BATCH_KEY}?X-Amz-Expires=3600`,
        }).describe('URL to which the file is sent with HTTP PUT, valid for one hour.'),
        s3_key: UploadKey.meta({ example: BATCH_KEY }).describe(
          'Object key of the file; pass it to `POST /api/v1/datasets/upload/complete-batch`.',
        ),
      }),
    )
    .describe('One entry per file, in the order of the request.'),
});

/** `defer_adaption` overrides what the batch was initiated with. */
export const CompleteBatchRequest = z.strictObject({
  dataset_id: DatasetId.min(1)
    .max(200)
    .describe('Id of the dataset from the response of `POST /api/v1/datasets/upload/initiate-batch`.'),
  files: someOf(
    BatchFile.extend({
      s3_key: UploadKey.min(1)
        .max(1024)
        .meta({ example: BATCH_KEY })
        .describe('Object key of the file from the response of `initiate-batch`.'),
    }),
  ).describe(
    'Uploaded files, 1 to 500. Their rows are joined in this order; files of the batch that are not named stay out.',
  ),
  defer_adaption: z.boolean().optional().describe('Overrides `defer_adaption` of the batch.'),
});
export type CompleteBatchRequest = z.infer<typeof CompleteBatchRequest>;

/** The files of a batch, in the order of their rows. It is kept as an object of the dataset. */
export const Batch = z.array(z.object({ name: z.string(), format: BatchFileFormat, upload_key: z.string() }));
export type Batch = z.infer<typeof Batch>;
