import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startThread } from '#shared/platform/adapters/start-thread.ts';
import { withTemporaryFolder } from '#shared/platform/adapters/temporary-folder.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { DocumentFormat } from '#shared/platform/schema/file-format.ts';
import { DOCUMENT_LIMITS, type DocumentLimits } from '../../decide/documents/limits.ts';
import { fileUnreadable, formatBytes, quoteName } from '../../decide/file-error.ts';
import type { WorkerJob, WorkerMessage } from './document-worker.ts';
import type { UploadRead } from './read-upload.ts';

const MEBIBYTE = 1024 * 1024;
/** Interval of the memory checks of the reader. */
const WATCH_MILLISECONDS = 50;

/**
 * Reads a document, or an archive of documents, in a worker thread and passes the file with its rows, one JSON line
 * each, to `use`: those of passages, or of a table. If the reader exceeds its time or memory, or crashes, the error names the file that it was reading.
 * @throws {ServiceError} `file_empty`, `file_unreadable`, `file_too_large`; each names the file
 */
export function withDocumentRows<T>(
  file: {
    readonly source: AsyncIterable<Uint8Array>;
    readonly format: DocumentFormat;
    readonly name: string;
    /** Whether a workbook whose sheets are one table is read as that. */
    readonly mayBeTable?: boolean;
  },
  use: (rows: string, read: UploadRead) => Promise<T>,
  limits: DocumentLimits = DOCUMENT_LIMITS,
): Promise<T> {
  return withTemporaryFolder(async (directory) => {
    const path = join(directory, 'upload');
    await pipeline(Readable.from(file.source), createWriteStream(path));
    const [output, tableOutput] = [join(directory, 'rows.jsonl'), join(directory, 'table.jsonl')];
    const { format, name, mayBeTable = false } = file;
    const job = { path, format, name, directory, limits, mayBeTable, output, tableOutput };
    const read = await runReader(job);
    return use(read.isTable ? tableOutput : output, read);
  });
}

function runReader(job: WorkerJob): Promise<UploadRead> {
  const { limits } = job;
  const worker = startThread(import.meta.url, './document-worker.ts', {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMebibytes },
  });
  const residentMax = process.memoryUsage.rss() + limits.residentMebibytes * MEBIBYTE;
  const memory = formatBytes(Math.min(limits.heapMebibytes, limits.residentMebibytes) * MEBIBYTE);
  let reading: string | null = null;
  const blame = (problem: string, cause?: unknown): ServiceError =>
    fileUnreadable(`${quoteName(reading ?? job.name)}: ${problem}`, cause);
  const needsMemory = (cause?: unknown): ServiceError =>
    blame(`Reading it needs more than ${memory} of memory. Simplify or split the document.`, cause);

  return new Promise<UploadRead>((resolve, reject) => {
    let began = performance.now();
    const uploadBegan = began;
    const watch = setInterval(() => {
      const now = performance.now();
      if (process.memoryUsage.rss() > residentMax) fail(needsMemory());
      else if (now - began > limits.documentMilliseconds) {
        fail(
          blame(
            `Reading it took longer than ${limits.documentMilliseconds / 1000} s. Simplify the document.`,
          ),
        );
      } else if (now - uploadBegan > limits.uploadMilliseconds) {
        const seconds = limits.uploadMilliseconds / 1000;
        fail(
          fileUnreadable(
            `${quoteName(job.name)}: Reading it took longer than ${seconds} s; the last file was ${quoteName(reading ?? job.name)}. Split it and upload the parts.`,
          ),
        );
      }
    }, WATCH_MILLISECONDS);
    let hasEnded = false;
    // The reader has closed its files before they are deleted. Messages during termination are ignored.
    const end = (conclude: () => void): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearInterval(watch);
      void worker.terminate().then(conclude, reject);
    };
    const fail = (error: Error): void => end(() => reject(error));
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'reading') {
        reading = message.name;
        began = performance.now();
      } else if (message.kind === 'refused') fail(new ServiceError(message.code, message.message));
      else end(() => resolve({ warnings: message.warnings, isTable: message.isTable }));
    });
    worker.on('error', (error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') fail(needsMemory(error));
      // Errors before the first document, and disk errors, are not caused by a document.
      else if (reading === null || 'syscall' in error) fail(error);
      else fail(blame('The document could not be read. Simplify it and upload it again.', error));
    });
    worker.on('exit', () => {
      fail(
        reading === null
          ? new Error('The reader of documents ended before it began.')
          : blame('The document could not be read to its end. Simplify it and upload it again.'),
      );
    });
  });
}
