import { initiateUpload } from '#shared/contracts/uploads.ts';
import { fileFormat, fileNameOf } from '#shared/domain/ingest/source.ts';
import { UPLOAD_URL_SECONDS } from '#shared/domain/ingest/upload.ts';
import { objectKeys } from '#shared/domain/storage/object-keys.ts';
import { newUuid } from '#shared/runtime/deps/ids.ts';
import { objects } from '#shared/runtime/deps/objects.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  initiateUpload,
  { objects: objects({ write: ['uploads'] }), newId: newUuid },
  async ({ caller, body }, { objects, newId }) => {
    const format = fileFormat('file_format', body.file_format, body.name);
    const s3_key = objectKeys.upload(caller.team_id, newId(), fileNameOf(body.name, format));

    return { upload_url: await objects.presignPut(s3_key, UPLOAD_URL_SECONDS), s3_key };
  },
);
