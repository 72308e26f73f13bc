import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Encoded } from './packing.ts';
import type { CutText } from './text-format.ts';

/** The tokens of rows in a file, so that memory only holds an index. */
export class TextStore {
  readonly #file: number;
  readonly #textsOfRow: number;
  /** Start of each text in the file, in tokens, and start of the targets in the text. */
  readonly #offsets: number[] = [0];
  readonly #starts: number[] = [];
  /** Number of rows with a truncated text. */
  truncated = 0;

  constructor(path: string, textsOfRow: number) {
    this.#file = openSync(path, 'w+');
    this.#textsOfRow = textsOfRow;
  }

  get rows(): number {
    return this.#starts.length / this.#textsOfRow;
  }

  append(texts: readonly CutText[]): void {
    for (const { tokens, start } of texts) {
      const offset = this.#offsets.at(-1) ?? 0;
      writeSync(this.#file, tokens, 0, tokens.byteLength, offset * Int32Array.BYTES_PER_ELEMENT);
      this.#offsets.push(offset + tokens.length);
      this.#starts.push(start);
    }
    if (texts.some(({ isCut }) => isCut)) this.truncated += 1;
  }

  /** The texts of a row, by index. */
  read(row: number): Encoded[] {
    return Array.from({ length: this.#textsOfRow }, (_, text) => {
      const index = row * this.#textsOfRow + text;
      const [from = 0, to = 0] = this.#offsets.slice(index, index + 2);
      const tokens = new Int32Array(to - from);
      readSync(this.#file, tokens, 0, tokens.byteLength, from * Int32Array.BYTES_PER_ELEMENT);
      return { tokens, start: this.#starts[index] ?? 0 };
    });
  }

  close(): void {
    closeSync(this.#file);
  }
}
