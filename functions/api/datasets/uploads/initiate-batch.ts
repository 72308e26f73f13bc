import { initiateBatch } from '#shared/contracts/uploads.ts';
import { newBatch } from '#shared/domain/datasets/new-dataset.ts';
import { batchFileName, requireBatch } from '#shared/domain/ingest/batch.ts';
import { UPLOAD_URL_SECONDS } from '#shared/domain/ingest/upload.ts';
import { objectKeys } from '#shared/domain/storage/object-keys.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { newUuid } from '#shared/runtime/deps/ids.ts';
import { objects } from '#shared/runtime/deps/objects.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  initiateBatch,
  { datasets: datasets('write'), objects: objects({ write: ['uploads'] }), newId: newUuid },
  async ({ caller, body, now }, { datasets, objects, newId }) => {
    requireBatch(body.files);
    const [{ file_format: format }] = body.files;
    const source = { name: body.name, format, deferred: body.defer_adaption ?? false };
    const { dataset_id, ...dataset } = newBatch(caller, source, newId(), now);
    const uploads = await Promise.all(
      body.files.map(async ({ file_name, file_format }, index) => {
        const fileName = batchFileName(index, file_name, file_format);
        const s3_key = objectKeys.upload(caller.team_id, dataset_id, fileName);
        return { file_name, upload_url: await objects.presignPut(s3_key, UPLOAD_URL_SECONDS), s3_key };
      }),
    );

    await datasets.create({ dataset_id, ...dataset });

    return { dataset_id, uploads };
  },
);
