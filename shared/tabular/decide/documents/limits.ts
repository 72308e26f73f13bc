const MEBIBYTE = 1024 * 1024;

/** Limits of reading a document. The error for a document that exceeds one names the document. */
export interface DocumentLimits {
  /** Largest text or HTML file; a larger one is mostly markup. */
  readonly htmlBytesMax: number;
  /** Largest PDF, which is held in memory. */
  readonly pdfBytesMax: number;
  /** Members of an archive, directories included. */
  readonly entriesMax: number;
  /** Inflated bytes of all members of an upload, including nested archives. */
  readonly inflatedBytesMax: number;
  /** Cells of a workbook, including empty ones. */
  readonly cellsMax: number;
  readonly pagesMax: number;
  /** Extracted text of an upload. */
  readonly textBytesMax: number;
  /** For one document, and for a whole archive. */
  readonly documentMilliseconds: number;
  readonly uploadMilliseconds: number;
  /** Heap limit of the reader, and limit of the process's additional memory. */
  readonly heapMebibytes: number;
  readonly residentMebibytes: number;
}

/** Fits the 15 minutes and 3,008 MB of the function that reads documents, with room to write the rows. */
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
