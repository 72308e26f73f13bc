import * as z from 'zod';
import { termsOf } from './terms.ts';

/** Format marker; it changes with the format. */
const FORMAT = 0x54_4d_57_01;
const PREFIX_BYTES = 8;

const Header = z.object({
  rows: z.int().min(0),
  terms: z.int().min(0),
  termBytes: z.int().min(0),
  postingBytes: z.int().min(0),
});

/** A shard's data for a query's terms: enough to rank its rows without the shard. */
export interface ShardMatches {
  readonly rows: number;
  /** Number of terms of each row, including duplicates. */
  readonly lengths: Uint32Array;
  /** End of each row's text in the object of the shard's texts, in bytes; it starts at the end of the previous one. */
  readonly textEnds: Uint32Array;
  /** The postings of each query term; null if no row has it. */
  readonly postings: readonly (Postings | null)[];
}

/** The rows that have a term. */
export interface Postings {
  readonly count: number;
  /** For each row, in order: the distance from the previous row, and the term frequency; as LEB128. */
  readonly bytes: Uint8Array;
}

/**
 * The words of a shard's rows as an object: a format number and a length, a header, tables of 32-bit numbers (the
 * length of each row, where its text ends, where each term and its postings end, and the rows that have it), the terms
 * in order of their bytes, and the postings. Term lookup is a binary search, so that loading a shard parses nothing.
 *
 * @param texts those of the rows; @param textEnds see `ShardMatches`
 */
export function writeWordShard(texts: readonly string[], textEnds: readonly number[]): Buffer {
  const byTerm = new Map<string, Counts>();
  const lengths = new Uint32Array(texts.length);
  for (const [row, text] of texts.entries()) {
    const terms = termsOf(text);
    lengths[row] = terms.length;
    for (const term of terms) {
      const counts = byTerm.get(term);
      if (counts === undefined) byTerm.set(term, { rows: [row], times: [1] });
      else if (counts.rows.at(-1) === row) counts.times[counts.times.length - 1] = last(counts.times) + 1;
      else {
        counts.rows.push(row);
        counts.times.push(1);
      }
    }
  }
  const entries = [...byTerm]
    .map(([term, counts]) => ({ term: Buffer.from(term), counts }))
    .sort((a, b) => Buffer.compare(a.term, b.term));
  const termEnds = new Uint32Array(entries.length);
  const postingEnds = new Uint32Array(entries.length);
  const rowCounts = new Uint32Array(entries.length);
  const postings: number[] = [];
  let termBytes = 0;
  for (const [n, { term, counts }] of entries.entries()) {
    let before = 0;
    for (const [at, row] of counts.rows.entries()) {
      writeNumber(postings, row - before);
      writeNumber(postings, counts.times[at] as number);
      before = row;
    }
    termBytes += term.length;
    termEnds[n] = termBytes;
    postingEnds[n] = postings.length;
    rowCounts[n] = counts.rows.length;
  }

  const header = { rows: texts.length, terms: entries.length, termBytes, postingBytes: postings.length };
  // Padded with spaces, which JSON permits, so that the tables start at a multiple of four.
  const json = JSON.stringify(header);
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(FORMAT, 0);
  prefix.writeUInt32LE(text.length, 4);
  const tables = [lengths, Uint32Array.from(textEnds), termEnds, postingEnds, rowCounts];
  return Buffer.concat([
    prefix,
    text,
    ...tables.map((table) => Buffer.from(table.buffer)),
    ...entries.map(({ term }) => term),
    Uint8Array.from(postings),
  ]);
}

interface Counts {
  readonly rows: number[];
  readonly times: number[];
}

const last = (numbers: readonly number[]): number => numbers[numbers.length - 1] as number;

function writeNumber(bytes: number[], value: number): void {
  let left = value;
  for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  bytes.push(left);
}

/** Reads a shard that `writeWordShard` has written. */
export class WordShard {
  readonly rows: number;
  readonly #lengths: Uint32Array;
  readonly #textEnds: Uint32Array;
  readonly #termEnds: Uint32Array;
  readonly #postingEnds: Uint32Array;
  readonly #rowCounts: Uint32Array;
  readonly #terms: Buffer;
  readonly #postings: Uint8Array;

  /** @throws if the object is not a word shard */
  constructor(body: Buffer) {
    if (body.length < PREFIX_BYTES || body.readUInt32LE(0) !== FORMAT) {
      throw new Error('The object holds no words of a dataset.');
    }
    const start = PREFIX_BYTES + body.readUInt32LE(4);
    const { rows, terms, termBytes, postingBytes } = Header.parse(
      JSON.parse(body.toString('utf8', PREFIX_BYTES, start)),
    );
    const tableBytes = 4 * (2 * rows + 3 * terms);
    if (body.length !== start + tableBytes + termBytes + postingBytes) {
      throw new Error('The words of the dataset are incomplete.');
    }
    // A view needs an offset that is a multiple of four, which a pooled buffer may not have.
    const { buffer } = new Uint8Array(body.subarray(start));
    let at = 0;
    const table = (length: number): Uint32Array => {
      const found = new Uint32Array(buffer, at, length);
      at += 4 * length;
      return found;
    };
    this.rows = rows;
    this.#lengths = table(rows);
    this.#textEnds = table(rows);
    this.#termEnds = table(terms);
    this.#postingEnds = table(terms);
    this.#rowCounts = table(terms);
    this.#terms = Buffer.from(buffer, at, termBytes);
    this.#postings = new Uint8Array(buffer, at + termBytes, postingBytes);
  }

  /** The shard's data for these terms. The result does not reference the shard's memory. */
  match(terms: readonly string[]): ShardMatches {
    return {
      rows: this.rows,
      lengths: this.#lengths.slice(),
      textEnds: this.#textEnds.slice(),
      postings: terms.map((term) => this.#find(Buffer.from(term))),
    };
  }

  #find(term: Buffer): Postings | null {
    let low = 0;
    let high = this.#termEnds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = this.#terms.compare(term, 0, term.length, this.#start(middle), this.#termEnds[middle]);
      if (order === 0) {
        const from = middle === 0 ? 0 : (this.#postingEnds[middle - 1] as number);
        return {
          count: this.#rowCounts[middle] as number,
          bytes: this.#postings.slice(from, this.#postingEnds[middle]),
        };
      }
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return null;
  }

  #start(term: number): number {
    return term === 0 ? 0 : (this.#termEnds[term - 1] as number);
  }
}
