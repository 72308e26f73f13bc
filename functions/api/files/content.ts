import { DOWNLOAD_URL_SECONDS } from '#shared/exports/decide/download.ts';
import { exportLink, linkExport } from '#shared/exports/wire.ts';
import { getFileContent } from '#shared/openai/contracts/files.ts';
import { batchFileOr } from '#shared/openai/find-batch-file.ts';
import { batches } from '#shared/openai/wire.ts';
import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { objectKeys, safeFileName } from '#shared/platform/storage/object-keys.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = serve(
  getFileContent,
  { ...exportLink, batches: batches('read'), objects: objects({ read: ['exports', 'datasets', 'batches'] }) },
  async (input, ports) => {
    const { caller, params } = input;
    const found = await batchFileOr(ports.batches, caller, params.file_id, (id) =>
      ports.datasets.require(caller, id),
    );
    if ('file' in found) {
      const { file_id, name } = found.file;
      const key = objectKeys.batchFile(caller.team_id, file_id);
      const file = safeFileName(name);
      const location = await ports.objects.presignGet(key, DOWNLOAD_URL_SECONDS, file, 'application/jsonl');
      return reply(307, { location });
    }
    const dataset = found.other;
    const { dataset_id } = dataset;
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
