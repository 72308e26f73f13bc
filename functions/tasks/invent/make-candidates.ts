import { workerModels } from '#shared/adaptation/wire.ts';
import { makeCandidates } from '#shared/growth/make-candidates.ts';
import { invent } from '#shared/growth/pipelines/invent.ts';
import { calibrations } from '#shared/judging/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';
import { rowsWorker } from '#shared/runs/wire.ts';

export const handler = runTask(
  invent.tasks['make-candidates'],
  {
    ...rowsWorker({ read: ['runs'], write: ['runs'] }),
    calibrations: calibrations('read'),
    configured: workerModels(['rewrite', 'answer', 'judge', 'embed']),
  },
  async (plan, { configured, ...ports }, tools) => {
    const { generator, embedder } = await configured();
    const models = {
      rewrite: generator('rewrite'),
      answer: generator('answer'),
      judge: generator('judge'),
      embedder: embedder(),
    };
    return measureWorker('make-candidates', tools, (invocation) =>
      makeCandidates({ ...ports, models }, plan, invocation),
    );
  },
);
