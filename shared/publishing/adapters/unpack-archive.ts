import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { withTemporaryFolder } from '#shared/platform/adapters/temporary-folder.ts';
import type { UnpackedFile } from '../decide/ports.ts';

/** Files of a trained model: a checkpoint has a few dozen. */
const FILES_MAX = 500;

/**
 * Unpacks the wanted files of a `.tar.gz` into a temporary folder, which is deleted after `use`. Files beyond `bytesMax` bytes in
 * all are listed, and not written.
 * @throws {Error} if the archive is damaged, or has too many files
 */
export function unpackArchive<T>(
  archive: Readable,
  { isWanted, bytesMax }: { readonly isWanted: (name: string) => boolean; readonly bytesMax: number },
  use: (files: readonly UnpackedFile[]) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const files = new Map<string, UnpackedFile>();
    const damaged = new AbortController();
    let total = 0;
    let entries = 0;
    const filter = (name: string, entry: object): boolean => {
      entries += 1;
      const bytes = 'size' in entry ? Number(entry.size) : 0;
      if (!(bytes >= 0) || entries > FILES_MAX) {
        // What is thrown here, or by the parser about a negative size, nobody could catch.
        Object.assign(entry, { remain: 0, blockRemain: 0 });
        damaged.abort();
        return false;
      }
      // Links and folders are no files, and a second file of a name is another one.
      if (!('type' in entry) || entry.type !== 'File' || !isWanted(name) || files.has(name)) return false;
      files.set(name, { name, bytes, localPath: join(folder, name) });
      total += bytes;
      return total <= bytesMax;
    };
    const { signal } = damaged;
    await pipeline(archive, extract({ cwd: folder, strict: true, filter }), { signal }).catch(
      (error: unknown) => {
        throw signal.aborted ? new Error('The archive is damaged, or has too many files.') : error;
      },
    );
    return use([...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  });
}
