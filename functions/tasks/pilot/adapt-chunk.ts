import { adaptChunk } from '#shared/adaptation/adapt-chunk.ts';
import { adaptationWorker, searchesPerWorker, workerModels } from '#shared/adaptation/wire.ts';
import { searchProvider } from '#shared/models/wire-providers.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';

export const handler = runTask(
  pilot.tasks['adapt-chunk'],
  {
    ...adaptationWorker({ read: ['datasets', 'runs', 'reuse'], write: ['runs', 'reuse'] }),
    configured: workerModels(['rewrite', 'answer', 'judge', 'embed']),
    searchProvider,
    searchesPerWorker,
  },
  async (plan, { configured, searchProvider: provider, searchesPerWorker, ...ports }, tools) => {
    const { generator, embedder } = await configured();
    const models = {
      rewrite: generator('rewrite'),
      answer: generator('answer'),
      judge: generator('judge'),
      embedder: embedder(),
    };
    const search = provider === null ? null : { provider, concurrencyMax: searchesPerWorker };
    return measureWorker('adapt-chunk', tools, (invocation) =>
      adaptChunk({ ...ports, models, search }, plan, invocation),
    );
  },
);
