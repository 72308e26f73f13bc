import { assembleDatasetEvaluation } from '#shared/adaptation/evaluate-dataset.ts';
import { evaluate } from '#shared/adaptation/pipelines/evaluate.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { calibrations } from '#shared/judging/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  evaluate.tasks['conclude-evaluation'],
  {
    datasets: datasets('write'),
    runs: runs('write'),
    objects: objects({ read: ['runs'], write: ['runs'] }),
    calibrations: calibrations('read'),
  },
  ({ error, ...context }, ports, { now }) =>
    assembleDatasetEvaluation(ports, context, readFailure(error), now),
);
