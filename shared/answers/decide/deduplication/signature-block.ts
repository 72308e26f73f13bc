import { RECORD_WORDS } from './signature.ts';

/** Format marker; it changes with the format. */
const FORMAT = 0x54_4d_44_01;
const HEADER_WORDS = 2;

/** The records of a chunk's selected rows, in order, as an object: a header of format and count, then the records. */
export function newBlock(rows: number): { readonly words: Uint32Array; at(index: number): number } {
  const words = new Uint32Array(HEADER_WORDS + rows * RECORD_WORDS);
  words[0] = FORMAT;
  words[1] = rows;
  return { words, at: recordAt };
}

/** @throws if the object is not a block of `rows` records */
export function readBlock(
  body: Buffer,
  rows: number,
): { readonly words: Uint32Array; at(index: number): number } {
  // A view needs an offset that is a multiple of four, which a pooled buffer may not have.
  const words = new Uint32Array(Uint8Array.from(body).buffer);
  if (words[0] !== FORMAT || words[1] !== rows || words.length !== HEADER_WORDS + rows * RECORD_WORDS) {
    throw new Error(`The signatures of a chunk are not those of its ${rows} rows.`);
  }
  return { words, at: recordAt };
}

function recordAt(index: number): number {
  return HEADER_WORDS + index * RECORD_WORDS;
}
