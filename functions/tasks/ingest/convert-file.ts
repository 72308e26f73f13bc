import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { convertFile } from '#shared/ingest/wire/convert-file.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(ingest.tasks['convert-file'], { convertFile }, (input, { convertFile }) =>
  convertFile(input),
);
