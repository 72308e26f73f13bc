import { buildIndex } from '#shared/responses/pipelines.ts';
import { indexShard } from '#shared/responses/wire/index-shard.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(buildIndex.tasks['index-shard'], { indexShard }, (plan, { indexShard }) =>
  indexShard(plan),
);
