import * as z from 'zod';
import { FileFormat } from './dataset.ts';

/** Largest file that is taken, in bytes: 2 GiB. */
export const UPLOAD_BYTES_MAX = 2_147_483_648;

const FileSize = z.int().min(0).max(UPLOAD_BYTES_MAX);
const Sha256 = z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits');

/** Spec §4.13. */
export const InitiateUploadRequest = z.strictObject({
  name: z.string().min(1).max(255),
  file_format: FileFormat,
});

/** `s3_key` is more than the spec promises: clients otherwise take it from the path of the URL. */
export const InitiateUploadResponse = z.object({ upload_url: z.string(), s3_key: z.string() });

export const CompleteUploadRequest = z.strictObject({
  s3_key: z.string().min(1).max(1024),
  name: z.string().min(1).max(255),
  file_format: FileFormat,
  file_size_bytes: FileSize,
  sha256: Sha256.optional(),
  defer_adaption: z.boolean().optional(),
});
export type CompleteUploadRequest = z.infer<typeof CompleteUploadRequest>;

export const CompleteUploadByIdRequest = z.strictObject({
  file_size_bytes: FileSize,
  sha256: Sha256.optional(),
});

export const CompleteUploadResponse = z.object({ dataset_id: z.string(), status: z.string() });

/** Files that one batch takes. */
export const BATCH_FILES_MAX = 500;

const BatchFile = z.strictObject({
  file_name: z.string().min(1).max(255),
  file_format: FileFormat,
  file_size_bytes: FileSize,
});

const someOf = <T extends z.ZodType>(file: T) =>
  z
    .array(file)
    .min(1)
    .max(BATCH_FILES_MAX)
    .transform((files) => files as [z.output<T>, ...z.output<T>[]]);

export const InitiateBatchRequest = z.strictObject({
  name: z.string().min(1).max(255),
  files: someOf(BatchFile),
  defer_adaption: z.boolean().optional(),
});
export type InitiateBatchRequest = z.infer<typeof InitiateBatchRequest>;

export const InitiateBatchResponse = z.object({
  dataset_id: z.string(),
  uploads: z.array(z.object({ file_name: z.string(), upload_url: z.string(), s3_key: z.string() })),
});

/** `defer_adaption` overrides what the batch was initiated with. */
export const CompleteBatchRequest = z.strictObject({
  dataset_id: z.string().min(1).max(200),
  files: someOf(BatchFile.extend({ s3_key: z.string().min(1).max(1024) })),
  defer_adaption: z.boolean().optional(),
});
export type CompleteBatchRequest = z.infer<typeof CompleteBatchRequest>;

/** The files of a batch, in the order of their rows. It is kept as an object of the dataset. */
export const Batch = z.array(z.object({ name: z.string(), format: FileFormat, upload_key: z.string() }));
export type Batch = z.infer<typeof Batch>;
