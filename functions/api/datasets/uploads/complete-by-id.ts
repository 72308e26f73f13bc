import { datasets } from '#shared/datasets/wire.ts';
import { completeUpload } from '#shared/ingest/complete-upload.ts';
import { completeUploadById } from '#shared/ingest/contracts.ts';
import { readColumns, uploadBytesMax } from '#shared/ingest/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { launchRun } from '#shared/runs/wire.ts';

export const handler = serve(
  completeUploadById,
  {
    datasets: datasets('write'),
    objects: objects({ read: ['uploads'], write: ['datasets'] }),
    launchRun: launchRun(['ingest']),
    readColumns,
    uploadBytesMax,
  },
  async ({ caller, params, body, now }, ports) =>
    completeUpload(ports, {
      caller,
      dataset: await ports.datasets.require(caller, params.dataset_id),
      isNew: false,
      fileSizeBytes: body.file_size_bytes,
      sha256: body.sha256 ?? null,
      now,
    }),
);
