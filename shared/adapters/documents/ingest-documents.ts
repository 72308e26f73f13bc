import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { DOCUMENT_LIMITS, type DocumentLimits } from '#shared/domain/documents/limits.ts';
import { fileUnreadable, formatBytes, quoteName } from '#shared/domain/tabular/file-error.ts';
import type { ReadWarning } from '#shared/domain/tabular/row-reader.ts';
import { ServiceError } from '#shared/errors/service-error.ts';
import type { DocumentFormat } from '#shared/schema/rows-manifest.ts';
import { withWorkDirectory } from '../tabular/duckdb.ts';
import type { WorkerJob, WorkerMessage } from './document-worker.ts';

const MEBIBYTE = 1024 * 1024;
/** How often the memory of the reader is looked at. */
const WATCH_MILLISECONDS = 50;

/**
 * Reads a document, or an archive of documents, in a thread of its own and hands the file with its rows, one JSON line
 * each, to `use`. A reader that takes too long or too much memory, or that dies, is the fault of the file that it read.
 * @throws {ServiceError} `file_empty`, `file_unreadable`, `file_too_large`; each names the file
 */
export function withDocumentRows<T>(
  file: {
    readonly source: AsyncIterable<Uint8Array>;
    readonly format: DocumentFormat;
    readonly name: string;
  },
  use: (rows: string, warnings: readonly ReadWarning[]) => Promise<T>,
  limits: DocumentLimits = DOCUMENT_LIMITS,
): Promise<T> {
  return withWorkDirectory(async (directory) => {
    const path = join(directory, 'upload');
    await pipeline(Readable.from(file.source), createWriteStream(path));
    const output = join(directory, 'rows.jsonl');
    const { format, name } = file;
    const warnings = await runReader({ path, format, name, directory, limits, output });
    return use(output, warnings);
  });
}

function runReader(job: WorkerJob): Promise<readonly ReadWarning[]> {
  const { limits } = job;
  const worker = startWorker({
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

  return new Promise<readonly ReadWarning[]>((resolve, reject) => {
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
    // The reader has let go of its files before anyone removes them. What it says while it is ended is too late.
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
      else end(() => resolve(message.warnings));
    });
    worker.on('error', (error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') fail(needsMemory(error));
      // What fails before a document is begun, or is of the disk, is no document's fault.
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

/** The reader: a bundle of its own beside that of the function, or its source where that is what runs. */
function startWorker(options: WorkerOptions): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./document-worker.mjs', import.meta.url), options);
  }
  const source = new URL('./document-worker.ts', import.meta.url).href;
  return new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(source)}); });`,
    { ...options, eval: true },
  );
}
