import { DOWNLOAD_URL_SECONDS } from '#shared/exports/decide/download.ts';
import { exportLink, linkExport } from '#shared/exports/wire.ts';
import { getFileContent } from '#shared/openai/contracts/files.ts';
import { datasetIdOf } from '#shared/openai/decide/ids.ts';
import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { safeFileName } from '#shared/platform/storage/object-keys.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = serve(
  getFileContent,
  { ...exportLink, objects: objects({ read: ['exports', 'datasets'] }) },
  async (input, ports) => {
    const dataset_id = datasetIdOf(input.params.file_id);
    const dataset = await ports.datasets.require(input.caller, dataset_id);
    // The file as it was uploaded holds what was replaced in its rows.
    const key = dataset.redact_personal_data === true ? null : dataset.raw_key;
    const url =
      key === null
        ? (await linkExport({ ...input, params: { dataset_id }, query: { fileFormat: 'jsonl' } }, ports)).url
        : await ports.objects.presignGet(
            key,
            DOWNLOAD_URL_SECONDS,
            safeFileName(dataset.file_name),
            'application/octet-stream',
          );
    return reply(307, { location: url });
  },
);
