import * as z from 'zod';
import { FileFormat, ImageColumnFormat } from '#shared/platform/schema/file-format.ts';

/** Profile of a column from reading the file, so that a mapping can be checked without its rows. */
export const ColumnProfile = z.object({
  is_empty: z.boolean(),
  /** How many cells decided, where these are few: rows that follow can decide instead. Absent where they decided for good. */
  cells: z.int().min(1).optional(),
  /** Its first cell that holds something other than a conversation; null where its cells are conversations. */
  not_chat: z.object({ row: z.int().min(0), problem: z.string() }).nullable(),
  /** How its cells hold images; null where they do not. */
  image_format: ImageColumnFormat.nullable(),
  /** Where `image_format` is null: how they hold images if a mapping says that they do. Links need no image's extension. */
  mapped_image_format: ImageColumnFormat.optional(),
  /**
   * Of a column that is read by its name (`history`, `tools`, `functions`): that its cells mostly hold something else. Absent of
   * others, and of files that were read before this was looked at.
   */
  unlike_name: z.literal(true).optional(),
  /** Of such a column: that more of its cells hold what is read of it than something else. Absent where they are empty or hold nothing. */
  like_name: z.literal(true).optional(),
});
export type ColumnProfile = z.infer<typeof ColumnProfile>;

/** A column as the file has it; `type` is a DuckDB type name (`VARCHAR`, `BIGINT`, `JSON`, …). */
export const RowsColumn = z.object({
  name: z.string(),
  type: z.string(),
  /** Absent of columns that were not looked at. */
  profile: ColumnProfile.optional(),
});
export type RowsColumn = z.infer<typeof RowsColumn>;

export const RowsChunk = z.object({
  key: z.string(),
  first_row: z.int().min(0),
  row_count: z.int().min(1),
  bytes: z.int().min(1),
});
export type RowsChunk = z.infer<typeof RowsChunk>;

/** What a reader tells of a file that it has read. */
export const FileWarning = z.object({
  code: z.string().describe('Stable code of the warning.'),
  message: z.string().describe('What was read differently, or left out.'),
});
export type FileWarning = z.infer<typeof FileWarning>;

/**
 * What a dataset's canonical chunks hold. A chunk is JSONL, one object a row; each value is the cell's own JSON
 * text, so that what comes back is what went in. Row `first_row + line` of the dataset is line `line` of a chunk.
 */
export const RowsManifest = z.object({
  version: z.literal(1),
  row_count: z.int().min(0),
  columns: z.array(RowsColumn),
  source_format: FileFormat,
  chunks: z.array(RowsChunk),
  /** Warnings of the reader for the caller. */
  warnings: z.array(FileWarning),
});
export type RowsManifest = z.infer<typeof RowsManifest>;
