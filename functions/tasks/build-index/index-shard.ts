import { buildIndex } from '#shared/pipelines/build-index.ts';
import { indexShard } from '#shared/runtime/deps/index-shard.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(buildIndex.tasks['index-shard'], { indexShard }, (plan, { indexShard }) =>
  indexShard(plan),
);
