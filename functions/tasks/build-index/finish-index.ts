import { datasets } from '#shared/datasets/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { assembleIndex } from '#shared/responses/build-index.ts';
import { buildIndex } from '#shared/responses/pipelines.ts';
import { runs } from '#shared/runs/wire.ts';

const onFailure = (error: unknown): void => logger.error('earlier index not removed', describeError(error));

export const handler = runTask(
  buildIndex.tasks['finish-index'],
  {
    datasets: datasets('write'),
    runs: runs('read'),
    claims: claims('write'),
    objects: objects({ read: ['datasets', 'runs'], write: ['datasets'], delete: ['datasets', 'runs'] }),
  },
  ({ plan, error, ...context }, ports, { now }) =>
    assembleIndex({ ...ports, onFailure }, context, plan, readFailure(error), now),
);
