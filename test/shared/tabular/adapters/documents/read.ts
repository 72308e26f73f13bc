import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DocumentFormat } from '#shared/platform/schema/file-format.ts';
import type { DocumentRow } from '#shared/tabular/decide/documents/document-row.ts';
import { DOCUMENT_LIMITS, type DocumentLimits } from '#shared/tabular/decide/documents/limits.ts';
import type { ReadWarning } from '#shared/tabular/decide/row-reader.ts';
import { bundledReader } from './bundled.ts';

const bundled = await bundledReader();

export function sample(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(new URL(`../../../../fixtures/documents/${name}`, import.meta.url)));
}

/** The rows of a file, whose name ends in its format, as the service reads them, or another build of it. */
export async function read(
  name: string,
  body: Buffer | string | Iterable<Buffer>,
  limits: Partial<DocumentLimits> = {},
  withDocumentRows: typeof bundled = bundled,
): Promise<{ rows: DocumentRow[]; warnings: readonly ReadWarning[] }> {
  async function* source(): AsyncGenerator<Buffer> {
    if (typeof body === 'string' || Buffer.isBuffer(body)) yield Buffer.from(body);
    else yield* body;
  }
  return withDocumentRows(
    { source: source(), format: DocumentFormat.parse(name.split('.').at(-1)), name },
    async (path, { warnings }) => {
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
      return { rows: lines.map((line): DocumentRow => JSON.parse(line)), warnings };
    },
    { ...DOCUMENT_LIMITS, ...limits },
  );
}

/** Each row as one line: where it stands, and what it says. */
export function said(rows: readonly DocumentRow[]): string[] {
  return rows.map(({ page, slide, sheet, heading, text }) =>
    [page, slide, sheet, heading, text].filter((part) => part !== null).join(' :: '),
  );
}
