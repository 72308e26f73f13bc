import { closeSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorCode } from '#shared/platform/errors/catalog.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { type DocumentJob, readUpload, type UploadRead } from './read-upload.ts';

/** Input of the thread that reads documents. */
export interface WorkerJob extends DocumentJob {
  /** Output file for the passages, one JSON line each. */
  readonly output: string;
  /** Output file for the rows of the table that the upload may be. */
  readonly tableOutput: string;
}

/** Messages of the thread to its parent. */
export type WorkerMessage =
  | { readonly kind: 'reading'; readonly name: string }
  | ({ readonly kind: 'read' } & UploadRead)
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };

const WRITE_CHARACTERS = 1024 * 1024;

/** A file that is written in blocks. */
function openOutput(path: string) {
  const file = openSync(path, 'w');
  let held = '';
  const flush = (): void => {
    writeSync(file, held);
    held = '';
  };
  return {
    write(lines: string): void {
      held += lines;
      if (held.length > WRITE_CHARACTERS) flush();
    },
    flush,
    close: () => closeSync(file),
  };
}

async function run(job: WorkerJob, say: (message: WorkerMessage) => void): Promise<void> {
  const passages = openOutput(job.output);
  const table = openOutput(job.tableOutput);
  try {
    const read = await readUpload(job, {
      write: passages.write,
      writeTable: table.write,
      begin: (name) => say({ kind: 'reading', name }),
    });
    passages.flush();
    table.flush();
    say({ kind: 'read', ...read });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    say({ kind: 'refused', code: error.code, message: error.message });
  } finally {
    passages.close();
    table.close();
  }
}

const port = parentPort;
if (port !== null) await run(workerData as WorkerJob, (message) => port.postMessage(message));
