import { datasets } from '#shared/datasets/wire.ts';
import { getFile } from '#shared/openai/contracts/files.ts';
import { toBatchFile } from '#shared/openai/decide/batches.ts';
import { toFile } from '#shared/openai/decide/files.ts';
import { toResultFile } from '#shared/openai/decide/result-file.ts';
import { leftFileOr } from '#shared/openai/find-left-file.ts';
import { batches } from '#shared/openai/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  getFile,
  {
    datasets: datasets('read'),
    batches: batches('read'),
    trainings: trainings('read'),
    objects: objects({ read: ['trainings'] }),
  },
  async ({ caller, params }, ports) => {
    const found = await leftFileOr(ports, caller, params.file_id, (id) => ports.datasets.require(caller, id));
    if ('training' in found) return toResultFile(found.training, found.csv);
    return 'file' in found ? toBatchFile(found.file) : toFile(found.other);
  },
);
