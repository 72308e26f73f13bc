import { getBatch } from '#shared/openai/contracts/batches.ts';
import { requireBatch, standsStill, toBatch } from '#shared/openai/decide/batches.ts';
import { batches, startBatchWorker } from '#shared/openai/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { timestamp } from '#shared/platform/timestamp.ts';

export const handler = serve(
  getBatch,
  { batches: batches('write'), start: startBatchWorker },
  async ({ caller: { team_id }, params, now }, { batches, start }) => {
    const batch = await requireBatch(batches, team_id, params.batch_id);
    // One of many readers starts a worker.
    if (standsStill(batch, now) && (await batches.takeUp(batch, timestamp(now))))
      await start({ team_id, batch_id: batch.batch_id });
    return toBatch(batch);
  },
);
