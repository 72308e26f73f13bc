import { convertFile } from '#shared/ingest/convert-file.ts';
import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { uploadBytesMax } from '#shared/ingest/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';

export const handler = runTask(
  ingest.tasks['convert-file'],
  { objects: objects({ read: ['imports'], write: ['converted'] }), fileBytesMax: uploadBytesMax },
  (input, ports) => convertFile({ ...ports, readFile: ingestFile }, input),
);
