import type { Buffer as Bytes } from 'node:buffer';

/**
 * Unpacked text of indexes between searches, least recently used first out: whoever types a search, or pages through what
 * it found, searches the same text again. An index never changes, so the cache is never stale.
 */
export class TextCache {
  readonly #bytesMax: number;
  readonly #held = new Map<string, Bytes>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): Bytes | undefined {
    const text = this.#held.get(key);
    if (text === undefined) return undefined;
    // The last entry of the map is the most recently used.
    this.#held.delete(key);
    this.#held.set(key, text);
    return text;
  }

  put(key: string, text: Bytes): void {
    if (this.#held.has(key)) return;
    this.#held.set(key, text);
    this.#bytes += text.length;
    for (const [oldest, { length }] of this.#held) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#held.delete(oldest);
      this.#bytes -= length;
    }
  }
}
