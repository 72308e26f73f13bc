import { workerModels } from '#shared/adaptation/wire.ts';
import { embedShard as contract } from '#shared/growth/background.ts';
import { embedShard } from '#shared/growth/embed-shard.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { callsPerWorker, modelPatience } from '#shared/runs/wire.ts';

export const handler = runTask(
  contract,
  {
    ...modelPatience,
    callsMax: callsPerWorker,
    objects: objects({ read: ['pool'], write: ['pool'] }),
    configured: workerModels(['embed']),
  },
  async (shard, { configured, ...ports }) =>
    embedShard({ ...ports, embedder: (await configured()).embedder() }, shard),
);
