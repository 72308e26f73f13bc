import { embedShard } from '#shared/growth/wire/augment.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { embedShard as contract } from '#shared/service/pipelines/background.ts';

export const handler = runTask(contract, { embedShard }, (shard, { embedShard }) => embedShard(shard));
