import { createHash } from 'node:crypto';

const BYTES = 10;

/**
 * A set of texts, stored as ten bytes of SHA-256 each, so that a million rows need some fifty megabytes: the
 * probability of a collision is 4·10⁻¹³. White space around and between words is ignored.
 */
export class Fingerprints {
  readonly #known = new Set<string>();

  /** Adds the texts; returns whether they are new. */
  add(texts: readonly (string | null)[]): boolean {
    const hash = createHash('sha256');
    for (const text of texts) hash.update(`${(text ?? '').trim().replaceAll(/\s+/g, ' ')}\u0000`);
    const fingerprint = hash.digest().toString('latin1', 0, BYTES);
    if (this.#known.has(fingerprint)) return false;
    this.#known.add(fingerprint);
    return true;
  }
}
