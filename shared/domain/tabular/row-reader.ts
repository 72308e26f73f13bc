import type { RowsColumn, TabularFormat } from '#shared/schema/rows-manifest.ts';
import type { CanonicalChunk } from './chunk-builder.ts';

export interface ReadWarning {
  readonly code: string;
  readonly message: string;
}

/**
 * Turns a file's text into canonical chunks while it streams through. `push` takes valid UTF-8 cut at character
 * boundaries (see `TextBlocks`); `takeChunks` is drained after each push, so that no more than a chunk is held.
 * `columns` and `warnings` are complete after `end`. All of them throw `file_unreadable` or `file_empty`.
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
