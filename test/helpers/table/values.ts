import type { Item } from '#shared/platform/store/table.ts';

/** What DynamoDB calls the type of a value. */
export function typeOf(value: unknown): 'S' | 'N' | 'BOOL' | 'NULL' | 'L' | 'M' {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return 'S';
  if (typeof value === 'number') return 'N';
  if (typeof value === 'boolean') return 'BOOL';
  return Array.isArray(value) ? 'L' : 'M';
}

/**
 * Copies a value as the client of the service sends it: without what is undefined.
 * @throws Error for what that client refuses: numbers beyond what it reads back, and instances of classes
 */
export function copy<T>(value: T): T {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined)
    return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
    throw new Error(`The number ${value} cannot be stored.`);
  }
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(copy) as T;
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (prototype !== Object.prototype && prototype !== null) {
    throw new Error(`A ${typeof value} cannot be stored: ${String(value)}.`);
  }
  const copied: Item = {};
  for (const name in value) if (value[name] !== undefined) copied[name] = copy(value[name]);
  return copied as T;
}

/** Bytes of a value, as DynamoDB counts them towards the limits of items and pages. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const entries = Object.entries(value);
  const names = Array.isArray(value) ? 0 : entries.reduce((sum, [name]) => sum + Buffer.byteLength(name), 0);
  return entries.reduce((sum, [, each]) => sum + bytesOf(each) + 1, 3 + names);
}

const SURROGATE = /[\ud800-\udfff]/;

/** The order of two strings, by their bytes, or of two numbers. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a === b) return 0;
  // Code units have the order of the bytes, but for surrogates.
  if (!SURROGATE.test(a as string) && !SURROGATE.test(b as string)) {
    return (a as string) < (b as string) ? -1 : 1;
  }
  return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));
}

/** Whether two values are of one type, and the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [first, second] = [Object.entries(a), Object.entries(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    first.length === second.length &&
    first.every(([name, value]) => isSame(value, (b as Item)[name]))
  );
}

/** The sum of two numbers in decimal, as DynamoDB adds: 0.1 and 0.2 make 0.3. */
export function add(a: number, b: number): number {
  if (Number.isInteger(a) && Number.isInteger(b)) return a + b;
  const digits = Math.max(...[a, b].map((each) => (String(each).split('.')[1] ?? '').length));
  return Number((a + b).toFixed(digits));
}
