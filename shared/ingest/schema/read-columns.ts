import * as z from 'zod';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { TraceHeaders } from '#shared/platform/schema/trace-headers.ts';
import { BATCH_FILES_MAX } from './uploads.ts';

/** Requests and responses of the function that reads the columns of uploaded files. */

export const UploadToRead = z.object({
  key: z.string(),
  /** What messages call the file; null where they do not name it. */
  name: z.string().nullable(),
  format: TabularFormat,
  bytes: z.int().min(0),
});
export type UploadToRead = z.infer<typeof UploadToRead>;

export const ReadColumnsRequest = z.object({
  files: z.array(UploadToRead).min(1).max(BATCH_FILES_MAX),
  trace: TraceHeaders.optional(),
});
export type ReadColumnsRequest = z.infer<typeof ReadColumnsRequest>;

/** The columns of the first file, and of the next one that has others: no caller asks for more, and 500 lists are large. */
export const UploadedColumns = z.object({
  columns: z.array(z.string()),
  other: z.object({ index: z.int().min(1), columns: z.array(z.string()) }).nullable(),
});
export type UploadedColumns = z.infer<typeof UploadedColumns>;

/** A file that cannot be read is data here, so that its code, message and details reach the caller. */
export const ReadColumnsReply = z.union([
  UploadedColumns,
  z.object({
    refusal: z.object({
      code: z.enum(['file_empty', 'file_unreadable']),
      message: z.string(),
      details: z.array(z.looseObject({ path: z.string(), message: z.string() })),
    }),
  }),
]);
export type ReadColumnsReply = z.infer<typeof ReadColumnsReply>;
