import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { downloadFiles } from '#shared/ingest/wire/download-files.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  importFiles.tasks['download-files'],
  { downloadFiles },
  (input, { downloadFiles }, { deadline }) => downloadFiles({ ...input, deadline }),
);
