import { ChunkBuilder } from '../decide/chunk-builder.ts';
import { ColumnProfiler } from '../decide/column-profiler.ts';
import type { RowsColumn, RowsManifest } from '../schema/rows-manifest.ts';
import { ChunkSink, type WriteChunk } from './chunk-sink.ts';

export interface WriteRowsOptions {
  /** Canonical lines, in blocks of complete lines. */
  readonly rows: AsyncIterable<Buffer>;
  readonly columns: readonly RowsColumn[];
  readonly writeChunk: WriteChunk;
  readonly chunkKey: (n: number) => string;
}

const NEWLINE = 0x0a;

/** Writes canonical lines as chunks, and profiles the columns. Holds a few chunks at a time. */
export async function writeRows(
  options: WriteRowsOptions,
): Promise<Pick<RowsManifest, 'row_count' | 'columns' | 'chunks'>> {
  const sink = new ChunkSink(options.writeChunk, options.chunkKey);
  const profiler = new ColumnProfiler();
  const builder = new ChunkBuilder(() => `row ${builder.rowCount}`, Number.POSITIVE_INFINITY);
  const names = options.columns.map(({ name }) => name);
  const pass = async (): Promise<void> => {
    const chunks = builder.takeChunks();
    profiler.look(chunks, names);
    await sink.add(chunks);
  };
  try {
    for await (const block of options.rows) {
      for (let start = 0; start < block.length; ) {
        const end = block.indexOf(NEWLINE, start) + 1;
        if (end === 0) throw new Error('a block of rows ends within a line');
        builder.reserve(end - start);
        builder.length += block.copy(builder.bytes, builder.length, start, end);
        builder.endRow();
        start = end;
      }
      await pass();
    }
    builder.finish();
    await pass();
    await sink.finish();
    return {
      row_count: builder.rowCount,
      columns: profiler.profiled(options.columns),
      chunks: sink.chunks,
    };
  } finally {
    await sink.settle();
  }
}
