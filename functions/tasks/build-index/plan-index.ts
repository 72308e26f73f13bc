import { buildIndex } from '#shared/responses/pipelines.ts';
import { planIndex } from '#shared/responses/wire/build-index.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(buildIndex.tasks['plan-index'], { planIndex }, (context, { planIndex }) =>
  planIndex(context),
);
