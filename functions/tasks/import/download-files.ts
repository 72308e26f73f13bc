import { downloadFiles } from '#shared/ingest/download-files.ts';
import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { fetchUrl, importSettings, uploadBytesMax } from '#shared/ingest/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { findConnection } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

const PART_BYTES = 16 * 1024 * 1024;

export const handler = runTask(
  importFiles.tasks['download-files'],
  {
    objects: objects({ write: ['imports'] }),
    fetchUrl,
    findConnection,
    settings: importSettings,
    importBytesMax: uploadBytesMax,
    clock,
  },
  (input, { clock, ...ports }, { deadline }) =>
    downloadFiles({ ...ports, partBytes: PART_BYTES, now: clock.now }, { ...input, deadline }),
);
