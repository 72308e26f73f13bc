import type { ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import type { ColumnProfile, RowsColumn } from '../schema/rows-manifest.ts';
import { readTurns } from './chat-turns.ts';
import type { CanonicalChunk } from './chunk-builder.ts';
import { HISTORY, readHistory } from './forms/history.ts';
import { declaredTools, TOOLS, toolsOf } from './forms/tool-calls.ts';
import { imageFormatOf, linkFormatOf } from './images/image-cell.ts';
import { DECIDING_CELLS, decidedBy } from './joined-profile.ts';
import { isSlice } from './member-slots.ts';
import { cellText, INCOMPLETE, ObjectScanner, scannedKey } from './raw-object.ts';

/** Maximum number of profiled columns: the profile is part of the dataset's record, whose size is limited. */
export const PROFILED_COLUMNS_MAX = 500;

const NEWLINE = 0x0a;

interface ColumnState {
  readonly name: string;
  /** The key as in a canonical line, with its quotes. */
  readonly written: Buffer;
  cells: number;
  /** The first cell that is no conversation, and how many are none. */
  notChat: ColumnProfile['not_chat'];
  notChats: number;
  /** Cells by format: of images, and of what can be images if a mapping says so. */
  readonly images: Map<ImageColumnFormat, number>;
  readonly mapped: Map<ImageColumnFormat, number>;
  /** Cells that hold what is read of columns with its name, less those that hold something else. */
  likeness: number;
}

/** Words, and no JSON. */
const WORDS = /^\s*[^\s[{"]+\s+\S/;
/** What a cell says that has words in the place of a list: less than any list, since rows without one may say so in words. */
const WORDS_LIKENESS = -1 / (2 * DECIDING_CELLS);

/** What cells of columns hold that are read by their names: 1 for what is read, -1 for something else, 0 for nothing. */
const toolsLikeness = (text: string): number => {
  const listed = toolsOf(text);
  if (listed === null) return WORDS.test(text) ? WORDS_LIKENESS : 0;
  return declaredTools(listed) === null ? -1 : 1;
};
const LIKENESS: ReadonlyMap<string, (text: string) => number> = new Map([
  // A list of texts may be one of anything.
  [HISTORY, (text: string) => Math.sign(readHistory(text, false)?.length ?? -1)],
  ...TOOLS.map((name) => [name, toolsLikeness] as const),
]);

/**
 * Detects from canonical chunks whether columns have conversations or images. A cell is decoded only while it can
 * change its column's result, and no line is read after all results are final: for most files after the first hundred
 * rows, and for those with a column of histories after all.
 */
export class ColumnProfiler {
  readonly #scanner = new ObjectScanner();
  readonly #states: ColumnState[] = [];
  readonly #byName = new Map<string, ColumnState>();
  /** Cells of the column of histories that hold something else. */
  unreadHistories = 0;

  /** Processes the next chunks; `names` are the columns known so far. */
  look(chunks: readonly CanonicalChunk[], names: readonly string[]): void {
    if (chunks.length === 0) return;
    for (const name of names.slice(this.#states.length, PROFILED_COLUMNS_MAX)) {
      const state: ColumnState = {
        name,
        written: Buffer.from(JSON.stringify(name), 'utf8'),
        cells: 0,
        notChat: null,
        notChats: 0,
        images: new Map(),
        mapped: new Map(),
        likeness: 0,
      };
      this.#states.push(state);
      this.#byName.set(name, state);
    }
    for (const chunk of chunks) this.#lookAt(chunk);
  }

  /** The columns with their detected properties. */
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
      if (text === null || text.trim() === '') continue;
      if (state.cells < DECIDING_CELLS) observe(state, text, row);
      if (state.name === HISTORY && readHistory(text) === null) this.unreadHistories += 1;
    }
  }

  /** Lines mostly have the same keys in the same order. */
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

function isDecided({ name, cells }: ColumnState): boolean {
  return cells >= DECIDING_CELLS && name !== HISTORY;
}

function observe(state: ColumnState, text: string, row: number): void {
  state.cells += 1;
  state.likeness += LIKENESS.get(state.name)?.(text) ?? 0;
  const turns = readTurns(text);
  if (typeof turns !== 'string') return;
  state.notChats += 1;
  state.notChat ??= { row, problem: turns };
  const format = imageFormatOf(text);
  add(state.images, format);
  add(state.mapped, format ?? linkFormatOf(text));
}

function add(counts: Map<ImageColumnFormat, number>, format: ImageColumnFormat | null): void {
  if (format !== null) counts.set(format, (counts.get(format) ?? 0) + 1);
}

function profileOf({ cells, notChat, notChats, images, mapped, likeness }: ColumnState): ColumnProfile {
  const format = mostCells(images, cells);
  const mappedFormat = format === null ? mostCells(mapped, cells) : null;
  return {
    is_empty: cells === 0,
    ...decidedBy(cells),
    // A conversation that cannot be read fails its row, and not the mapping of all others.
    not_chat: 2 * notChats >= cells ? notChat : null,
    image_format: format,
    ...(mappedFormat === null ? {} : { mapped_image_format: mappedFormat }),
    ...(likeness < 0 ? { unlike_name: true } : likeness > 0 ? { like_name: true } : {}),
  };
}

/** The commonest format, if more than half of the cells have one. */
function mostCells(counts: ReadonlyMap<ImageColumnFormat, number>, cells: number): ImageColumnFormat | null {
  const [commonest] = [...counts].sort(([, a], [, b]) => b - a);
  const counted = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return counted * 2 > cells ? (commonest?.[0] ?? null) : null;
}
