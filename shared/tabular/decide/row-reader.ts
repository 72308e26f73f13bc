import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import type { RowsColumn } from '../schema/rows-manifest.ts';
import type { CanonicalChunk } from './chunk-builder.ts';

export interface ReadWarning {
  readonly code: string;
  readonly message: string;
}

/** The warning of rows without content; none where there were none. */
export function emptyRowsLeftOut(count: number): ReadWarning[] {
  if (count === 0) return [];
  const message = `${count} rows at the end of the file have no content; they were left out.`;
  return [{ code: 'rows_empty', message }];
}

/**
 * Converts a file's text to canonical chunks in a streaming way. `push` takes valid UTF-8 split at character boundaries
 * (see `TextBlocks`); `takeChunks` is called after each push, so that at most one chunk is in memory. `columns` and
 * `warnings` are complete after `end`. All of them throw `file_unreadable` or `file_empty`.
 */
export interface RowReader {
  push(block: Buffer): void;
  end(): void;
  takeChunks(): CanonicalChunk[];
  readonly rowCount: number;
  readonly columns: RowsColumn[];
  readonly warnings: ReadWarning[];
}

export type TextFormat = Exclude<TabularFormat, 'parquet'>;
