import { datasets } from '#shared/datasets/wire.ts';
import { getFile } from '#shared/openai/contracts/files.ts';
import { toFile } from '#shared/openai/decide/files.ts';
import { datasetIdOf } from '#shared/openai/decide/ids.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getFile,
  { datasets: datasets('read') },
  async ({ caller, params }, { datasets }) =>
    toFile(await datasets.require(caller, datasetIdOf(params.file_id))),
);
