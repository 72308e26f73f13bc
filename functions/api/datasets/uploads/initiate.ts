import { initiateUpload } from '#shared/ingest/contracts.ts';
import { fileFormat, fileNameOf } from '#shared/ingest/decide/source.ts';
import { openUploads } from '#shared/ingest/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { newId } from '#shared/platform/wire.ts';

export const handler = serve(
  initiateUpload,
  { openUploads, newId },
  async ({ caller, body }, { openUploads, newId }) => {
    const format = fileFormat('file_format', body.file_format, body.name);
    const s3_key = objectKeys.upload(caller.team_id, newId(), fileNameOf(body.name, format));
    const [upload_url = ''] = await openUploads(caller.team_id, [
      { key: s3_key, bytes: body.file_size_bytes ?? null },
    ]);

    return { upload_url, s3_key };
  },
);
