import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { type DownloadBatch, ImportSource } from './schema/import.ts';

/** Maximum bytes of paths in a state machine's payload. */
const BATCH_BYTES_MAX = 12_288;

/**
 * The next files of an import to download, from file `first`; `next` is the file after them, null at the end.
 * @throws {ServiceError} `run_interrupted` if the dataset is gone
 */
export async function planImport(
  ports: { readonly datasets: Pick<DatasetRepository, 'find'>; readonly objects: Pick<ObjectStore, 'read'> },
  input: { readonly dataset_id: string; readonly first: number },
): Promise<{ batch: DownloadBatch; next: number | null }> {
  const { first } = input;
  const dataset = await ports.datasets.find(input.dataset_id);
  if (dataset === null) {
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
  return { batch: { origin, first, files: files.slice(first, end) }, next: end < files.length ? end : null };
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
