import { datasets } from '#shared/datasets/wire/datasets.ts';
import { completeUploadById } from '#shared/ingest/contracts.ts';
import { completeUpload } from '#shared/ingest/wire/complete-upload.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  completeUploadById,
  { datasets: datasets('write'), completeUpload },
  async ({ caller, params, body, now }, { datasets, completeUpload }) =>
    completeUpload({
      caller,
      dataset: await datasets.require(caller, params.dataset_id),
      isNew: false,
      fileSizeBytes: body.file_size_bytes,
      sha256: body.sha256 ?? null,
      now,
    }),
);
