import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { endReview } from '#shared/review/end-review.ts';
import { review } from '#shared/review/pipelines.ts';
import { endRun, runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  review.tasks['finish-review'],
  { runs: runs('read'), objects: objects({ read: ['runs'] }), endRun },
  async ({ error, ...context }, ports, { now }) => {
    const { status } = await endReview(ports, context, readFailure(error), now);
    return { status };
  },
);
