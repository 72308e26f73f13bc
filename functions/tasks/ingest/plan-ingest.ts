import { ingest } from '#shared/pipelines/ingest.ts';
import { planIngest } from '#shared/runtime/deps/plan-ingest.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(ingest.tasks['plan-ingest'], { planIngest }, (input, { planIngest }) =>
  planIngest(input),
);
