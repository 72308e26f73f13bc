import { createDataset } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import { asksForImport, readImportRequest } from '#shared/ingest/decide/imports/read-source.ts';
import { newDataset } from '#shared/ingest/decide/new-dataset.ts';
import { readFileSource } from '#shared/ingest/decide/source.ts';
import { importSettings } from '#shared/ingest/wire/import-settings.ts';
import { openUploads } from '#shared/ingest/wire/open-uploads.ts';
import { startImport } from '#shared/ingest/wire/start-import.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';

export const handler = serve(
  createDataset,
  {
    datasets: datasets('write'),
    openUploads,
    newId: newUuid,
    importSettings,
    startImport,
  },
  async ({ caller, body, now }, { datasets, openUploads, newId, importSettings, startImport }) => {
    if (asksForImport(body)) {
      const request = readImportRequest(body, importSettings);
      const { dataset_id } = await startImport({ caller, request, dataset_id: newId(), now });
      return { dataset_id, status: 'pending' as const, upload_instructions: null };
    }
    const source = readFileSource(body);
    const dataset = newDataset(caller, source, newId(), now);
    const [url = ''] = await openUploads(caller.team_id, [
      { key: dataset.s3_key, bytes: body.source.file_size_bytes ?? null },
    ]);

    await datasets.create(dataset);

    return {
      dataset_id: dataset.dataset_id,
      status: 'pending' as const,
      upload_instructions: { url, method: 'PUT' as const, s3_key: dataset.s3_key },
    };
  },
);
