import * as z from 'zod';

export const TabularFormat = z.enum(['csv', 'json', 'jsonl', 'parquet']);
export type TabularFormat = z.infer<typeof TabularFormat>;

/** A column as the file has it; `type` is a DuckDB type name (`VARCHAR`, `BIGINT`, `JSON`, …). */
export const RowsColumn = z.object({ name: z.string(), type: z.string() });
export type RowsColumn = z.infer<typeof RowsColumn>;

export const RowsChunk = z.object({
  key: z.string(),
  first_row: z.int().min(0),
  row_count: z.int().min(1),
  bytes: z.int().min(1),
});
export type RowsChunk = z.infer<typeof RowsChunk>;

/**
 * What a dataset's canonical chunks hold. A chunk is JSONL, one object a row; each value is the cell's own JSON
 * text, so that what comes back is what went in. Row `first_row + line` of the dataset is line `line` of a chunk.
 */
export const RowsManifest = z.object({
  version: z.literal(1),
  row_count: z.int().min(0),
  columns: z.array(RowsColumn),
  source_format: TabularFormat,
  chunks: z.array(RowsChunk),
  /** What the reader had to mend or could not tell, in words for the caller. */
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});
export type RowsManifest = z.infer<typeof RowsManifest>;
