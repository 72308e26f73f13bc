import { contextTokensMax, workerModels } from '#shared/adaptation/wire.ts';
import { makeRows } from '#shared/growth/make-rows.ts';
import { invent } from '#shared/growth/pipelines/invent.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';
import { worker } from '#shared/runs/wire.ts';

export const handler = runTask(
  invent.tasks['translate-rows'],
  {
    ...worker('write', { read: ['datasets', 'runs'], write: ['runs'] }),
    contextTokensMax,
    configured: workerModels(['rewrite', 'translate']),
  },
  async (plan, { configured, ...ports }, tools) => {
    const { generator } = await configured();
    const models = { rewrite: generator('rewrite'), translate: generator('translate') };
    return measureWorker('translate-rows', tools, (invocation) =>
      makeRows({ ...ports, models }, plan, invocation),
    );
  },
);
