import * as crypto from 'node:crypto';
import { own } from './own.ts';

/** A key whose JSON text is the key in quotes. Others are those that look like indexes of a list, which come first. */
const PLAIN = /^[A-Za-z_][\w ]*$/;
const INDEX = /^\d/;

/** Texts of objects that are part of many values. */
const sharedTexts = new WeakMap<object, string>();

/** Freezes a flat object that is part of many values, whose text is then written once. */
export function shareCanonical<T extends Readonly<Record<string, string>>>(value: T): T {
  sharedTexts.set(Object.freeze(value), canonicalJson(value));
  return value;
}

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
  const shared = sharedTexts.get(value);
  if (shared !== undefined) return shared;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  return writeObject(value as Record<string, unknown>);
}

function writeObject(value: Record<string, unknown>): string | undefined {
  let text = '';
  for (const key of sortedKeys(value)) {
    const each = own(value, key);
    if (each === undefined) continue;
    const isPlain = PLAIN.test(key);
    if (key === 'toJSON' || (!isPlain && INDEX.test(key))) return undefined;
    const written = writeCanonical(each);
    if (written === undefined) return undefined;
    text += `${text === '' ? '' : ','}${isPlain ? `"${key}"` : JSON.stringify(key)}:${written}`;
  }
  return `{${text}}`;
}

/** Above this number of keys, inserting each at its place takes longer than `sort`, which allocates. */
const INSERTED_MAX = 12;

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  if (keys.length > INSERTED_MAX) return keys.sort();
  for (let n = 1; n < keys.length; n += 1) {
    const key = keys[n] as string;
    let at = n;
    for (; at > 0 && (keys[at - 1] as string) > key; at -= 1) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

/** The same by `JSON.stringify` alone, for values of any kind. */
function sortKeys(_key: string, each: unknown): unknown {
  return typeof each === 'object' && each !== null && !Array.isArray(each)
    ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
    : each;
}

/** @returns 64 hexadecimal digits */
export function sha256Hex(text: string): string {
  // A hash object costs more than the hash of a short text. Node before 20.12 has nothing else.
  return crypto.hash === undefined
    ? crypto.createHash('sha256').update(text).digest('hex')
    : crypto.hash('sha256', text, 'hex');
}

/** @returns 32 bytes */
export function sha256Bytes(text: string): Buffer {
  return crypto.hash === undefined
    ? crypto.createHash('sha256').update(text).digest()
    : crypto.hash('sha256', text, 'buffer');
}
