import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { recordRows } from '#shared/ingest/wire/record-rows.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  ingest.tasks['record-rows'],
  { recordRows },
  (input, { recordRows }, { now }) => recordRows({ ...input, now }),
);
