import { datasets } from '#shared/datasets/wire.ts';
import { appendRows } from '#shared/ingest/append-rows.ts';
import { appendRows as contract } from '#shared/ingest/contracts.ts';
import { openUploads, uploadBytesMax } from '#shared/ingest/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { launchRun } from '#shared/runs/wire.ts';

export const handler = serve(
  contract,
  {
    datasets: datasets('read'),
    objects: objects({ read: ['uploads'], write: ['uploads'] }),
    launchRun: launchRun(['ingest'], { write: ['runs'] }),
    openUploads,
    uploadBytesMax,
    newId,
  },
  async ({ caller, params, body, idempotencyKey, now }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    return appendRows(ports, { caller, dataset, request: body, idempotencyKey, now });
  },
);
