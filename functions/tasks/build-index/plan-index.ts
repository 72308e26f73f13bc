import { runTask } from '#shared/platform/runtime/task.ts';
import { buildIndex } from '#shared/responses/pipelines.ts';
import { planIndex } from '#shared/responses/wire/build-index.ts';

export const handler = runTask(buildIndex.tasks['plan-index'], { planIndex }, (context, { planIndex }) =>
  planIndex(context),
);
