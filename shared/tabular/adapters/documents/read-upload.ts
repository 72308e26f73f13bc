import { createReadStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import type { DocumentFormat } from '#shared/platform/schema/file-format.ts';
import { documentLine } from '../../decide/documents/document-row.ts';
import type { DocumentLimits } from '../../decide/documents/limits.ts';
import { Passages } from '../../decide/documents/passages.ts';
import { SheetTable } from '../../decide/documents/sheet-table.ts';
import { warnOfTable } from '../../decide/documents/text-table.ts';
import { fileEmpty, fileUnreadable, formatBytes, quoteName } from '../../decide/file-error.ts';
import { describeSignature } from '../../decide/file-signature.ts';
import type { ReadWarning } from '../../decide/row-reader.ts';
import { Archive, InflateBudget } from './archive.ts';
import { readDocx } from './read-docx.ts';
import { readHtml } from './read-html.ts';
import { readPdf } from './read-pdf.ts';
import { readPptx } from './read-pptx.ts';
import { readText } from './read-text.ts';
import { readXlsx, type SheetSink } from './read-xlsx.ts';

/** An upload on disk that is converted to rows. */
export interface DocumentJob {
  readonly path: string;
  readonly format: DocumentFormat;
  /** The file's name in messages and rows. */
  readonly name: string;
  /** A folder for temporary inflated files. */
  readonly directory: string;
  readonly limits: DocumentLimits;
  /** Whether a workbook whose sheets are one table is read as that, and not as passages. */
  readonly mayBeTable: boolean;
}

export interface DocumentSink {
  /** Writes JSON lines immediately, without buffering. */
  write(lines: string): void;
  /** Writes lines of a table, which count in place of the passages if the upload is one. */
  writeTable(lines: string): void;
  /** Called at the start of a document. */
  begin(name: string): void;
}

type SingleFormat = Exclude<DocumentFormat, 'zip'>;

const EXTENSIONS: Readonly<Record<string, SingleFormat>> = {
  pdf: 'pdf',
  docx: 'docx',
  pptx: 'pptx',
  xlsx: 'xlsx',
  html: 'html',
  htm: 'html',
  txt: 'txt',
};
/** Extensions of archives, whose inflated size is unknown. */
const ARCHIVES = /\.(zip|gz|tgz|bz2|xz|7z|rar|tar|jar)$/i;
/** Metadata files that programs add to archives. */
const LITTER = /(^|\/)(__MACOSX\/|\.[^/]*$|Thumbs\.db$|desktop\.ini$)/i;
const WARNINGS_MAX = 20;
const HEAD_BYTES = 512;
/** What of a text is looked at for the rows of a table. */
const TABLE_HEAD_BYTES = 16 * 1024;

/** How an upload was read. */
export interface UploadRead {
  readonly warnings: readonly ReadWarning[];
  /** Whether the rows are those of a table. */
  readonly isTable: boolean;
}

/**
 * The rows of a document, or of all documents of a ZIP archive in directory order.
 * @throws {ServiceError} `file_empty`, `file_unreadable`, `file_too_large`; each names the file
 */
export async function readUpload(job: DocumentJob, sink: DocumentSink): Promise<UploadRead> {
  const budget = new InflateBudget(job.limits);
  const rows = new LineCounter(sink.write, job.limits.textBytesMax);
  if (job.format !== 'zip') {
    const { path, name, format } = job;
    sink.begin(name);
    const table = job.mayBeTable ? tableInto(sink, job.limits.textBytesMax) : null;
    const warnings = await named(name, () => readSingle({ path, name, format }, job, budget, rows, table));
    if (rows.count === 0) throw fileEmpty(`${quoteName(name)}: ${emptyReason(format, warnings)}`);
    const isTable = table?.isTable ?? false;
    const asPassages = format === 'xlsx' && table !== null && !isTable ? [workbookAsPassages(table)] : [];
    return { warnings: [...asPassages, ...warnings], isTable };
  }
  sink.begin(job.name);
  const warnings = await named(job.name, () => readMembers(job, budget, rows, sink));
  return { warnings, isTable: false };
}

async function readMembers(
  job: DocumentJob,
  budget: InflateBudget,
  rows: LineCounter,
  sink: DocumentSink,
): Promise<ReadWarning[]> {
  await requireSignature(job.path, 'zip');
  const archive = await Archive.open(job.path, budget, job.limits);
  const warnings: ReadWarning[] = [];
  try {
    for (const name of archive.names.filter((member) => !LITTER.test(member))) {
      if (ARCHIVES.test(name)) {
        throw fileUnreadable(
          `${quoteName(name)} is an archive inside the archive. Put all documents into one archive.`,
        );
      }
      const format = own(EXTENSIONS, name.slice(name.lastIndexOf('.') + 1).toLowerCase());
      if (format === undefined) {
        const known = Object.keys(EXTENSIONS).join(', ');
        const message = `${quoteName(name)} was left out: only ${known} are read in an archive.`;
        warnings.push({ code: 'member_left_out', message });
        continue;
      }
      sink.begin(name);
      const before = rows.count;
      const path = join(job.directory, 'member');
      const ofMember = await named(name, async () => {
        await writeFile(path, archive.stream(name));
        return readSingle({ path, name, format }, job, budget, rows);
      });
      for (const { code, message } of ofMember) {
        warnings.push({ code, message: `${quoteName(name)}: ${message}` });
      }
      if (rows.count === before) {
        warnings.push({ code: 'document_empty', message: `${quoteName(name)}: ${emptyReason(format)}` });
      }
    }
  } finally {
    archive.close();
  }
  if (rows.count === 0) {
    const [first] = warnings;
    throw fileEmpty(first?.message ?? 'The archive holds no documents.');
  }
  return warnings.length <= WARNINGS_MAX
    ? warnings
    : [
        ...warnings.slice(0, WARNINGS_MAX),
        { code: 'more_left_out', message: `${warnings.length - WARNINGS_MAX} more members hold no rows.` },
      ];
}

async function readSingle(
  file: { readonly path: string; readonly name: string; readonly format: SingleFormat },
  { limits }: Pick<DocumentJob, 'limits'>,
  budget: InflateBudget,
  rows: LineCounter,
  table: SheetTable | null = null,
): Promise<readonly ReadWarning[]> {
  const { path, name, format } = file;
  let warnings: readonly ReadWarning[] = [];
  const passages = new Passages({ source_file: name, format }, (row) => rows.take(documentLine(row)));
  await requireSignature(path, format);
  if (format === 'txt') {
    await readText(createReadStream(path), passages);
    warnings = warnOfTable((await readHead(path, TABLE_HEAD_BYTES)).toString('utf8'));
  } else if (format === 'html') await readHtml(createReadStream(path), passages, limits);
  else if (format === 'pdf') await readPdf(path, passages, limits);
  else {
    const archive = await Archive.open(path, budget, limits);
    try {
      if (format === 'docx') await readDocx(archive, passages);
      else if (format === 'pptx') await readPptx(archive, passages);
      else warnings = await readXlsx(archive, sheetsAs(passages, table), limits);
    } finally {
      archive.close();
    }
  }
  passages.end();
  return warnings;
}

const workbookAsPassages = ({ problem }: SheetTable): ReadWarning => ({
  code: 'workbook_as_passages',
  message: `The workbook was read as passages of text, not as rows of a table: ${problem ?? 'it holds more text than a table may'}. A table has names of its columns in the first row of each sheet, the same in all, and cells below them alone.`,
});

/** A table whose rows are written while they are of so many bytes together: a larger one is read as passages. */
function tableInto({ writeTable }: DocumentSink, bytesMax: number): SheetTable {
  let bytes = 0;
  return new SheetTable((row) => {
    const line = `${JSON.stringify(row)}\n`;
    bytes += Buffer.byteLength(line);
    if (bytes > bytesMax) return false;
    writeTable(line);
    return true;
  });
}

/** The sheets of a workbook as passages, and as the table that they may be. */
const sheetsAs = (passages: Passages, table: SheetTable | null): SheetSink => ({
  beginSheet(sheet) {
    passages.moveTo({ sheet });
    table?.beginSheet(sheet);
  },
  row(cells) {
    passages.tableRow(cells);
    table?.row(cells);
  },
  endSheet: () => passages.endTable(),
});

async function readHead(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0).finally(() => file.close());
  return buffer.subarray(0, bytesRead);
}

const OFFICE_OR_ZIP = 'a ZIP archive or an Office document';
const EXPECTED: Readonly<Record<DocumentFormat, string | null>> = {
  pdf: 'a PDF document',
  docx: OFFICE_OR_ZIP,
  pptx: OFFICE_OR_ZIP,
  xlsx: OFFICE_OR_ZIP,
  zip: OFFICE_OR_ZIP,
  html: null,
  txt: null,
};

/** Rejects a file whose first bytes are those of another type. */
async function requireSignature(path: string, format: DocumentFormat): Promise<void> {
  const seen = await readHead(path, HEAD_BYTES);
  if (seen.length === 0) throw fileEmpty('It is empty. Upload it again.');
  const kind = describeSignature(seen);
  const expected = EXPECTED[format];
  if (expected === kind) return;
  // Some writers put a few bytes before the PDF header.
  if (format === 'pdf' && seen.includes('%PDF-')) return;
  if (expected === null && (kind === null || kind === 'an HTML page' || kind === 'an XML document')) return;
  if (format !== 'zip' && expected === OFFICE_OR_ZIP && kind === 'an old Office document') {
    throw fileUnreadable(
      `It is encrypted, or was written by a version of Office before 2007. Save it as ${format} without a password and upload it.`,
    );
  }
  throw fileUnreadable(
    `It was announced as ${format}, but its first bytes are ${kind === null ? 'not those of one' : `those of ${kind}`}. Upload the ${format} file itself.`,
  );
}

function emptyReason(format: SingleFormat, warnings: readonly ReadWarning[] = []): string {
  if (format === 'pdf') return 'It holds no text: its pages are images. Run OCR on it and upload the result.';
  return ['It holds no text.', ...warnings.map(({ message }) => message)].join(' ');
}

/** Adds the file name to an error. An unexpected exception of a reader counts as a fault of the file. */
async function named<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NamedError || isOfDisk(error)) throw error;
    if (error instanceof ServiceError) {
      throw new NamedError(error.code, `${quoteName(name)}: ${error.message}`, { cause: error });
    }
    const kind = error instanceof Error ? error.name : typeof error;
    throw new NamedError(
      'file_unreadable',
      `${quoteName(name)}: It is damaged or not supported (${kind}). Save it again and upload it.`,
      { cause: error },
    );
  }
}

/** An error whose message already names the file. */
class NamedError extends ServiceError {}

function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Counts the lines of an upload, and their bytes. */
class LineCounter {
  readonly #write: (line: string) => void;
  readonly #bytesMax: number;
  #bytes = 0;
  count = 0;

  constructor(write: (line: string) => void, bytesMax: number) {
    this.#write = write;
    this.#bytesMax = bytesMax;
  }

  take(line: string): void {
    this.#bytes += Buffer.byteLength(line);
    if (this.#bytes > this.#bytesMax) {
      throw new ServiceError(
        'file_too_large',
        `It holds more than ${formatBytes(this.#bytesMax)} of text, the limit for one upload. Split it and upload the parts.`,
      );
    }
    this.count += 1;
    this.#write(line);
  }
}
