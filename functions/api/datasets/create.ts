import { createDataset } from '#shared/contracts/datasets.ts';
import { newDataset } from '#shared/domain/datasets/new-dataset.ts';
import { asksForImport, readImportRequest } from '#shared/domain/imports/read-source.ts';
import { readFileSource } from '#shared/domain/ingest/source.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { newUuid } from '#shared/runtime/deps/ids.ts';
import { importSettings } from '#shared/runtime/deps/import-settings.ts';
import { openUploads } from '#shared/runtime/deps/open-uploads.ts';
import { startImport } from '#shared/runtime/deps/start-import.ts';
import { serve } from '#shared/runtime/serve.ts';

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
