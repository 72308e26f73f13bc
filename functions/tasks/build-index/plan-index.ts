import { buildIndex } from '#shared/pipelines/build-index.ts';
import { planIndex } from '#shared/runtime/deps/build-index.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(buildIndex.tasks['plan-index'], { planIndex }, (context, { planIndex }) =>
  planIndex(context),
);
