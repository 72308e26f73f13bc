import type { CanonicalChunk } from '../decide/chunk-builder.ts';
import type { RowsChunk } from '../schema/rows-manifest.ts';

/** Concurrent chunk writes: enough to hide an object store's latency, few enough to limit memory. */
const WRITES_MAX = 4;

export type WriteChunk = (n: number, body: Buffer) => Promise<void>;

/** Takes a reader's finished chunks, with the names of the columns known so far. */
export type TakeChunks = (chunks: readonly CanonicalChunk[], names: readonly string[]) => Promise<void>;

/** Writes chunks a few at a time, so that a slow store slows the reader down instead of filling memory. */
export class ChunkSink {
  readonly chunks: RowsChunk[] = [];
  readonly #writeChunk: WriteChunk;
  readonly #chunkKey: (n: number) => string;
  readonly #writing = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(writeChunk: WriteChunk, chunkKey: (n: number) => string) {
    this.#writeChunk = writeChunk;
    this.#chunkKey = chunkKey;
  }

  /** Takes chunks in row order; resolves when there is room for more. Throws the error of a failed write. */
  async add(chunks: readonly CanonicalChunk[]): Promise<void> {
    for (const { body, firstRow, rowCount } of chunks) {
      while (this.#writing.size >= WRITES_MAX) await Promise.race(this.#writing);
      this.#throwFailure();
      const n = this.chunks.length;
      this.chunks.push({
        key: this.#chunkKey(n),
        first_row: firstRow,
        row_count: rowCount,
        bytes: body.length,
      });
      const write = this.#writeChunk(n, body)
        .catch((error: unknown) => {
          this.#failure ??= { error };
        })
        .finally(() => this.#writing.delete(write));
      this.#writing.add(write);
    }
  }

  /** Waits for all running writes; throws the error of a failed one. */
  async finish(): Promise<void> {
    await this.settle();
    this.#throwFailure();
  }

  /** Waits for all running writes and ignores errors. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
