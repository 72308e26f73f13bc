import { embedShard as contract } from '#shared/pipelines/background.ts';
import { embedShard } from '#shared/runtime/deps/augment.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { embedShard }, (shard, { embedShard }) => embedShard(shard));
