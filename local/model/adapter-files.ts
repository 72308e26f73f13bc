import { createWriteStream, type Dirent } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from './api-error.ts';

/** An adapter in the folder of its base model. */
export interface AdapterFile {
  /** `<base id>:<name>`: the id of the trained model in requests. */
  readonly id: string;
  readonly baseId: string;
  readonly path: string;
  /** Modification time of the file; a different time means a different adapter. */
  readonly writtenAt: Date;
}

const suffix = '.gguf';
/** No separators and no leading dot, so that a name never leads out of its folder. */
const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The id under which an adapter of a base model is served. */
export function trainedModelId(baseId: string, name: string): string {
  return `${baseId}:${name}`;
}

/**
 * The path of an adapter.
 * @throws {Error} for an invalid name.
 */
export function adapterPath(directory: string, baseId: string, name: string): string {
  if (!safeName.test(baseId) || !safeName.test(name)) {
    throw new Error(`"${name}" is no name for an adapter: take letters, digits, ".", "_" and "-".`);
  }
  return join(directory, baseId, `${name}${suffix}`);
}

/**
 * Fetches an adapter to its path.
 * @throws {ApiError} if it cannot be fetched.
 */
export async function fetchAdapter(url: string, path: string, signal: AbortSignal): Promise<void> {
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  try {
    const response = await fetch(url, { signal });
    if (!response.ok || response.body === null) throw new Error(`it answers ${response.status}`);
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(partial));
    // Atomic, so that no request reads a partial file.
    await rename(partial, path);
  } catch (cause) {
    await rm(partial, { force: true });
    throw new ApiError(
      502,
      `The adapter could not be fetched: ${cause instanceof Error ? cause.message : 'unknown'}`,
      {
        code: 'adapter_unavailable',
      },
    );
  }
}

/** The adapter of an id; undefined if there is none, or the id has another form. */
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

/** All adapters, by id. */
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
