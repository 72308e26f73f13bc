import { runTask } from '#shared/platform/runtime/task.ts';
import { buildIndex } from '#shared/responses/pipelines.ts';
import { indexShard } from '#shared/responses/wire/index-shard.ts';

export const handler = runTask(buildIndex.tasks['index-shard'], { indexShard }, (plan, { indexShard }) =>
  indexShard(plan),
);
