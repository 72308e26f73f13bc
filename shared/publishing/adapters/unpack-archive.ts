import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import type { UnpackedFile } from '../decide/ports.ts';

/**
 * Unpacks the wanted files of a `.tar.gz` into a temporary folder, which is deleted after `use`. Files beyond `bytesMax` bytes in
 * all are listed, and not written.
 * @throws {Error} if the archive is damaged
 */
export async function unpackArchive<T>(
  archive: Readable,
  { isWanted, bytesMax }: { readonly isWanted: (name: string) => boolean; readonly bytesMax: number },
  use: (files: readonly UnpackedFile[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  try {
    const files = new Map<string, UnpackedFile>();
    let total = 0;
    const filter = (name: string, entry: object): boolean => {
      // Links and folders are no files, and a second file of a name is another one.
      if (!('type' in entry) || entry.type !== 'File' || !isWanted(name) || files.has(name)) return false;
      const bytes = 'size' in entry ? Number(entry.size) : 0;
      files.set(name, { name, bytes, localPath: join(folder, name) });
      total += bytes;
      return total <= bytesMax;
    };
    await pipeline(archive, extract({ cwd: folder, strict: true, filter }));
    return await use([...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
