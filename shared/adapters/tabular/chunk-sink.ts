import type { CanonicalChunk } from '#shared/domain/tabular/chunk-builder.ts';
import type { RowsChunk } from '#shared/schema/rows-manifest.ts';

/** Chunks being written at once: enough to hide an object store's latency, few enough to bound memory. */
const WRITES_MAX = 4;

export type WriteChunk = (n: number, body: Buffer) => Promise<void>;

/** Takes a reader's finished chunks, with the names of the columns that it knows by then. */
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

  /** Takes chunks in row order; resolves when there is room for more. Throws what a write threw. */
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

  /** Waits for every write that was begun; throws what one of them threw. */
  async finish(): Promise<void> {
    await this.settle();
    this.#throwFailure();
  }

  /** Waits for every write that was begun, whatever becomes of it. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
