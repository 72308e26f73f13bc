import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECORD_WORDS, Signer } from '#shared/answers/decide/deduplication/signature.ts';
import { SCHEMA_RULES_MAX } from '#shared/answers/decide/lint/answer-schema.ts';
import { codeFault } from '#shared/answers/decide/lint/code.ts';
import { createRowLinter } from '#shared/answers/decide/lint/row-linter.ts';
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
/** What is read of them: also the checks of a row, by its completion. */
export type Readable = Parsed | 'row_checks';

/**
 * Reads bytes as the service does, up to their rows.
 * @returns whether they are refused; an error that is no refusal is thrown
 */
export async function parseBytes(kind: Readable, bytes: Buffer): Promise<'read' | 'refused'> {
  try {
    await parse(kind, bytes);
    return 'read';
  } catch (error) {
    if (error instanceof ServiceError || error instanceof AskFailure) return 'refused';
    throw error;
  }
}

async function parse(kind: Readable, bytes: Buffer): Promise<unknown> {
  const tabular = TabularFormat.safeParse(kind);
  if (tabular.success) {
    const read = [
      readColumns(tabular.data, bytes.length, async (from, to) => bytes.subarray(from, to + 1)),
      ingestFile({
        format: tabular.data,
        name: `rows.${kind}`,
        source: pieces(bytes),
        maxBytes: 2 ** 31,
        chunkKey: (n) => `rows/${n}.jsonl`,
        writeChunk: async () => {},
      }),
    ];
    // What one of them takes is not measured with the next file because the other has refused this one.
    await Promise.allSettled(read);
    return Promise.all(read);
  }
  switch (kind) {
    case 'row_checks':
      return checkRow(bytes.toString('utf8'));
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

/** Checks a row of a completion by the largest settings, and compares it with itself. */
function checkRow(completion: string): void {
  const linter = createRowLinter(
    { mode: 'prompt_and_completion', mapping: { prompt: 'prompt', completion: 'completion', context: [] } },
    { checks: undefined, benchmarks: BENCHMARKS, answer_schema: LARGEST_SCHEMA },
    { checks: 'checks', benchmarks: 'benchmarks', answer_schema: 'answer_schema' },
    codeFault,
  );
  linter.row(
    new Map([
      ['prompt', 'What is it?'],
      ['completion', completion],
    ]),
  );
  const text = { identity: completion, prompt: completion, context: '', apart: null };
  new Signer().sign(text, new Uint32Array(RECORD_WORDS), 0);
}

/** Benchmarks of each number of words that is looked for. */
const BENCHMARKS = [8, 9, 10, 11, 12, 13].flatMap((words) =>
  Array.from({ length: 100 }, (_, n) => Array.from({ length: words }, (_, at) => `word${n}x${at}`).join(' ')),
);

/** As many rules as a schema may have, each of which reads the whole of an answer. */
const LARGEST_SCHEMA = {
  items: {
    allOf: Array.from({ length: SCHEMA_RULES_MAX / 2 - 2 }, () => ({ minItems: 0 })),
  },
};

async function readDocument(format: DocumentFormat, bytes: Buffer): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'parsing-'));
  try {
    const path = join(directory, 'upload');
    await writeFile(path, bytes);
    await readUpload(
      { path, format, name: `file.${format}`, directory, limits: DOCUMENT_LIMITS, mayBeTable: true },
      { write: () => {}, writeTable: () => {}, begin: () => {} },
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}
