import { cancelBatch as contract } from '#shared/openai/contracts/batches.ts';
import { cancelBatch } from '#shared/openai/create-batch.ts';
import { toBatch } from '#shared/openai/decide/batches.ts';
import { batches, startBatchWorker } from '#shared/openai/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { batches: batches('write'), start: startBatchWorker },
  async ({ caller, params, now }, ports) =>
    toBatch(await cancelBatch(ports, caller.team_id, params.batch_id, now)),
);
