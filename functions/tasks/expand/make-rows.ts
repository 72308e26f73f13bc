import { contextTokensMax, workerModels } from '#shared/adaptation/wire.ts';
import { makeRows } from '#shared/growth/make-rows.ts';
import { expand } from '#shared/growth/pipelines/expand.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';
import { worker } from '#shared/runs/wire.ts';

export const handler = runTask(
  expand.tasks['make-rows'],
  {
    ...worker('write', { read: ['datasets', 'runs'], write: ['runs'] }),
    contextTokensMax,
    configured: workerModels(['rewrite', 'translate']),
  },
  async (plan, { configured, ...ports }, tools) => {
    const { generator } = await configured();
    const models = { rewrite: generator('rewrite'), translate: generator('translate') };
    return measureWorker('make-rows', tools, (invocation) =>
      makeRows({ ...ports, models }, plan, invocation),
    );
  },
);
