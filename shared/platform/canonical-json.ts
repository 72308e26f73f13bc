import { createHash } from 'node:crypto';

/** JSON with sorted keys in every object and without undefined values: equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** @returns 64 hexadecimal digits */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
