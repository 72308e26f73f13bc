import { ingest } from '#shared/pipelines/ingest.ts';
import { recordRows } from '#shared/runtime/deps/record-rows.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  ingest.tasks['record-rows'],
  { recordRows },
  (input, { recordRows }, { now }) => recordRows({ ...input, now }),
);
