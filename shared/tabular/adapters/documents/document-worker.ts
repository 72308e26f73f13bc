import { closeSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorCode } from '#shared/platform/errors/catalog.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ReadWarning } from '../../decide/row-reader.ts';
import { type DocumentJob, readUpload } from './read-upload.ts';

/** Input of the thread that reads documents. */
export interface WorkerJob extends DocumentJob {
  /** Output file for the rows, one JSON line each. */
  readonly output: string;
}

/** Messages of the thread to its parent. */
export type WorkerMessage =
  | { readonly kind: 'reading'; readonly name: string }
  | { readonly kind: 'read'; readonly warnings: readonly ReadWarning[] }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };

const WRITE_CHARACTERS = 1024 * 1024;

async function run(job: WorkerJob, say: (message: WorkerMessage) => void): Promise<void> {
  const file = openSync(job.output, 'w');
  let held = '';
  const write = (): void => {
    writeSync(file, held);
    held = '';
  };
  try {
    const warnings = await readUpload(job, {
      write(lines) {
        held += lines;
        if (held.length > WRITE_CHARACTERS) write();
      },
      begin: (name) => say({ kind: 'reading', name }),
    });
    write();
    say({ kind: 'read', warnings });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    say({ kind: 'refused', code: error.code, message: error.message });
  } finally {
    closeSync(file);
  }
}

const port = parentPort;
if (port !== null) await run(workerData as WorkerJob, (message) => port.postMessage(message));
