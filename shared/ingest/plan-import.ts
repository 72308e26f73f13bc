import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { takeReadingPlace } from '#shared/runs/reading-places.ts';
import { type DownloadBatch, ImportSource } from './schema/import.ts';

/** Maximum bytes of paths in a state machine's payload. */
const BATCH_BYTES_MAX = 12_288;

export interface PlanImportPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly claims: Pick<Claims, 'take' | 'release'>;
}

/** Files to download, and the seconds after which to ask again where the team has no place for the run; 0 where it has one. */
export interface PlannedImport {
  readonly batch: DownloadBatch;
  /** The file after them; null at the end. */
  readonly next: number | null;
  readonly wait_seconds: number;
}

/**
 * The next files of an import to download, from file `first`. With the first ones the run takes its place, which it keeps.
 * @throws {ServiceError} `run_interrupted` if the dataset is gone, or the run has ended
 */
export async function planImport(
  ports: PlanImportPorts,
  input: {
    readonly dataset_id: string;
    readonly run_id: string;
    readonly first: number;
    readonly now: number;
  },
): Promise<PlannedImport> {
  const { first } = input;
  const dataset = await ports.datasets.find(input.dataset_id);
  const run = await ports.runs.find(input.dataset_id, input.run_id);
  if (dataset === null || run === null) {
    throw new ServiceError('run_interrupted', 'The dataset was deleted before it was imported.');
  }
  const { origin, files } = await loadImportSource(ports.objects, dataset);
  let end = first;
  let bytes = 0;
  for (const file of files.slice(first)) {
    bytes += Buffer.byteLength(JSON.stringify(file));
    if (end > first && bytes > BATCH_BYTES_MAX) break;
    end += 1;
  }
  return {
    batch: { origin, first, files: files.slice(first, end) },
    next: end < files.length ? end : null,
    wait_seconds: first === 0 ? await takeReadingPlace(ports, run, input.now) : 0,
  };
}

/** The source of an import. */
export async function loadImportSource(
  objects: Pick<ObjectStore, 'read'>,
  dataset: Pick<DatasetRecord, 'import_key'>,
): Promise<ImportSource> {
  const { import_key: key } = dataset;
  const stored = key === undefined ? null : await findJson(objects, key, ImportSource);
  if (stored === null) throw new Error('What the dataset is imported from is not stored.');
  return stored;
}
