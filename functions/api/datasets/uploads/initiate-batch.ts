import { datasets } from '#shared/datasets/wire.ts';
import { initiateBatch } from '#shared/ingest/contracts.ts';
import { batchFileName, holdsRows, requireBatch } from '#shared/ingest/decide/batch.ts';
import { newBatch } from '#shared/ingest/decide/new-dataset.ts';
import { openUploads } from '#shared/ingest/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { newId } from '#shared/platform/wire.ts';

export const handler = serve(
  initiateBatch,
  { datasets: datasets('write'), openUploads, newId },
  async ({ caller, body, now }, { datasets, openUploads, newId }) => {
    requireBatch(body.files);
    const format = body.files.find(holdsRows)?.file_format ?? 'csv';
    const { name, defer_adaption: deferred = false } = body;
    const source = {
      name,
      format,
      deferred,
      unreadableShareMax: body.max_unreadable_share,
      redactsPersonalData: body.redact_personal_data,
    };
    const { dataset_id, ...dataset } = newBatch(caller, source, newId(), now);
    const files = body.files.map(({ file_name, file_format, file_size_bytes }, index) => {
      const fileName = batchFileName(index, file_name, file_format);
      return {
        file_name,
        key: objectKeys.upload(caller.team_id, dataset_id, fileName),
        bytes: file_size_bytes,
      };
    });
    const urls = await openUploads(caller.team_id, files);
    const uploads = files.map(({ file_name, key }, index) => ({
      file_name,
      upload_url: urls[index] ?? '',
      s3_key: key,
    }));

    await datasets.create({ dataset_id, ...dataset });

    return { dataset_id, uploads };
  },
);
