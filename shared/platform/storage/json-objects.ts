import type * as z from 'zod';
import type { ObjectStore } from './object-store.ts';

/**
 * Reads an object and parses it as JSON of the schema.
 * @throws if there is no such object, or it does not match
 */
export async function readJson<T extends z.ZodType>(
  objects: Pick<ObjectStore, 'read'>,
  key: string,
  schema: T,
): Promise<z.output<T>> {
  const value = await findJson(objects, key, schema);
  if (value === null) throw new Error(`The object ${key} does not exist.`);
  return value;
}

/**
 * Reads an object and parses it as JSON of the schema; null if there is no such object.
 * @throws if it does not match
 */
export async function findJson<T extends z.ZodType>(
  objects: Pick<ObjectStore, 'read'>,
  key: string,
  schema: T,
): Promise<z.output<T> | null> {
  const body = await objects.read(key);
  return body === null ? null : schema.parse(JSON.parse(body.toString('utf8')));
}

/** The lines of a JSONL object, without line ends; empty if there is no such object. */
export async function readLines(objects: Pick<ObjectStore, 'read'>, key: string): Promise<string[]> {
  const body = await objects.read(key);
  return body === null ? [] : linesIn(body);
}

/**
 * The values of a JSONL object; empty if there is no such object.
 * @throws if a line does not match
 */
export async function readJsonLines<T extends z.ZodType>(
  objects: Pick<ObjectStore, 'read'>,
  key: string,
  schema: T,
): Promise<z.output<T>[]> {
  return (await readLines(objects, key)).map((line) => schema.parse(JSON.parse(line)));
}

/** The lines of a JSONL object's bytes, without line ends. */
export function linesIn(body: Buffer): string[] {
  return body
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

const toLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Writes values as JSONL into an object that does not exist yet; returns false, and writes nothing, if it does. */
export function writeNewLines(
  objects: Pick<ObjectStore, 'writeNew'>,
  key: string,
  values: readonly unknown[],
): Promise<boolean> {
  return objects.writeNew(key, toLines(values), 'application/jsonl');
}

/** Writes values as JSONL. */
export async function writeLines(
  objects: Pick<ObjectStore, 'write'>,
  key: string,
  values: readonly unknown[],
): Promise<void> {
  await objects.write(key, toLines(values), 'application/jsonl');
}
