import type { DocumentFormat, RowsColumn } from '../../schema/rows-manifest.ts';

/** Where in a file a passage stands; what a format does not count is null. */
export interface Place {
  /** Page of a PDF, from 1. */
  readonly page: number | null;
  /** Slide of a presentation, from 1. */
  readonly slide: number | null;
  /** Title of a spreadsheet's sheet. */
  readonly sheet: string | null;
}

/** One row of a document dataset: a passage, with where it comes from. */
export interface DocumentRow extends Place {
  /** The passage as Markdown: paragraphs, list items, tables. */
  readonly text: string;
  /** The headings above it, outermost first, joined by " > "; null where there are none. */
  readonly heading: string | null;
  /** The file's name; for a file of an archive, its path there. */
  readonly source_file: string;
  readonly format: Exclude<DocumentFormat, 'zip'>;
}

/** The columns of every dataset that is made of documents, in their order: all of one schema, whatever the formats. */
export const DOCUMENT_COLUMNS = [
  { name: 'text', type: 'VARCHAR' },
  { name: 'heading', type: 'VARCHAR' },
  { name: 'page', type: 'BIGINT' },
  { name: 'slide', type: 'BIGINT' },
  { name: 'sheet', type: 'VARCHAR' },
  { name: 'source_file', type: 'VARCHAR' },
  { name: 'format', type: 'VARCHAR' },
] as const satisfies readonly RowsColumn[];

/** A row as its JSON line, keys in the order of the columns. */
export function documentLine(row: DocumentRow): string {
  return `${JSON.stringify(Object.fromEntries(DOCUMENT_COLUMNS.map(({ name }) => [name, row[name]])))}\n`;
}
