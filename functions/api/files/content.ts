import { DOWNLOAD_URL_SECONDS } from '#shared/exports/decide/download.ts';
import { exportLink, linkExport } from '#shared/exports/wire.ts';
import { getFileContent } from '#shared/openai/contracts/files.ts';
import { RESULT_FILE } from '#shared/openai/decide/result-file.ts';
import { leftFileOr } from '#shared/openai/find-left-file.ts';
import { batches } from '#shared/openai/wire.ts';
import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { objectKeys, safeFileName } from '#shared/platform/storage/object-keys.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  getFileContent,
  {
    ...exportLink,
    batches: batches('read'),
    trainings: trainings('read'),
    objects: objects({ read: ['exports', 'datasets', 'batches', 'trainings'], write: ['batches'] }),
  },
  async (input, ports) => {
    const { caller, params } = input;
    const found = await leftFileOr(ports, caller, params.file_id, (id) => ports.datasets.require(caller, id));
    if ('file' in found) {
      const { file_id, name } = found.file;
      const key = objectKeys.batchFile(caller.team_id, file_id);
      const file = safeFileName(name);
      const location = await ports.objects.presignGet(key, DOWNLOAD_URL_SECONDS, file, 'application/jsonl');
      return reply(307, { location });
    }
    if ('training' in found) {
      const key = objectKeys.resultFile(caller.team_id, found.training.experiment_id);
      await ports.objects.write(key, found.csv, 'text/csv');
      return reply(307, {
        location: await ports.objects.presignGet(key, DOWNLOAD_URL_SECONDS, RESULT_FILE, 'text/csv'),
      });
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
