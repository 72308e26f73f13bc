import type { RowsColumn } from '../schema/rows-manifest.ts';
import type { CanonicalChunk } from './chunk-builder.ts';
import { readJsonLayout } from './json-layout.ts';
import { JsonReader } from './json-reader.ts';
import { JsonlReader } from './jsonl-reader.ts';
import { SAMPLE_BYTES } from './limits.ts';
import type { ReadWarning, RowReader } from './row-reader.ts';

/** Reads JSON, one array or lines: what the text begins with decides, whatever its format was announced as. */
export class JsonTextReader implements RowReader {
  readonly #announced: 'json' | 'jsonl';
  readonly #warnings: ReadWarning[] = [];
  /** The text's beginning, until it is long enough to tell how it is laid out. */
  #head: Buffer[] = [];
  #headBytes = 0;
  #reader: RowReader | null = null;

  constructor(announced: 'json' | 'jsonl') {
    this.#announced = announced;
  }

  get rowCount(): number {
    return this.#reader?.rowCount ?? 0;
  }

  get columns(): RowsColumn[] {
    return this.#reader?.columns ?? [];
  }

  get warnings(): ReadWarning[] {
    return [...this.#warnings, ...(this.#reader?.warnings ?? [])];
  }

  takeChunks(): CanonicalChunk[] {
    return this.#reader?.takeChunks() ?? [];
  }

  push(block: Buffer): void {
    if (this.#reader !== null) {
      this.#reader.push(block);
      return;
    }
    this.#head.push(block);
    this.#headBytes += block.length;
    if (this.#headBytes >= SAMPLE_BYTES) this.#begin().push(this.#takeHead());
  }

  end(): void {
    if (this.#reader === null) this.#begin().push(this.#takeHead());
    this.#reader?.end();
  }

  #takeHead(): Buffer {
    const head = Buffer.concat(this.#head);
    this.#head = [];
    return head;
  }

  /** Chooses the reader, and leaves in the head what it is to read. */
  #begin(): RowReader {
    const head = Buffer.concat(this.#head);
    const layout = readJsonLayout(head, this.#announced);
    const format = layout?.format ?? this.#announced;
    if (format !== this.#announced && layout?.under === null) {
      this.#warnings.push({
        code: 'format_detected',
        message: `The file was announced as ${this.#announced}, and was read as ${
          format === 'json' ? 'a JSON array' : 'JSON Lines'
        }, which it is.`,
      });
    }
    if (layout !== null && layout.format === 'json') {
      this.#reader = new JsonReader({ offset: layout.start, under: layout.under });
      this.#head = [head.subarray(layout.start)];
    } else {
      this.#reader = format === 'json' ? new JsonReader() : new JsonlReader();
    }
    return this.#reader;
  }
}
