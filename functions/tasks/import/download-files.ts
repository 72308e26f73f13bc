import { importFiles } from '#shared/pipelines/import.ts';
import { downloadFiles } from '#shared/runtime/deps/download-files.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  importFiles.tasks['download-files'],
  { downloadFiles },
  (input, { downloadFiles }, { deadline }) => downloadFiles({ ...input, deadline }),
);
