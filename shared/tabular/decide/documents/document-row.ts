import type { DocumentFormat } from '#shared/platform/schema/file-format.ts';
import type { RowsColumn } from '../../schema/rows-manifest.ts';

/** The position of a passage in a file; null for what a format does not have. */
export interface Place {
  /** Page of a PDF, from 1. */
  readonly page: number | null;
  /** Slide of a presentation, from 1. */
  readonly slide: number | null;
  /** Title of a spreadsheet's sheet. */
  readonly sheet: string | null;
}

/** One row of a document dataset: a passage with its origin. */
export interface DocumentRow extends Place {
  /** The passage as Markdown: paragraphs, list items, tables. */
  readonly text: string;
  /** The headings above it, outermost first, joined by " > "; null if there are none. */
  readonly heading: string | null;
  /** The file's name; for an archive member, its path. */
  readonly source_file: string;
  readonly format: Exclude<DocumentFormat, 'zip'>;
}

/** The columns of every document dataset, in order: the same schema for all formats. */
export const DOCUMENT_COLUMNS = [
  { name: 'text', type: 'VARCHAR' },
  { name: 'heading', type: 'VARCHAR' },
  { name: 'page', type: 'BIGINT' },
  { name: 'slide', type: 'BIGINT' },
  { name: 'sheet', type: 'VARCHAR' },
  { name: 'source_file', type: 'VARCHAR' },
  { name: 'format', type: 'VARCHAR' },
] as const satisfies readonly RowsColumn[];

/** A row as a JSON line, with keys in the order of the columns. */
export function documentLine(row: DocumentRow): string {
  return `${JSON.stringify(Object.fromEntries(DOCUMENT_COLUMNS.map(({ name }) => [name, row[name]])))}\n`;
}
