import { createHash } from 'node:crypto';
import type { RowReason } from '#shared/runs/schema/run-result.ts';

const BYTES = 10;

/** Why a row that another one repeats is not added. */
export const REPEATED: RowReason = {
  code: 'duplicate',
  message: 'The dataset has this row already, so it was not added',
};

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
