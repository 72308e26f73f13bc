const MEBIBYTE = 1024 * 1024;

/** Limits of reading a document. A document that exceeds one is refused by name. */
export interface DocumentLimits {
  /** Largest text and HTML file, which is markup more than text where it is larger. */
  readonly htmlBytesMax: number;
  /** Largest PDF, which is held whole. */
  readonly pdfBytesMax: number;
  /** Members of an archive, directories included. */
  readonly entriesMax: number;
  /** Inflated bytes of all members of an upload, nested archives included. */
  readonly inflatedBytesMax: number;
  /** Cells of a workbook, empty ones included. */
  readonly cellsMax: number;
  readonly pagesMax: number;
  /** Text that comes of an upload. */
  readonly textBytesMax: number;
  /** For one document, and for all of an archive. */
  readonly documentMilliseconds: number;
  readonly uploadMilliseconds: number;
  /** JavaScript objects of the reader, and all that the process takes more than before. */
  readonly heapMebibytes: number;
  readonly residentMebibytes: number;
}

/** Fits into the 15 minutes and 3,008 MB of the function that reads documents, with room to write the rows. */
export const DOCUMENT_LIMITS: DocumentLimits = {
  htmlBytesMax: 32 * MEBIBYTE,
  pdfBytesMax: 128 * MEBIBYTE,
  entriesMax: 10_000,
  inflatedBytesMax: 512 * MEBIBYTE,
  cellsMax: 5_000_000,
  pagesMax: 10_000,
  textBytesMax: 256 * MEBIBYTE,
  documentMilliseconds: 180_000,
  uploadMilliseconds: 720_000,
  heapMebibytes: 1024,
  residentMebibytes: 1536,
};
