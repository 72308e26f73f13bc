import { normalizedBeginning } from '#shared/platform/normalize-text.ts';

/** Words in one shingle, or characters in scripts without spaces between words. */
const SHINGLE_TOKENS = 5;
const BLANKS = SHINGLE_TOKENS - 1;

/** Characters of a text, in its normal form, that are compared with other texts; that texts are equal is seen of the whole. */
export const SHINGLED_CHARACTERS_MAX = 4_000_000;

const SEPARATOR = 1;
const WORD = 2;
const TOKEN = 3;

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Characters that are ignored because they do not change the meaning; `-`, `*`, `+` and similar ones do change it. */
const PUNCTUATION = /[\s\p{C}.,;:!?…¿¡"'`´‘’“”„«»。，、；：！？「」『』؟،۔।]/u;

/** Classes of UTF-16 units, cached on first use; 0 if not cached. */
const classes = new Uint8Array(0x10000);

function classOf(unit: number): number {
  const known = classes[unit] as number;
  if (known !== 0) return known;
  const character = String.fromCharCode(unit);
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  const found =
    !isSurrogate && PUNCTUATION.test(character)
      ? SEPARATOR
      : !isSurrogate && /[\p{L}\p{M}\p{N}]/u.test(character) && !UNSPACED.test(character)
        ? WORD
        : TOKEN;
  classes[unit] = found;
  return found;
}

/** Spreads every bit of a hash over all of it (the finalizer of MurmurHash3, 32 bits). */
export function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

const FACTORS = [0x2c1b3c6d, 0x297a2d39, 0x1b56c4e9, 0x7feb352d, 0x68e31da5] as const;

/** Hashes of a text's shingles, in a buffer that is reused for the next text. */
export class Shingler {
  /** The first `length` are the shingles of the last text, including duplicates. */
  hashes = new Int32Array(1024);
  length = 0;
  #tokens = new Int32Array(1024);

  /**
   * Reads a text, ignoring case, spaces, punctuation and Unicode compatibility forms (NFKC). The text is padded with
   * blanks on both sides, so that every word is part of the same number of shingles: requests that differ only in their
   * last word stay distinct. Of a long text its beginning is read. `seed` separates the shingles of one kind of text from those of another. A text without
   * words has no shingles.
   */
  read(text: string, seed: number): void {
    const count = this.#readTokens(text);
    this.length = count === 0 ? 0 : count + SHINGLE_TOKENS - 1;
    if (this.hashes.length < this.length) this.hashes = new Int32Array(this.length * 2);
    const { hashes } = this;
    const tokens = this.#tokens;
    const [a, b, c, d, e] = FACTORS;
    for (let n = 0; n < this.length; n += 1) {
      const sum =
        Math.imul(tokens[n] as number, a) +
        Math.imul(tokens[n + 1] as number, b) +
        Math.imul(tokens[n + 2] as number, c) +
        Math.imul(tokens[n + 3] as number, d) +
        Math.imul(tokens[n + 4] as number, e);
      hashes[n] = mix(sum ^ seed);
    }
  }

  /** Writes the hashes of a text's tokens, padded with blanks on both sides; returns their number. */
  #readTokens(text: string): number {
    const normal = normalizedBeginning(text, 'NFKC', SHINGLED_CHARACTERS_MAX).toLowerCase();
    const room = normal.length + 2 * BLANKS;
    if (this.#tokens.length < room) this.#tokens = new Int32Array(2 * room);
    const tokens = this.#tokens;
    let count = BLANKS;
    let hash = 0;
    let isInWord = false;
    for (let n = 0; n < normal.length; n += 1) {
      const unit = normal.charCodeAt(n);
      const found = classOf(unit);
      if (found === WORD) {
        // FNV-1a, unit by unit.
        hash = Math.imul((isInWord ? hash : 0x811c9dc5) ^ unit, 0x01000193);
        isInWord = true;
        continue;
      }
      if (isInWord) {
        tokens[count] = mix(hash);
        count += 1;
        isInWord = false;
      }
      if (found === TOKEN) {
        tokens[count] = mix(unit);
        count += 1;
      }
    }
    if (isInWord) {
      tokens[count] = mix(hash);
      count += 1;
    }
    tokens.fill(0, count, count + BLANKS);
    return count - BLANKS;
  }
}
