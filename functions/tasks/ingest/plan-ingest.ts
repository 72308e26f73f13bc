import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { planIngest } from '#shared/ingest/wire/plan-ingest.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(ingest.tasks['plan-ingest'], { planIngest }, (input, { planIngest }) =>
  planIngest(input),
);
