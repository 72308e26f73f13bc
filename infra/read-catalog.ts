import { readFileSync } from 'node:fs';
import * as z from 'zod';

/**
 * Reads an operator's list from a JSON file.
 * @param setting the setting with the file's path
 * @param what the content of the list, and where it is documented
 * @throws Error that says what to change
 */
export function readCatalog<T>(setting: string, path: string, schema: z.ZodType<T>, what: string): T {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${setting} names ${path}, which cannot be read as JSON.`, { cause });
  }
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  throw new Error(`${setting} names ${path}, which is no list of ${what}:\n${z.prettifyError(result.error)}`);
}
