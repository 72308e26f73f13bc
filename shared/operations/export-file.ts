import { setTimeout as sleep } from 'node:timers/promises';
import type { Download } from '../domain/datasets/download.ts';
import type { DatasetRecord } from '../domain/datasets/record.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { TabularFormat } from '../schema/rows-manifest.ts';

/** How long a download waits for a file that is being built. */
const WAIT_SECONDS = 20;
const POLL_MS = 500;

export interface ExportFilePorts {
  readonly objects: Pick<ObjectStore, 'head'>;
  /** Starts the building of the file and returns at once. */
  readonly startBuild: (payload: {
    dataset_id: string;
    team_id: string;
    format: TabularFormat;
  }) => Promise<void>;
}

/**
 * Waits until the export file is there, starting its building when it is not, or is too old.
 * @throws {ServiceError} `export_pending` when it takes longer than a request may
 */
export async function exportFile(
  ports: ExportFilePorts,
  input: {
    readonly dataset: Pick<DatasetRecord, 'dataset_id' | 'team_id'>;
    readonly download: Pick<Download, 'key' | 'format' | 'cachedSecondsMax'>;
    readonly signal: AbortSignal;
    /** Milliseconds since the epoch. */
    readonly now: number;
  },
): Promise<void> {
  const { key, format, cachedSecondsMax } = input.download;
  const oldestMs = cachedSecondsMax === null ? 0 : input.now - cachedSecondsMax * 1000;
  const isThere = async (): Promise<boolean> =>
    ((await ports.objects.head(key))?.modifiedMs ?? -1) >= oldestMs;
  if (await isThere()) return;
  const { dataset_id, team_id } = input.dataset;
  await ports.startBuild({ dataset_id, team_id, format });
  const deadline = performance.now() + WAIT_SECONDS * 1000;
  while (performance.now() < deadline && !input.signal.aborted) {
    await sleep(POLL_MS);
    if (await isThere()) return;
  }
  throw new ServiceError('export_pending', 'The file is being built. Try again in 30 seconds.', {
    retryAfterSeconds: 30,
  });
}
