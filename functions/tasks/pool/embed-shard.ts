import { embedShard as contract } from '#shared/growth/background.ts';
import { embedShard } from '#shared/growth/wire/augment.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { embedShard }, (shard, { embedShard }) => embedShard(shard));
