import type { Cell } from './passages.ts';

/** Longer cells of a first row are text, and no names of columns. */
const NAME_CHARACTERS_MAX = 100;
/** Each row is written with all names: more of them are a form or a matrix. */
const NAMES_MAX = 500;
/** What is a value wherever it stands: numbers, percentages, dates and times as the reader of sheets writes them. */
const VALUE = /^[+-]?\d[\d.,:%+\-\sTZ]*$/;

/**
 * Reads the sheets of a workbook as one table: where each sheet begins with a row of names, the same in all, and holds
 * rows with cells below those names alone. Rows of nothing but empty cells are left out.
 */
export class SheetTable {
  readonly #emit: (row: Readonly<Record<string, string | null>>) => boolean;
  /** The names by their columns; null before the first sheet. */
  #names: ReadonlyMap<number, string> | null = null;
  #isAtHead = true;
  #rows = 0;
  #isTable = true;

  /** @param emit answers whether there is room for the row */
  constructor(emit: (row: Readonly<Record<string, string | null>>) => boolean) {
    this.#emit = emit;
  }

  /** Whether all that was read is one table with a row at least. */
  get isTable(): boolean {
    return this.#isTable && this.#rows > 0;
  }

  beginSheet(): void {
    this.#isAtHead = true;
  }

  row(cells: readonly Cell[]): void {
    const filled = cells.filter(({ text }) => text.trim() !== '');
    if (!this.#isTable || filled.length === 0) return;
    if (this.#isAtHead) {
      this.#isAtHead = false;
      this.#isTable = this.#takeNames(filled);
      return;
    }
    const names = this.#names ?? new Map<number, string>();
    // The index that pandas writes has no name.
    const [first] = filled;
    if (this.#rows === 0 && first !== undefined && !names.has(first.column)) {
      const index = `column_${first.column + 1}`;
      const isIndex = [...names].every(([column, name]) => column > first.column && name !== index);
      if (isIndex) this.#names = new Map([[first.column, index], ...names]);
    }
    this.#take(filled);
  }

  #take(filled: readonly Cell[]): void {
    const names = this.#names ?? new Map<number, string>();
    if (!filled.every(({ column }) => names.has(column))) {
      this.#isTable = false;
      return;
    }
    const texts = new Map(filled.map(({ column, text }) => [column, text]));
    this.#rows += 1;
    const row = Object.fromEntries([...names].map(([column, name]) => [name, texts.get(column) ?? null]));
    this.#isTable = this.#emit(row);
  }

  /** Whether a first row has names: those of the sheets before it, if there are any. */
  #takeNames(head: readonly Cell[]): boolean {
    const names = new Map(head.map(({ column, text }) => [column, text.trim()]));
    const texts = [...names.values()];
    const areNames =
      texts.length > 1 &&
      texts.length <= NAMES_MAX &&
      new Set(texts.map((text) => text.toLowerCase())).size === texts.length &&
      texts.every((text) => text.length <= NAME_CHARACTERS_MAX && !/\n/.test(text) && !VALUE.test(text));
    if (!areNames) return false;
    const known = this.#names;
    if (known === null) {
      this.#names = names;
      return true;
    }
    return known.size === names.size && [...names].every(([column, name]) => known.get(column) === name);
  }
}
