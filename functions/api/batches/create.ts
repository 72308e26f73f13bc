import { datasets } from '#shared/datasets/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { createBatch as contract } from '#shared/openai/contracts/batches.ts';
import { createBatch } from '#shared/openai/create-batch.ts';
import { toBatch } from '#shared/openai/decide/batches.ts';
import { batches, startBatchWorker } from '#shared/openai/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { claims, newId } from '#shared/platform/wire.ts';

export const handler = serve(
  contract,
  {
    batches: batches('write'),
    datasets: datasets('read'),
    claims: claims('write'),
    start: startBatchWorker,
    clock,
    newId,
  },
  async ({ caller, body, now }, ports) => toBatch(await createBatch(ports, { caller, request: body, now })),
);
