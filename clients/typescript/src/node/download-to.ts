import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { TunesmithClient } from '../client.ts';
import { type Download, type DownloadOptions, type DownloadSource, download } from '../download.ts';

export type DownloadToOptions = Omit<DownloadOptions, 'from'>;

/** What is kept of an unfinished download beside its bytes. */
interface Unfinished {
  readonly etag: string;
  /** Which download it is, as JSON: another one has nothing to do with these bytes. */
  readonly source: string;
}

/**
 * Downloads to a file. Until it is whole, its bytes are in `<path>.part`. If the download is interrupted, the same call
 * goes on where it ended, unless the file is another one by now. A file that is at `path` is replaced at the end.
 * @returns bytes of the file, and how many of them an earlier call had downloaded
 * @throws as `download`, or if the file cannot be written
 */
export async function downloadTo(
  client: TunesmithClient,
  source: DownloadSource,
  path: string,
  options: DownloadToOptions = {},
): Promise<{ readonly bytes: number; readonly resumedBytes: number }> {
  const part = `${path}.part`;
  const record = `${part}.json`;
  const from = await unfinished(part, record, source);
  const started = await download(client, source, { ...options, ...(from === null ? {} : { from }) });
  if (started.etag !== null) {
    const kept: Unfinished = { etag: started.etag, source: JSON.stringify(source) };
    await writeFile(record, JSON.stringify(kept));
  }
  const bytes = await writeFrom(started, part);
  await rename(part, path);
  await rm(record, { force: true });
  return { bytes, resumedBytes: started.firstByte };
}

async function unfinished(
  part: string,
  record: string,
  source: DownloadSource,
): Promise<{ bytes: number; etag: string } | null> {
  const kept = await readFile(record, 'utf8').then(
    (text) => JSON.parse(text) as Partial<Unfinished>,
    () => null,
  );
  const size = await stat(part).then(
    (found) => found.size,
    () => 0,
  );
  if (typeof kept?.etag !== 'string' || kept.source !== JSON.stringify(source) || size === 0) return null;
  // One byte less: of a file that is whole, the storage refuses a range behind its end.
  return { bytes: size - 1, etag: kept.etag };
}

/** Writes the body at its place; whatever an earlier download has left behind it is cut off. */
async function writeFrom({ body, firstByte }: Download, part: string): Promise<number> {
  const file = await open(part, firstByte === 0 ? 'w' : 'r+');
  let position = firstByte;
  try {
    await file.truncate(firstByte);
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      await file.write(chunk, 0, chunk.byteLength, position);
      position += chunk.byteLength;
    }
  } finally {
    await file.close();
  }
  return position;
}
