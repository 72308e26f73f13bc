import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { BatchFile, BatchRepository } from './decide/batches.ts';
import { datasetIdOf } from './decide/ids.ts';

/**
 * A file that a batch has left, or what else the id names.
 * @param otherwise reads the dataset of the id
 * @throws {ServiceError} of `otherwise`, if there is neither
 */
export async function batchFileOr<Other>(
  batches: Pick<BatchRepository, 'findFile'>,
  caller: Caller,
  fileId: string,
  otherwise: (datasetId: string) => Promise<Other>,
): Promise<{ readonly file: BatchFile } | { readonly other: Other }> {
  const id = datasetIdOf(fileId);
  try {
    return { other: await otherwise(id) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'dataset_not_found') throw error;
    const file = await batches.findFile(caller.team_id, id);
    if (file === null) throw error;
    return { file };
  }
}
