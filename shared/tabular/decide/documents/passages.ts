import type { DocumentRow, Place } from './document-row.ts';

/**
 * A passage ends with the block that exceeds this many characters: some 500 tokens, which leaves room for instructions
 * and an answer in a model's context.
 */
export const PASSAGE_CHARACTERS_MAX = 2000;

/** Longer "headings" are body text in a large font. */
const HEADING_CHARACTERS_MAX = 200;

/** A cell of a table row; empty cells may be omitted. */
export interface Cell {
  /** Column, from 0. */
  readonly column: number;
  readonly text: string;
}

const NOWHERE: Place = { page: null, slide: null, sheet: null };

/**
 * Groups the blocks of one document, in order, into passages. A passage never spans two headings, pages, slides or
 * sheets. When a table is split, each part repeats its first row.
 */
export class Passages {
  readonly #source: Pick<DocumentRow, 'source_file' | 'format'>;
  readonly #emit: (row: DocumentRow) => void;
  #place: Place = NOWHERE;
  #headings: { readonly level: number; readonly text: string }[] = [];
  /** Whether the last heading has no content yet. */
  #isHeadingBare = false;
  #blocks: string[] = [];
  #length = 0;
  #head: readonly Cell[] | null = null;
  #rows: (readonly Cell[])[] = [];

  constructor(source: Pick<DocumentRow, 'source_file' | 'format'>, emit: (row: DocumentRow) => void) {
    this.#source = source;
    this.#emit = emit;
  }

  /** Starts a new place. A slide or sheet starts a new section; sections continue across pages. */
  moveTo(place: Partial<Place>): void {
    this.endTable();
    this.#flush();
    if (place.page === undefined) this.#leaveHeadings(0);
    this.#place = { ...NOWHERE, ...place };
  }

  heading(level: number, text: string): void {
    const line = clean(text).replaceAll(/\s+/g, ' ').trim();
    if (line.length > HEADING_CHARACTERS_MAX) {
      this.paragraph(text);
      return;
    }
    if (line === '') return;
    this.endTable();
    this.#flush();
    this.#leaveHeadings(level);
    this.#headings.push({ level, text: line });
    this.#isHeadingBare = true;
  }

  /** A paragraph or a list item; it keeps its line breaks. */
  paragraph(text: string): void {
    this.endTable();
    const said = clean(text);
    const block = isListItem(said) ? said.trimEnd() : said.trim();
    if (block === '') return;
    for (const part of cut(block)) this.#add(part);
  }

  /** A row of the current table. The first one has the column names. */
  tableRow(cells: readonly Cell[]): void {
    const filled = cells
      .map(({ column, text }) => ({ column, text: clean(text).replaceAll(/\s+/g, ' ').trim() }))
      .filter(({ text }) => text !== '');
    if (filled.length === 0) return;
    const characters = filled.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > PASSAGE_CHARACTERS_MAX) {
      // A layout table: its cells are the text.
      this.endTable();
      for (const { text } of cells) this.paragraph(text);
      return;
    }
    if (this.#head === null) this.#head = filled;
    else this.#rows.push(filled);
    this.#length += characters + 3 * filled.length;
    if (this.#length > PASSAGE_CHARACTERS_MAX && this.#rows.length > 0) {
      const head = this.#head;
      this.endTable();
      this.#flush();
      this.#head = head;
    }
  }

  endTable(): void {
    const head = this.#head;
    if (head === null) return;
    const rows = this.#rows.splice(0);
    this.#head = null;
    // A header row without rows: the whole table, or a repeated header that no row follows.
    if (rows.length > 0 || this.#length > 0) {
      this.#isHeadingBare = false;
      this.#blocks.push(renderTable(head, rows));
    }
  }

  /** Ends the document. */
  end(): void {
    this.endTable();
    this.#flush();
    this.#leaveHeadings(0);
  }

  #add(block: string): void {
    if (this.#length > 0 && this.#length + block.length > PASSAGE_CHARACTERS_MAX) this.#flush();
    this.#isHeadingBare = false;
    this.#blocks.push(block);
    this.#length += block.length + 2;
  }

  /** Closes the sections that a heading of `level` ends. A section without content becomes its own passage. */
  #leaveHeadings(level: number): void {
    const [last] = this.#headings.slice(-1);
    if (last !== undefined && last.level >= level && this.#isHeadingBare) {
      this.#headings.pop();
      this.#blocks.push(last.text);
      this.#flush();
    }
    this.#isHeadingBare = false;
    this.#headings = this.#headings.filter((heading) => heading.level < level);
  }

  #flush(): void {
    const blocks = this.#blocks.splice(0);
    this.#length = 0;
    if (blocks.length === 0) return;
    const heading = this.#headings.map(({ text }) => text).join(' > ');
    this.#emit({
      text: joinBlocks(blocks),
      heading: heading === '' ? null : heading,
      ...this.#place,
      ...this.#source,
    });
  }
}

/** List items are joined by single line breaks, other blocks by empty lines. */
function joinBlocks(blocks: readonly string[]): string {
  return blocks.reduce((text, block, index) => {
    if (index === 0) return block;
    const isListed = isListItem(block) && isListItem(blocks[index - 1] ?? '');
    return `${text}${isListed ? '\n' : '\n\n'}${block}`;
  }, '');
}

function isListItem(block: string): boolean {
  return /^\s*- /.test(block);
}

function renderTable(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const columns = [...new Set([head, ...rows].flatMap((row) => row.map(({ column }) => column)))].sort(
    (a, b) => a - b,
  );
  const line = (row: readonly Cell[]): string => {
    const texts = new Map(row.map(({ column, text }) => [column, text.replaceAll('|', '\\|')]));
    return `| ${columns.map((column) => texts.get(column) ?? '').join(' | ')} |`;
  };
  const rule = `| ${columns.map(() => '---').join(' | ')} |`;
  return [line(head), ...(rows.length === 0 ? [] : [rule]), ...rows.map(line)].join('\n');
}

/** Text without control characters, which some producers insert. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');
}

/** Splits a block into parts that fit a passage: after a sentence if possible, else between words. */
function cut(block: string): string[] {
  const parts: string[] = [];
  let rest = block;
  while (rest.length > PASSAGE_CHARACTERS_MAX) {
    const at = cutAt(rest.slice(0, PASSAGE_CHARACTERS_MAX));
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
}

function cutAt(window: string): number {
  const half = window.length / 2;
  const sentence = Math.max(...['\n', '. ', '! ', '? ', '。'].map((end) => window.lastIndexOf(end)));
  if (sentence > half) return sentence + 1;
  const space = window.lastIndexOf(' ');
  if (space > half) return space + 1;
  // Do not split a surrogate pair.
  return /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
}
