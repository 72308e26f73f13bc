import type { ImageColumnFormat } from '#shared/schema/dataset.ts';
import type { ColumnProfile, RowsColumn } from '#shared/schema/rows-manifest.ts';
import { readTurns } from '../adaptation/chat-turns.ts';
import { imageFormatOf } from '../images/image-cell.ts';
import type { CanonicalChunk } from './chunk-builder.ts';
import { isSlice } from './member-slots.ts';
import { cellText, INCOMPLETE, ObjectScanner, scannedKey } from './raw-object.ts';

/** Columns that are looked at: what is known of them is kept with the dataset's record, which has its limits. */
export const PROFILED_COLUMNS_MAX = 500;

/** Cells that decide whether a column is one of images: those at its beginning that hold something. */
const IMAGE_CELLS = 100;

const NEWLINE = 0x0a;

interface ColumnState {
  readonly name: string;
  /** The key as a canonical line has it, with its quotes. */
  readonly written: Buffer;
  cells: number;
  notChat: ColumnProfile['not_chat'];
  readonly images: Map<ImageColumnFormat, number>;
}

/**
 * Learns from canonical chunks whether columns hold conversations or images. A cell is decoded only while it can
 * change the verdict on its column, and no line is read once all verdicts stand: of most files that is after the
 * first hundred rows.
 */
export class ColumnProfiler {
  readonly #scanner = new ObjectScanner();
  readonly #states: ColumnState[] = [];
  readonly #byName = new Map<string, ColumnState>();

  /** Takes the file's next chunks; `names` are the columns that are known by now. */
  look(chunks: readonly CanonicalChunk[], names: readonly string[]): void {
    if (chunks.length === 0) return;
    for (const name of names.slice(this.#states.length, PROFILED_COLUMNS_MAX)) {
      const state: ColumnState = {
        name,
        written: Buffer.from(JSON.stringify(name), 'utf8'),
        cells: 0,
        notChat: null,
        images: new Map(),
      };
      this.#states.push(state);
      this.#byName.set(name, state);
    }
    for (const chunk of chunks) this.#lookAt(chunk);
  }

  /** The columns with what was seen of them. */
  profiled(columns: readonly RowsColumn[]): RowsColumn[] {
    return columns.map((column) => {
      const state = this.#byName.get(column.name);
      return state === undefined ? column : { ...column, profile: profileOf(state) };
    });
  }

  #lookAt({ body, firstRow }: CanonicalChunk): void {
    let row = firstRow;
    for (let start = 0; start < body.length && !this.#states.every(isDecided); row += 1) {
      const end = body.indexOf(NEWLINE, start);
      this.#lookAtLine(body, start, end, row);
      start = end + 1;
    }
  }

  #lookAtLine(body: Buffer, start: number, end: number, row: number): void {
    const scanner = this.#scanner;
    if (scanner.scan(body, start, end) === INCOMPLETE) {
      throw new Error('a canonical line does not hold one JSON object');
    }
    for (let index = 0; index < scanner.count; index += 1) {
      const state = this.#stateAt(body, index);
      if (state === undefined || isDecided(state)) continue;
      const raw = body.toString('utf8', scanner.valueStarts[index], scanner.valueEnds[index]);
      const text = cellText(raw);
      if (text !== null && text.trim() !== '') observe(state, text, row);
    }
  }

  /** Lines mostly have the same keys in the same places. */
  #stateAt(body: Buffer, index: number): ColumnState | undefined {
    const expected = this.#states[index];
    const { keyStarts, keyEnds } = this.#scanner;
    if (
      expected !== undefined &&
      isSlice(expected.written, body, keyStarts[index] ?? 0, keyEnds[index] ?? 0)
    ) {
      return expected;
    }
    return this.#byName.get(scannedKey(body, this.#scanner, index));
  }
}

function isDecided({ cells, notChat }: ColumnState): boolean {
  return notChat !== null && cells >= IMAGE_CELLS;
}

function observe(state: ColumnState, text: string, row: number): void {
  state.cells += 1;
  if (state.notChat === null) {
    const turns = readTurns(text);
    if (typeof turns === 'string') state.notChat = { row, problem: turns };
  }
  if (state.cells <= IMAGE_CELLS && state.notChat !== null) {
    const format = imageFormatOf(text);
    if (format !== null) state.images.set(format, (state.images.get(format) ?? 0) + 1);
  }
}

function profileOf({ cells, notChat, images }: ColumnState): ColumnProfile {
  const [commonest] = [...images].sort(([, a], [, b]) => b - a);
  const imageCells = [...images.values()].reduce((sum, count) => sum + count, 0);
  const isImages = imageCells * 2 > Math.min(cells, IMAGE_CELLS);
  return {
    is_empty: cells === 0,
    not_chat: notChat,
    image_format: isImages ? (commonest?.[0] ?? null) : null,
  };
}
