import type { Buffer as Bytes } from 'node:buffer';
import { normalizeText } from '#shared/platform/normalize-text.ts';

/** Bytes of text that are packed, and unpacked, as one block. */
export const TEXT_BLOCK_BYTES = 256 * 1024;
/** Bytes of a block's signature. */
export const SIGNATURE_BYTES = 8 * 1024;
const SIGNATURE_BITS = SIGNATURE_BYTES * 8;

/** Separates the cells of a row: a search cannot contain it. */
const CELL_END = '\0';

/** A text as it is compared: in one case, and with one form for characters that can be written in several. */
export function foldText(text: string): string {
  const folded = normalizeText(text, 'NFC').toLowerCase();
  // The last letter of a Greek word has a form of its own, which upper case does not have.
  return folded.includes('ς') ? folded.replaceAll('ς', 'σ') : folded;
}

/** The searched text of a row. A text that several cells have is in it once. */
export function searchedText(cells: readonly (string | null)[]): string {
  const texts = new Set(cells.filter((cell) => cell !== null && cell !== ''));
  return foldText([...texts].join(CELL_END));
}

/** The bit of a signature that three bytes set. */
function bitOf(first: number, second: number, third: number): number {
  return (Math.imul((first << 16) | (second << 8) | third, 0x9e3779b1) >>> 16) & (SIGNATURE_BITS - 1);
}

/** Marks every three adjacent bytes of a text. */
export function signatureOf(text: Uint8Array): Uint8Array {
  const signature = new Uint8Array(SIGNATURE_BYTES);
  for (let at = 2; at < text.length; at += 1) {
    const bit = bitOf(text[at - 2] as number, text[at - 1] as number, text[at] as number);
    signature[bit >> 3] = (signature[bit >> 3] as number) | (1 << (bit & 7));
  }
  return signature;
}

/** Bits that the signature of a block has if the block contains the text; none for a text of fewer than three bytes. */
export function requiredBits(text: Uint8Array): readonly number[] {
  const bits = new Set<number>();
  for (let at = 2; at < text.length; at += 1) {
    bits.add(bitOf(text[at - 2] as number, text[at - 1] as number, text[at] as number));
  }
  return [...bits];
}

export function hasBits(signature: Uint8Array, bits: readonly number[]): boolean {
  return bits.every((bit) => ((signature[bit >> 3] as number) & (1 << (bit & 7))) !== 0);
}

/** A block of texts as it is packed: the number of its rows, the end of each one's text, the texts. */
export function joinTexts(texts: readonly Uint8Array[]): Bytes {
  const header = new Uint32Array(1 + texts.length);
  header[0] = texts.length;
  let end = 0;
  for (const [index, text] of texts.entries()) {
    end += text.length;
    header[index + 1] = end;
  }
  return Buffer.concat([new Uint8Array(header.buffer), ...texts]);
}

/** Calls `found` with the place in the block of each row whose text contains the wanted one. */
export function findInTexts(block: Bytes, wanted: Bytes, found: (place: number) => void): void {
  const rows = block.readUInt32LE(0);
  const start = 4 + rows * 4;
  const ends = new Uint32Array(block.buffer.slice(block.byteOffset + 4, block.byteOffset + start));
  let place = 0;
  for (let at = block.indexOf(wanted, start); at !== -1; ) {
    const offset = at - start;
    while ((ends[place] as number) <= offset) place += 1;
    const end = ends[place] as number;
    // A match that goes on in the next row is none, nor is a later one that begins in this row.
    if (offset + wanted.length <= end) found(place);
    // Rows that are too short are passed over: each could begin such a match.
    do place += 1;
    while (place < rows && (ends[place] as number) - (ends[place - 1] as number) < wanted.length);
    at = place < rows ? block.indexOf(wanted, start + (ends[place - 1] as number)) : -1;
  }
}
