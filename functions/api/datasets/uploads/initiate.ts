import { initiateUpload } from '#shared/contracts/uploads.ts';
import { fileFormat, fileNameOf } from '#shared/domain/ingest/source.ts';
import { objectKeys } from '#shared/domain/storage/object-keys.ts';
import { newUuid } from '#shared/runtime/deps/ids.ts';
import { openUploads } from '#shared/runtime/deps/open-uploads.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  initiateUpload,
  { openUploads, newId: newUuid },
  async ({ caller, body }, { openUploads, newId }) => {
    const format = fileFormat('file_format', body.file_format, body.name);
    const s3_key = objectKeys.upload(caller.team_id, newId(), fileNameOf(body.name, format));
    const [upload_url = ''] = await openUploads(caller.team_id, [
      { key: s3_key, bytes: body.file_size_bytes ?? null },
    ]);

    return { upload_url, s3_key };
  },
);
