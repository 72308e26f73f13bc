import * as crypto from 'node:crypto';
import { own } from './own.ts';

/** Keys that look like indexes of a list come first in every object, by their value. */
const INDEX = /^\d/;

/** JSON with sorted keys in every object and without undefined values: equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return writeCanonical(value) ?? JSON.stringify(value, sortKeys);
}

/** The text of plain values; undefined for those that JSON leaves out, converts or orders by rules of its own. */
function writeCanonical(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = '';
    for (const each of value) {
      const written = each === undefined ? 'null' : writeCanonical(each);
      if (written === undefined) return undefined;
      text += text === '' ? written : `,${written}`;
    }
    return `[${text}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  return writeObject(value as Record<string, unknown>);
}

function writeObject(value: Record<string, unknown>): string | undefined {
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const each = own(value, key);
    if (each === undefined) continue;
    const written = INDEX.test(key) || key === 'toJSON' ? undefined : writeCanonical(each);
    if (written === undefined) return undefined;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${written}`;
  }
  return `{${text}}`;
}

/** The same by `JSON.stringify` alone, for values of any kind. */
function sortKeys(_key: string, each: unknown): unknown {
  return typeof each === 'object' && each !== null && !Array.isArray(each)
    ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
    : each;
}

/** The 32 bytes of the SHA-256 of a text. */
export function sha256(text: string): Buffer {
  // A hash object costs more than the hash of a short text. Node before 20.12 has nothing else.
  return crypto.hash === undefined
    ? crypto.createHash('sha256').update(text).digest()
    : crypto.hash('sha256', text, 'buffer');
}

/** @returns 64 hexadecimal digits */
export function sha256Hex(text: string): string {
  return sha256(text).toString('hex');
}
