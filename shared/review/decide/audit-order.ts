import { sha256Hex } from '#shared/platform/canonical-json.ts';

const ROUNDS = 4;

/**
 * The rows of a dataset in an order that is drawn at random, and the same for the same seed. Holds no row: each place is
 * computed by a Feistel network (Luby, Rackoff 1988) on the next power of four, and walked on until it is a row.
 */
export function auditOrder(rows: number, seed: string): { rowAt(place: number): number } {
  let half = 1;
  while (4 ** half < rows) half += 1;
  const mask = 2 ** half - 1;
  const digest = sha256Hex(seed);
  const keys = Array.from({ length: ROUNDS }, (_, round) =>
    Number.parseInt(digest.slice(round * 8, round * 8 + 8), 16),
  );
  const permute = (place: number): number => {
    let left = Math.floor(place / (mask + 1));
    let right = place & mask;
    for (const key of keys) [left, right] = [right, left ^ (mix(right ^ key) & mask)];
    return left * (mask + 1) + right;
  };
  return {
    rowAt(place) {
      let row = permute(place);
      while (row >= rows) row = permute(row);
      return row;
    },
  };
}

/** A hash of 32 bits (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
