import { ingest } from '#shared/pipelines/ingest.ts';
import { convertFile } from '#shared/runtime/deps/convert-file.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(ingest.tasks['convert-file'], { convertFile }, (input, { convertFile }) =>
  convertFile(input),
);
