/**
 * The own property of a record by an untrusted name. Every object inherits `constructor`, `toString` and `__proto__`,
 * which are not keys of the record.
 */
export function own<T>(record: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined {
  return record !== null && record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Sets an own property of a record by an untrusted name, including `__proto__`. */
export function putOwn<T>(record: Record<string, T>, name: string, value: NoInfer<T>): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
