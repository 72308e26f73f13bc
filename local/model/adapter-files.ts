import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** An adapter that lies in the folder of its base model. */
export interface AdapterFile {
  /** `<base id>:<name>`: what a request calls the trained model. */
  readonly id: string;
  readonly baseId: string;
  readonly path: string;
  /** When the file was written; another time is another adapter. */
  readonly writtenAt: Date;
}

const suffix = '.gguf';
/** No separators and no dot to begin with, so that a name never leads out of its folder. */
const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The id under which an adapter of a base model is served. */
export function trainedModelId(baseId: string, name: string): string {
  return `${baseId}:${name}`;
}

/**
 * Where the adapter of a name is kept.
 * @throws {Error} for a name that is none of a file.
 */
export function adapterPath(directory: string, baseId: string, name: string): string {
  if (!safeName.test(baseId) || !safeName.test(name)) {
    throw new Error(`"${name}" is no name for an adapter: take letters, digits, ".", "_" and "-".`);
  }
  return join(directory, baseId, `${name}${suffix}`);
}

/** The adapter of an id; undefined where there is none, or the id is not of this form. */
export async function findAdapter(directory: string, id: string): Promise<AdapterFile | undefined> {
  const [baseId = '', name = '', ...rest] = id.split(':');
  if (rest.length > 0 || !safeName.test(baseId) || !safeName.test(name)) return undefined;
  const path = adapterPath(directory, baseId, name);
  try {
    const found = await stat(path);
    return found.isFile() ? { id, baseId, path, writtenAt: found.mtime } : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** All adapters, by their ids. */
export async function listAdapters(directory: string): Promise<AdapterFile[]> {
  const adapters: AdapterFile[] = [];
  for (const folder of await entriesOf(directory)) {
    if (!folder.isDirectory() || !safeName.test(folder.name)) continue;
    for (const { name } of await entriesOf(join(directory, folder.name))) {
      if (!name.endsWith(suffix)) continue;
      const id = trainedModelId(folder.name, name.slice(0, -suffix.length));
      const adapter = await findAdapter(directory, id);
      if (adapter !== undefined) adapters.push(adapter);
    }
  }
  return adapters.sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
