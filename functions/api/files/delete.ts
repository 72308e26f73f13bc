import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { deleteFile } from '#shared/openai/contracts/files.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import { batchFileOr, findResults } from '#shared/openai/find-left-file.ts';
import { batches } from '#shared/openai/wire.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { starter } from '#shared/platform/wire-functions.ts';
import { runs } from '#shared/runs/wire.ts';
import { type CountModelsPorts, countModels } from '#shared/training/count-models.ts';
import { trainings } from '#shared/training/wire.ts';

/**
 * Callers of OpenAI delete files after a job, and expect to keep its model.
 * @throws {ServiceError} `invalid_request`
 */
async function requireNoModels(
  ports: CountModelsPorts & { readonly datasets: Pick<DatasetRepository, 'find'> },
  caller: Caller,
  id: string,
): Promise<void> {
  const dataset = await ports.datasets.find(id);
  if (dataset?.team_id !== caller.team_id || (await countModels(ports, dataset)) === 0) return;
  throw invalidField(
    'file_id',
    `has models that were trained on it, and are deleted with its dataset: DELETE /api/v1/datasets/${id} deletes all of them`,
  );
}

export const handler = serve(
  deleteFile,
  {
    datasets: datasets('write'),
    batches: batches('write'),
    objects: objects({ delete: ['batches'] }),
    trainings: trainings('read'),
    runs: runs('read'),
    startErasing: starter('tasks/datasets/erase-dataset'),
  },
  async ({ caller, params, now }, { datasets, batches, objects, trainings, runs, startErasing }) => {
    const found = await batchFileOr(batches, caller, params.file_id, async (id) => {
      await requireNoModels({ datasets, runs, trainings }, caller, id);
      return datasets.delete(caller, id, now);
    }).catch(async (error: unknown) => {
      if ((await findResults(trainings, caller, params.file_id)) === null) throw error;
      throw invalidField(
        'file_id',
        'is the file of metrics of a fine-tuning job, which goes with the job: delete the training file to delete both',
      );
    });
    if ('file' in found) {
      await objects.remove([objectKeys.batchFile(caller.team_id, found.file.file_id)]);
      await batches.removeFile(found.file);
      return { id: fileIdOf(found.file.file_id), object: 'file' as const, deleted: true as const };
    }
    const { dataset_id } = found.other;
    await startErasing({ dataset_id });
    return { id: fileIdOf(dataset_id), object: 'file' as const, deleted: true as const };
  },
);
