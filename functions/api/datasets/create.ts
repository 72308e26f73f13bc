import { createDataset } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { asksForImport, readImportRequest } from '#shared/ingest/decide/imports/read-source.ts';
import { newDataset } from '#shared/ingest/decide/new-dataset.ts';
import { readFileSource } from '#shared/ingest/decide/source.ts';
import { startImport } from '#shared/ingest/start-import.ts';
import { importSettings, openUploads } from '#shared/ingest/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { launchRun } from '#shared/runs/wire.ts';

export const handler = serve(
  createDataset,
  {
    datasets: datasets('write'),
    objects: objects({ write: ['datasets'] }),
    launchRun: launchRun(['import']),
    importSettings,
    openUploads,
    newId,
  },
  async ({ caller, body, now }, { datasets, openUploads, newId, importSettings, ...ports }) => {
    if (asksForImport(body)) {
      const request = readImportRequest(body, importSettings);
      const { dataset_id } = await startImport(
        { ...ports, datasets },
        { caller, request, dataset_id: newId(), now },
      );
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
