import { quoteName } from '../file-error.ts';
import type { Cell } from './passages.ts';
import { columnLetters } from './sheet-value.ts';

/** Longer cells of a first row are text, and no names of columns. */
const NAME_CHARACTERS_MAX = 100;
/** Each row is written with all names: more of them are a form or a matrix. */
const NAMES_MAX = 500;
/** What is a value wherever it stands: numbers, percentages, dates and times as the reader of sheets writes them. */
const VALUE = /^[+-]?\d[\d.,:%+\-\sTZ]*$/;

type Names = ReadonlyMap<number, string>;

/**
 * Reads the sheets of a workbook as one table: where each sheet begins with a row of names, the same in all, and holds
 * rows with cells below those names alone. Rows of nothing but empty cells are left out.
 */
export class SheetTable {
  readonly #emit: (row: Readonly<Record<string, string | null>>) => boolean;
  /** The names in the order of the first sheet; null before it. */
  #order: readonly string[] | null = null;
  /** The names of the current sheet by their columns. */
  #names: Names = new Map();
  #sheet = '';
  #isAtHead = true;
  #rows = 0;
  #isTable = true;
  #problem: string | null = null;

  /** @param emit answers whether there is room for the row */
  constructor(emit: (row: Readonly<Record<string, string | null>>) => boolean) {
    this.#emit = emit;
  }

  /** Whether all that was read is one table with a row at least. */
  get isTable(): boolean {
    return this.#isTable && this.#rows > 0;
  }

  /** Why it is none; null if it is one, or the table found no room. */
  get problem(): string | null {
    if (this.#problem !== null || !this.#isTable) return this.#problem;
    return this.#rows > 0 ? null : 'no row follows the first one';
  }

  beginSheet(name: string): void {
    this.#sheet = name;
    this.#isAtHead = true;
  }

  row(cells: readonly Cell[]): void {
    const filled = cells.filter(({ text }) => text.trim() !== '');
    if (!this.#isTable || filled.length === 0) return;
    if (this.#isAtHead) {
      this.#isAtHead = false;
      this.#takeNames(filled);
      return;
    }
    // The index that pandas writes has no name.
    const [first] = filled;
    if (this.#rows === 0 && first !== undefined && !this.#names.has(first.column)) {
      const index = `column_${first.column + 1}`;
      const isIndex = [...this.#names].every(([column, name]) => column > first.column && name !== index);
      if (isIndex) {
        this.#names = new Map([[first.column, index], ...this.#names]);
        this.#order = [...this.#names.values()];
      }
    }
    this.#take(filled);
  }

  #take(filled: readonly Cell[]): void {
    const outside = filled.find(({ column }) => !this.#names.has(column));
    if (outside !== undefined) {
      this.#refuse(`has a cell in column ${columnLetters(outside.column)}, which has no name`);
      return;
    }
    const texts = new Map(filled.map(({ column, text }) => [this.#names.get(column), text]));
    this.#rows += 1;
    const row = Object.fromEntries((this.#order ?? []).map((name) => [name, texts.get(name) ?? null]));
    this.#isTable = this.#emit(row);
  }

  /** Takes the names of a first row: those of the sheets before it, if there are any. */
  #takeNames(head: readonly Cell[]): void {
    const names = new Map(head.map(({ column, text }) => [column, text.trim()]));
    const problem = problemOfNames([...names.values()]);
    if (problem !== null) {
      this.#refuse(problem);
      return;
    }
    const known = this.#order;
    this.#names = names;
    this.#order ??= [...names.values()];
    const isSame = known === null || (known.length === names.size && known.every((name) => has(names, name)));
    if (!isSame) this.#refuse('has other names in its first row than the sheet before it');
  }

  #refuse(problem: string): void {
    this.#isTable = false;
    this.#problem = `the sheet ${quoteName(this.#sheet)} ${problem}`;
  }
}

const has = (names: Names, name: string): boolean => [...names.values()].includes(name);

function problemOfNames(texts: readonly string[]): string | null {
  if (texts.length < 2) return 'has one cell in its first row';
  if (texts.length > NAMES_MAX) return `has more than ${NAMES_MAX} cells in its first row`;
  if (new Set(texts.map((text) => text.toLowerCase())).size < texts.length)
    return 'repeats a name in its first row';
  const other = texts.find(
    (text) => text.length > NAME_CHARACTERS_MAX || /\n/.test(text) || VALUE.test(text),
  );
  return other === undefined
    ? null
    : `has a number, a date or a long text in its first row, and no name: ${quoteName(other)}`;
}
