import { cancelBatchJobs } from '#shared/adaptation/advance-batch.ts';
import { onTrouble } from '#shared/adaptation/wire.ts';
import { cancelBatchJobs as contract } from '#shared/lifecycle/background.ts';
import { batchProvider } from '#shared/models/wire-providers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  contract,
  { objects: objects({ read: ['runs'] }), provider: batchProvider('cancel') },
  async ({ run_id }, { objects, provider }) =>
    cancelBatchJobs({ objects, provider: await provider(), onTrouble }, run_id),
);
