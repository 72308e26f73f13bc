import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, type FileHandle, mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { archiveFiles } from '../decide/manifest.ts';
import type { ArchiveReader, ArchiveWriter } from '../decide/ports.ts';

interface OpenFile {
  readonly file: FileHandle;
  readonly hash: Hash;
}

/**
 * Begins an archive in a folder, which is made if there is none.
 * @throws Error if the folder has files
 */
export async function createArchiveWriter(folder: string): Promise<ArchiveWriter> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new Error(`The folder ${folder} is not empty. Name a new one.`);
  }
  const opened = new Map<string, OpenFile>();
  const partial = join(folder, `${archiveFiles.checksums}.partial`);
  const place = async (path: string): Promise<string> => {
    const at = join(folder, path);
    await mkdir(dirname(at), { recursive: true });
    return at;
  };
  const record = (path: string, hash: Hash): Promise<void> =>
    appendFile(partial, `${hash.digest('hex')}  ${path}\n`);

  return {
    async addLine(path, value) {
      let lines = opened.get(path);
      if (lines === undefined) {
        lines = { file: await open(await place(path), 'wx'), hash: createHash('sha256') };
        opened.set(path, lines);
      }
      const line = `${JSON.stringify(value)}\n`;
      lines.hash.update(line);
      await lines.file.appendFile(line);
    },

    async copy(path, source) {
      const hash = createHash('sha256');
      let bytes = 0;
      const through = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          bytes += chunk.length;
          done(null, chunk);
        },
      });
      await pipeline(source, through, createWriteStream(await place(path), { flags: 'wx' }));
      await record(path, hash);
      return bytes;
    },

    async write(path, text) {
      const file = await open(await place(path), 'wx');
      await file.writeFile(text);
      await file.close();
      await record(path, createHash('sha256').update(text));
    },

    async seal() {
      for (const [path, { file, hash }] of opened) {
        await file.close();
        await record(path, hash);
        opened.delete(path);
      }
      const path = join(folder, archiveFiles.checksums);
      await rename(partial, path);
      return (await sha256Of(path)) ?? '';
    },

    async close() {
      for (const { file } of opened.values()) await file.close();
      opened.clear();
    },
  };
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function sha256Of(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return hash.digest('hex');
}

/** Reads an archive from its folder. */
export function createArchiveReader(folder: string): ArchiveReader {
  const locate = (path: string): string => join(folder, path);
  return {
    locate,
    sha256: (path) => sha256Of(locate(path)),
    read: (path) => readFile(locate(path), 'utf8'),
    async *lines(path) {
      let rest = '';
      try {
        // Only line feeds end a line: `readline` takes separators for ends that JSON leaves as they are.
        for await (const chunk of createReadStream(locate(path), 'utf8')) {
          const lines = `${rest}${chunk}`.split('\n');
          rest = lines.pop() ?? '';
          yield* lines;
        }
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
      if (rest !== '') yield rest;
    },
  };
}
