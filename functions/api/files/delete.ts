import { datasets } from '#shared/datasets/wire.ts';
import { deleteFile } from '#shared/openai/contracts/files.ts';
import { datasetIdOf, fileIdOf } from '#shared/openai/decide/ids.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { starter } from '#shared/platform/wire-functions.ts';

export const handler = serve(
  deleteFile,
  { datasets: datasets('write'), startErasing: starter('tasks/datasets/erase-dataset') },
  async ({ caller, params, now }, { datasets, startErasing }) => {
    const { dataset_id } = await datasets.delete(caller, datasetIdOf(params.file_id), now);
    await startErasing({ dataset_id });
    return { id: fileIdOf(dataset_id), object: 'file' as const, deleted: true as const };
  },
);
