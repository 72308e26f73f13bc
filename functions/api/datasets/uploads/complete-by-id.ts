import { completeUploadById } from '#shared/contracts/uploads.ts';
import { completeUpload } from '#shared/runtime/deps/complete-upload.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { serve } from '#shared/runtime/serve.ts';

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
