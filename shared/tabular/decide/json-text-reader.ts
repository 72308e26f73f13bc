import type { RowsColumn } from '../schema/rows-manifest.ts';
import type { CanonicalChunk } from './chunk-builder.ts';
import { readJsonLayout } from './json-layout.ts';
import { JsonReader } from './json-reader.ts';
import { JsonTableReader, readTableShape, type TableShape } from './json-table-reader.ts';
import { JsonlReader } from './jsonl-reader.ts';
import { SAMPLE_BYTES } from './limits.ts';
import type { ReadWarning, RowReader } from './row-reader.ts';
import { SetAside } from './set-aside.ts';

/** Reads JSON, one array, lines, or one object with a table: what the text begins with decides, whatever its format was announced as. */
export class JsonTextReader implements RowReader {
  readonly #announced: 'json' | 'jsonl';
  readonly #warnings: ReadWarning[] = [];
  /** The text's beginning, until it is long enough to tell how it is laid out. */
  #head: Buffer[] = [];
  #headBytes = 0;
  #reader: RowReader | null = null;

  readonly #setAside: SetAside;

  constructor(announced: 'json' | 'jsonl', setAside = new SetAside()) {
    this.#announced = announced;
    this.#setAside = setAside;
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
    if (this.#headBytes >= SAMPLE_BYTES) this.#begin();
  }

  end(): void {
    const reader = this.#reader ?? this.#begin();
    reader.end();
  }

  /** Chooses the reader, and gives it what has come so far. */
  #begin(): RowReader {
    const head = Buffer.concat(this.#head);
    this.#head = [];
    const shape = tableShapeOf(head, this.#announced);
    if (shape !== null) {
      const table = new JsonTableReader(shape);
      table.push(head);
      this.#reader = table;
      return table;
    }
    const layout = readJsonLayout(head, this.#announced);
    const format = layout?.format ?? this.#announced;
    if (layout?.under === null && (format !== this.#announced || layout.isSequence === true)) {
      this.#warnings.push({
        code: 'format_detected',
        message: `The file was announced as ${this.#announced}, and was read as ${
          layout.isSequence === true
            ? 'JSON objects one behind another'
            : format === 'json'
              ? 'a JSON array'
              : 'JSON Lines'
        }, which it is.`,
      });
    }
    const start = layout?.format === 'json' ? layout.start : 0;
    const reader =
      format === 'json'
        ? new JsonReader(
            { offset: start, under: layout?.under ?? null, isSequence: layout?.isSequence === true },
            this.#setAside,
          )
        : new JsonlReader(this.#setAside);
    reader.push(head.subarray(start));
    this.#reader = reader;
    return reader;
  }
}

/**
 * The shape of a table in one object; null where the text has rows of another layout. One that was announced as lines is a table only
 * where it is one object whose members all have the keys "0", "1" and so on, as pandas writes a table.
 */
export function tableShapeOf(head: Buffer, announced: 'json' | 'jsonl'): Exclude<TableShape, 'split'> | null {
  const shape = readTableShape(head);
  if (announced === 'jsonl') return shape === 'columns' && isOfPandas(head) ? shape : null;
  return shape === 'hub' || (shape !== null && readJsonLayout(head, 'json') === null) ? shape : null;
}

function isOfPandas(head: Buffer): boolean {
  if (head.length >= SAMPLE_BYTES) return false;
  try {
    const columns = Object.values(JSON.parse(head.toString('utf8')) as object).map((column: unknown) =>
      typeof column === 'object' && column !== null ? Object.keys(column) : [],
    );
    return (
      columns.length > 1 &&
      columns.every((keys) => keys.length > 1 && keys.every((key, n) => key === String(n)))
    );
  } catch {
    return false;
  }
}
