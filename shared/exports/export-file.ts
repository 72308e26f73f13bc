import { setTimeout as sleep } from 'node:timers/promises';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { Download } from './decide/download.ts';

/** Seconds that a download waits for its file. */
const WAIT_SECONDS = 20;
/** Seconds that it waits for a file that another request is building: many polling requests occupy no functions. */
const WAIT_FOR_OTHERS_SECONDS = 2;
const POLL_MS = 500;

/** Maximum seconds to build a file: the timeout of the building function. */
const BUILD_SECONDS = 900;

/** The claim of the process that builds the file with this key. */
export const claimOfExport = (key: string): string => `export ${key}`;

export interface ExportFilePorts {
  readonly claims: Claims;
  readonly objects: Pick<ObjectStore, 'head'>;
  /** Starts building the file and returns at once. */
  readonly startBuild: (payload: {
    dataset_id: string;
    team_id: string;
    format: TabularFormat;
    run_id?: string;
  }) => Promise<void>;
}

/**
 * Waits until the export file exists; starts building it if it does not exist or is too old.
 * @throws {ServiceError} `export_pending` if it takes longer than a request may
 */
export async function exportFile(
  ports: ExportFilePorts,
  input: {
    readonly dataset: Pick<DatasetRecord, 'dataset_id' | 'team_id'>;
    readonly download: Pick<Download, 'key' | 'format' | 'cachedSecondsMax'>;
    /** The requested run. */
    readonly runId?: string | undefined;
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
  const named = input.runId === undefined ? {} : { run_id: input.runId };
  const claim = claimOfExport(key);
  // The file is built once for all requests; the builder releases the claim.
  const isOurs = await ports.claims.take(claim, BUILD_SECONDS);
  if (isOurs) {
    try {
      await ports.startBuild({ dataset_id, team_id, format, ...named });
    } catch (error) {
      await ports.claims.release(claim);
      throw error;
    }
  }
  const deadline = performance.now() + (isOurs ? WAIT_SECONDS : WAIT_FOR_OTHERS_SECONDS) * 1000;
  while (performance.now() < deadline && !input.signal.aborted) {
    await sleep(POLL_MS);
    if (await isThere()) return;
  }
  throw new ServiceError('export_pending', 'The file is being built. Try again in 30 seconds.', {
    retryAfterSeconds: 30,
  });
}
