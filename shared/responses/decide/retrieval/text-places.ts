import { createHash } from 'node:crypto';

/** Where texts are among the rows of an index, by a hash of 64 bits: 24 to 48 bytes for each, whatever its length. */
export class TextPlaces {
  readonly #hashes: BigUint64Array;
  /** Place + 1; 0 where there is none. */
  readonly #places: Uint32Array;

  constructor(textsMax: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * textsMax + 2));
    this.#hashes = new BigUint64Array(slots);
    this.#places = new Uint32Array(slots);
  }

  /** The first place of a text stays. */
  add(text: string, place: number): void {
    const { hash, slot } = this.#find(text);
    if (this.#places[slot] !== 0) return;
    this.#hashes[slot] = hash;
    this.#places[slot] = place + 1;
  }

  /** Null if the text was not added. */
  placeOf(text: string): number | null {
    const found = this.#places[this.#find(text).slot] as number;
    return found === 0 ? null : found - 1;
  }

  /** Its slot, or the free one that it would get. */
  #find(text: string): { hash: bigint; slot: number } {
    const hash = createHash('sha256').update(text).digest().readBigUInt64LE();
    const slots = this.#places.length;
    let slot = Number(hash % BigInt(slots));
    while (this.#places[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) % slots;
    return { hash, slot };
  }
}
