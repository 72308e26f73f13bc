import { datasets } from '#shared/datasets/wire.ts';
import { startRowIndex } from '#shared/exports/read-rows.ts';
import { startIndex } from '#shared/exports/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { applyVerdicts } from '#shared/review/apply-verdicts.ts';
import { review } from '#shared/review/pipelines.ts';
import { verdicts } from '#shared/review/wire.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  review.tasks['apply-verdicts'],
  {
    datasets: datasets('read'),
    runs: runs('write'),
    verdicts: verdicts('read'),
    objects: objects({ read: ['datasets', 'exports', 'runs'], write: ['runs'] }),
    claims: claims('write'),
    startIndex,
    clock,
  },
  async (context, { clock, claims, startIndex, ...ports }, { deadline, now }) => {
    const applied = await applyVerdicts({ ...ports, clock: clock.now }, context, {
      deadlineMs: deadline,
      now,
    });
    const onFailure = (error: unknown): void => logger.error('row index not set off', describeError(error));
    if (applied.status === 'finished') await startRowIndex({ claims, startIndex, onFailure }, context);
    return applied;
  },
);
