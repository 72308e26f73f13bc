import { workerModels } from '#shared/adaptation/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { indexShard } from '#shared/responses/build-index.ts';
import { buildIndex } from '#shared/responses/pipelines.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';
import { callsPerWorker, modelPatience } from '#shared/runs/wire.ts';

export const handler = runTask(
  buildIndex.tasks['index-shard'],
  {
    ...modelPatience,
    callsMax: callsPerWorker,
    objects: objects({ read: ['datasets'], write: ['datasets'] }),
    claims: claims('write'),
    configured: workerModels(['embed']),
  },
  async (plan, { configured, ...ports }, tools) => {
    const embedder = (await configured()).embedder();
    return measureWorker('index-shard', tools, ({ watch }) =>
      indexShard({ ...ports, embedder, watch }, plan),
    );
  },
);
