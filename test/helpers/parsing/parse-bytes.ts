import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readImportRequest } from '#shared/ingest/decide/imports/read-source.ts';
import { readTabs } from '#shared/ingest/decide/imports/tabs-page.ts';
import { readZipMember } from '#shared/ingest/decide/imports/zip-member.ts';
import { AskFailure } from '#shared/models/decide/ask-model.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { DocumentFormat, TabularFormat } from '#shared/platform/schema/file-format.ts';
import { readUpload } from '#shared/tabular/adapters/documents/read-upload.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import { readColumns } from '#shared/tabular/adapters/read-columns.ts';
import { DOCUMENT_LIMITS } from '#shared/tabular/decide/documents/limits.ts';
import { loadImage } from '#shared/tabular/decide/images/load-image.ts';

/** What callers bring: files by their format, the ZIP of a download, an image, a link, and a page of a provider. */
export const PARSED = [
  ...TabularFormat.options,
  ...DocumentFormat.options,
  'download',
  'image',
  'link',
  'tabs',
] as const;
export type Parsed = (typeof PARSED)[number];

/**
 * Reads bytes as the service does, up to their rows.
 * @returns whether they are refused; an error that is no refusal is thrown
 */
export async function parseBytes(kind: Parsed, bytes: Buffer): Promise<'read' | 'refused'> {
  try {
    await parse(kind, bytes);
    return 'read';
  } catch (error) {
    if (error instanceof ServiceError || error instanceof AskFailure) return 'refused';
    throw error;
  }
}

async function parse(kind: Parsed, bytes: Buffer): Promise<unknown> {
  const tabular = TabularFormat.safeParse(kind);
  if (tabular.success) {
    return Promise.all([
      readColumns(tabular.data, bytes.length, async (from, to) => bytes.subarray(from, to + 1)),
      ingestFile({
        format: tabular.data,
        name: `rows.${kind}`,
        source: pieces(bytes),
        maxBytes: 2 ** 31,
        chunkKey: (n) => `rows/${n}.jsonl`,
        writeChunk: async () => {},
      }),
    ]);
  }
  switch (kind) {
    case 'download':
      for await (const _ of readZipMember(pieces(bytes), 2 ** 31));
      return;
    case 'image':
      return loadImage(
        `data:image/png;base64,${bytes.toString('base64')}`,
        async () => bytes,
        async () => null,
      );
    case 'link':
      return readImportRequest({ source: { url: bytes.toString('utf8') } } as never, {
        huggingFaceUrl: 'https://huggingface.co',
        kaggleUrl: 'https://www.kaggle.com',
        googleSheetsUrl: 'https://docs.google.com',
        allowed: [],
      });
    case 'tabs':
      return readTabs(bytes.toString('utf8'));
    default:
      return readDocument(DocumentFormat.parse(kind), bytes);
  }
}

async function readDocument(format: DocumentFormat, bytes: Buffer): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'parsing-'));
  try {
    const path = join(directory, 'upload');
    await writeFile(path, bytes);
    await readUpload(
      { path, format, name: `file.${format}`, directory, limits: DOCUMENT_LIMITS },
      { write: () => {}, begin: () => {} },
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}
