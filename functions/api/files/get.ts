import { datasets } from '#shared/datasets/wire.ts';
import { getFile } from '#shared/openai/contracts/files.ts';
import { toBatchFile } from '#shared/openai/decide/batches.ts';
import { toFile } from '#shared/openai/decide/files.ts';
import { batchFileOr } from '#shared/openai/find-batch-file.ts';
import { batches } from '#shared/openai/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getFile,
  { datasets: datasets('read'), batches: batches('read') },
  async ({ caller, params }, { datasets, batches }) => {
    const found = await batchFileOr(batches, caller, params.file_id, (id) => datasets.require(caller, id));
    return 'file' in found ? toBatchFile(found.file) : toFile(found.other);
  },
);
