import { completeUpload } from '#shared/ingest/complete-upload.ts';
import { completeUploadById } from '#shared/ingest/contracts.ts';
import { uploadCompletion } from '#shared/ingest/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  completeUploadById,
  uploadCompletion(),
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
