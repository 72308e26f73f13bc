import { deflateRawSync } from 'node:zlib';
import type { RowFacets } from '../../schema/rows.ts';
import type { IndexedColumn } from './row-columns.ts';
import {
  FACETS,
  FacetCounts,
  LENGTH_CHANGES,
  OUTCOMES,
  type RowIndex,
  TABLE_SECTIONS,
  valuesOf,
} from './row-index.ts';
import { NumberList, type Section, ValueNumbers } from './row-table.ts';
import { joinTexts, searchedText, signatureOf, TEXT_BLOCK_BYTES } from './search-text.ts';
import {
  boundedFacts,
  isLong,
  type RowFacts,
  type StoredRow,
  shortened,
  shownCells,
  withoutRepetition,
} from './stored-row.ts';

/** Characters of rows that are packed as one block: a page of neighbouring rows needs one or two. */
const ROW_BLOCK_CHARACTERS = 64 * 1024;
/** Bytes of cells in an answer; the rest of its megabyte is for the row's facts and the columns. */
const CELLS_BYTES_MAX = 700 * 1024;
/** Higher levels take several times as long, and save a tenth. */
const ROWS_LEVEL = 1;
/** Unpacks faster than lower levels: a search may unpack all of it. */
const TEXTS_LEVEL = 4;

const bytesOf = () => new NumberList((length) => new Uint8Array(length));
const shortsOf = () => new NumberList((length) => new Uint16Array(length));
const integersOf = () => new NumberList((length) => new Uint32Array(length));
const offsetsOf = () => new NumberList((length) => new Float64Array(length));

export interface RowToIndex {
  readonly facts: RowFacts;
  /** Cells in the order of the index's columns. */
  readonly before: readonly (string | null)[];
  readonly after: readonly (string | null)[] | null;
}

/** What is to be appended to the objects of an index. */
export interface Packed {
  readonly rows?: Uint8Array;
  readonly texts?: Uint8Array;
  readonly long?: Uint8Array;
  /** The body of an object of its own for the row with this number. */
  readonly large?: { readonly row: number; readonly body: string };
}

/** Packs rows for an index, a few blocks in memory; the numbers of the table stay, a few bytes a row. */
export class IndexWriter {
  total = 0;
  readonly #before: readonly IndexedColumn[];
  readonly #after: readonly IndexedColumn[];
  /** Images have no text to search. */
  readonly #searched: readonly boolean[];
  readonly #codes = new ValueNumbers();
  readonly #languages = new ValueNumbers();
  readonly #lists = {
    outcome: bytesOf(),
    length_change: bytesOf(),
    code: shortsOf(),
    language: shortsOf(),
    doubt: bytesOf(),
    row_blocks: integersOf(),
    row_block_ends: offsetsOf(),
    text_blocks: integersOf(),
    text_block_ends: offsetsOf(),
    text_block_bytes: integersOf(),
    long_blocks: integersOf(),
    long_block_ends: offsetsOf(),
  };
  readonly #signatures: Uint8Array[] = [];
  readonly #rows = new LineBlocks(this.#lists.row_blocks, this.#lists.row_block_ends);
  readonly #long = new LineBlocks(this.#lists.long_blocks, this.#lists.long_block_ends);
  #texts: Buffer[] = [];
  #textBytes = 0;
  #textsEnd = 0;

  constructor(before: readonly IndexedColumn[], after: readonly IndexedColumn[]) {
    this.#before = before;
    this.#after = after;
    this.#searched = before.map(({ role }) => role !== 'image');
  }

  add(added: RowToIndex): Packed {
    const { facts, before, after } = added;
    const row = this.total;
    const lists = this.#lists;
    lists.outcome.push(facts.outcome === null ? 0 : OUTCOMES.indexOf(facts.outcome) + 1);
    lists.length_change.push(
      facts.length_change === null ? 0 : LENGTH_CHANGES.indexOf(facts.length_change) + 1,
    );
    const bounded = boundedFacts(facts);
    lists.code.push(this.#codes.numberOf(bounded.code));
    lists.language.push(this.#languages.numberOf(bounded.language));
    lists.doubt.push(bounded.doubt === null ? 0 : Math.max(1, Math.round(bounded.doubt.probability * 100)));
    this.total += 1;

    const whole: StoredRow = {
      ...bounded,
      before: [...before],
      after: after === null ? null : withoutRepetition(before, after),
      size: 'whole',
    };
    const packed = isLong(before, after) ? this.#packLong(row, whole, added) : this.#addLine(row, whole);
    return { ...packed, ...this.#addText(row, before, after) };
  }

  /** Packs what is left. */
  end(): Packed {
    const [rows, long] = [this.#rows.end(), this.#long.end()];
    return {
      ...(rows === null ? {} : { rows }),
      ...(long === null ? {} : { long }),
      ...(this.#texts.length > 0 ? { texts: this.#packTexts() } : {}),
    };
  }

  /** The table of the index, and the index itself. */
  finish(of: Pick<RowIndex, 'dataset_id' | 'run_id'>): { table: Uint8Array[]; index: RowIndex } {
    const table = TABLE_SECTIONS.map((name) =>
      name === 'signatures' ? Buffer.concat(this.#signatures) : this.#lists[name].bytes(),
    );
    let at = 0;
    const sections = Object.fromEntries(
      TABLE_SECTIONS.map((name, place) => {
        const section: Section = { at, bytes: (table[place] as Uint8Array).length };
        at += section.bytes;
        return [name, section];
      }),
    ) as RowIndex['sections'];
    const { values: codes } = this.#codes;
    const { values: languages } = this.#languages;
    return {
      table,
      index: {
        version: 1,
        ...of,
        total: this.total,
        before: [...this.#before],
        after: [...this.#after],
        codes,
        languages,
        facets: this.#facets({ codes, languages }),
        sections,
      },
    };
  }

  #facets(values: Pick<RowIndex, 'codes' | 'languages'>): RowFacets {
    const counts = new FacetCounts(valuesOf(values));
    for (const facet of FACETS) {
      for (const number of this.#lists[facet].values()) counts.add(facet, number);
    }
    return counts.facets();
  }

  #packLong(row: number, whole: StoredRow, { before, after }: RowToIndex): Packed {
    const cells = {
      before: shownCells(this.#before, before),
      after: after === null ? null : shownCells(this.#after, after),
    };
    if (Buffer.byteLength(JSON.stringify(cells)) > CELLS_BYTES_MAX) {
      const named = (columns: readonly IndexedColumn[], texts: RowToIndex['before']) =>
        texts.flatMap((text, index) => (text === null ? [] : [{ column: columns[index]?.name, text }]));
      const body = JSON.stringify({
        before: named(this.#before, before),
        after: after === null ? null : named(this.#after, after),
      });
      return { ...this.#addLine(row, shortened({ ...whole, size: 'large' })), large: { row, body } };
    }
    const long = this.#long.add(row, `${row} ${JSON.stringify({ ...whole, size: 'long' })}\n`);
    const shown = this.#addLine(row, shortened({ ...whole, size: 'long' }));
    return { ...shown, ...(long === null ? {} : { long }) };
  }

  #addLine(row: number, stored: StoredRow): Packed {
    const rows = this.#rows.add(row, `${JSON.stringify(stored)}\n`);
    return rows === null ? {} : { rows };
  }

  #addText(row: number, before: RowToIndex['before'], after: RowToIndex['after']): Packed {
    if (this.#texts.length === 0) this.#lists.text_blocks.push(row);
    const cells = before.filter((_, index) => this.#searched[index]);
    const text = Buffer.from(searchedText([...cells, ...(after ?? [])]), 'utf8');
    this.#texts.push(text);
    this.#textBytes += text.length;
    return this.#textBytes >= TEXT_BLOCK_BYTES ? { texts: this.#packTexts() } : {};
  }

  #packTexts(): Uint8Array {
    const raw = joinTexts(this.#texts);
    this.#signatures.push(signatureOf(raw.subarray(raw.length - this.#textBytes)));
    this.#lists.text_block_bytes.push(raw.length);
    this.#texts = [];
    this.#textBytes = 0;
    const block = deflateRawSync(raw, { level: TEXTS_LEVEL });
    this.#textsEnd += block.length;
    this.#lists.text_block_ends.push(this.#textsEnd);
    return block;
  }
}

/** Packs lines in blocks, and lists the first row and the end of each. */
class LineBlocks {
  readonly #firstRows: NumberList<Uint32Array>;
  readonly #ends: NumberList<Float64Array>;
  #lines: string[] = [];
  #length = 0;
  #end = 0;

  constructor(firstRows: NumberList<Uint32Array>, ends: NumberList<Float64Array>) {
    this.#firstRows = firstRows;
    this.#ends = ends;
  }

  /** Returns a block once it is full. */
  add(row: number, line: string): Uint8Array | null {
    if (this.#lines.length === 0) this.#firstRows.push(row);
    this.#lines.push(line);
    this.#length += line.length;
    return this.#length >= ROW_BLOCK_CHARACTERS ? this.end() : null;
  }

  /** Returns what is left; null if there is nothing. */
  end(): Uint8Array | null {
    if (this.#lines.length === 0) return null;
    const block = deflateRawSync(this.#lines.join(''), { level: ROWS_LEVEL });
    this.#lines = [];
    this.#length = 0;
    this.#end += block.length;
    this.#ends.push(this.#end);
    return block;
  }
}
