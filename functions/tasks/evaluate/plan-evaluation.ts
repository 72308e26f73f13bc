import { planEvaluation } from '#shared/adaptation/evaluate-dataset.ts';
import { evaluate } from '#shared/adaptation/pipelines/evaluate.ts';
import { evaluationSampleRows } from '#shared/adaptation/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { modelConcurrency } from '#shared/runs/wire.ts';

export const handler = runTask(
  evaluate.tasks['plan-evaluation'],
  {
    datasets: datasets('write'),
    objects: objects({ read: ['datasets', 'runs'], write: ['runs'] }),
    sampleRowsMax: evaluationSampleRows,
    modelConcurrency,
  },
  (context, ports, { now }) => planEvaluation(ports, context, now),
);
