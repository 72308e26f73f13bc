import type { DatasetRepository } from '../domain/datasets/repository.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { DownloadBatch } from '../schema/import.ts';
import { loadImportSource } from './read-import.ts';

/** Paths that travel in a state machine's payload at once. */
const BATCH_BYTES_MAX = 12_288;

/**
 * The next files of an import to download, beginning with file `first`; `next` is the file after them, null where
 * there is none.
 * @throws {ServiceError} `run_interrupted` where the dataset is gone
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
