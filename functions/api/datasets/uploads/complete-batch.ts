import { datasets } from '#shared/datasets/wire.ts';
import { completeBatch } from '#shared/ingest/complete-batch.ts';
import { completeBatch as contract } from '#shared/ingest/contracts.ts';
import { readColumns, uploadBytesMax } from '#shared/ingest/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { launchRun } from '#shared/runs/wire.ts';

export const handler = serve(
  contract,
  {
    datasets: datasets('write'),
    objects: objects({ read: ['uploads'], write: ['datasets'] }),
    launchRun: launchRun(['ingest']),
    readColumns,
    uploadBytesMax,
  },
  ({ caller, body, now }, ports) => completeBatch(ports, { caller, request: body, now }),
);
