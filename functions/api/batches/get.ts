import { getBatch } from '#shared/openai/contracts/batches.ts';
import { requireBatch, standsStill, toBatch } from '#shared/openai/decide/batches.ts';
import { batches, startBatchWorker } from '#shared/openai/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getBatch,
  { batches: batches('read'), start: startBatchWorker },
  async ({ caller: { team_id }, params, now }, { batches, start }) => {
    const batch = await requireBatch(batches, team_id, params.batch_id);
    if (standsStill(batch, now)) await start({ team_id, batch_id: batch.batch_id });
    return toBatch(batch);
  },
);
