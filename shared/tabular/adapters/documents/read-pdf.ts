import { readFile, stat } from 'node:fs/promises';
import { getDocumentProxy } from 'unpdf';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { DocumentLimits } from '../../decide/documents/limits.ts';
import type { Passages } from '../../decide/documents/passages.ts';
import { layoutOf, type PdfText, writeLines } from '../../decide/documents/pdf-lines.ts';
import { hasEndlessObjects } from '../../decide/documents/pdf-objects.ts';
import { type PdfNode, writeTagged } from '../../decide/documents/pdf-tags.ts';
import { fileUnreadable, formatBytes } from '../../decide/file-error.ts';

/** Number of pages, spread over a document, that determine its layout. */
const SAMPLED_PAGES = 20;
/** Every writer ends a PDF with this marker; a truncated file lacks it. */
const END_MARK = '%%EOF';
const END_BYTES = 2048;

/**
 * Text and structure of a PDF, page by page: from its tags if it has them, else from its lines and font sizes.
 * @throws {ServiceError} `file_unreadable` if it is encrypted, damaged or truncated; `file_too_large`
 */
export async function readPdf(
  path: string,
  passages: Passages,
  { pagesMax, pdfBytesMax }: Pick<DocumentLimits, 'pagesMax' | 'pdfBytesMax'>,
): Promise<void> {
  const { size } = await stat(path);
  if (size > pdfBytesMax) {
    throw new ServiceError(
      'file_too_large',
      `It is larger than ${formatBytes(pdfBytesMax)}, the limit for a PDF. Split it and upload the parts.`,
    );
  }
  const bytes = await readFile(path);
  if (!bytes.subarray(-END_BYTES).includes(END_MARK)) {
    throw fileUnreadable('The PDF is truncated. Upload it again.');
  }
  if (hasEndlessObjects(bytes)) {
    throw fileUnreadable('The PDF is damaged: its objects do not end. Export the PDF again and upload it.');
  }
  const pdf = await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), {
    verbosity: 0,
    stopAtErrors: true,
    isEvalSupported: false,
    // Images contain no text; they are not decoded.
    maxImageSize: 1,
  }).catch((error: unknown) => {
    throw asPdfError(error);
  });
  try {
    if (pdf.numPages > pagesMax) {
      throw new ServiceError(
        'file_too_large',
        `The PDF has ${pdf.numPages} pages; at most ${pagesMax} are read. Split it and upload the parts.`,
      );
    }
    const pageText = async (number: number): Promise<{ text: PdfText; tags: PdfNode | null }> => {
      try {
        const page = await pdf.getPage(number);
        const { items } = await page.getTextContent({ includeMarkedContent: true });
        const tags = (await page.getStructTree()) as PdfNode | null;
        page.cleanup();
        return { text: items as PdfText, tags };
      } catch (error) {
        throw asPdfError(error, number);
      }
    };
    const sampled: PdfText[] = [];
    const step = Math.max(1, pdf.numPages / SAMPLED_PAGES);
    for (let number = 1; number <= pdf.numPages; number += step) {
      sampled.push((await pageText(Math.floor(number))).text);
    }
    const layout = layoutOf(sampled);
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const { text, tags } = await pageText(number);
      passages.moveTo({ page: number });
      if (tags === null || !writeTagged(tags, text, passages)) writeLines(text, layout, passages);
    }
  } finally {
    await pdf.loadingTask.destroy();
  }
}

function asPdfError(error: unknown, page?: number): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  if (error.name === 'PasswordException') {
    return fileUnreadable('The PDF is encrypted with a password. Upload it without one.', error);
  }
  const where = page === undefined ? 'The PDF is damaged' : `Page ${page} of the PDF is damaged`;
  return fileUnreadable(`${where} and cannot be read. Export the PDF again and upload it.`, error);
}
