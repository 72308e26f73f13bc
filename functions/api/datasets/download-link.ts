import { requireAdaptation } from '#shared/adaptation/wire/require-adaptation.ts';
import { linkDownload } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import { DOWNLOAD_URL_SECONDS, downloadOf } from '#shared/exports/decide/download.ts';
import { exportFile } from '#shared/exports/wire/export-file.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { objects } from '#shared/platform/wire/objects.ts';

export const handler = serve(
  linkDownload,
  { datasets: datasets('read'), objects: objects({ read: ['exports'] }), exportFile, requireAdaptation },
  async ({ caller, params, query, signal, now }, { datasets, objects, exportFile, requireAdaptation }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    const run = query.run_id === undefined ? null : await requireAdaptation(dataset, query.run_id);
    const download = downloadOf(dataset, query.fileFormat, run);
    const { key, fileName, contentType } = download;

    await exportFile({ dataset, download, runId: query.run_id, signal, now });

    return {
      url: await objects.presignGet(key, DOWNLOAD_URL_SECONDS, fileName, contentType),
      file_name: fileName,
      expires_at: timestamp(now + DOWNLOAD_URL_SECONDS * 1000),
    };
  },
);
