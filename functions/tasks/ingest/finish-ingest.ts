import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { endRun } from '#shared/runs/wire.ts';

export const handler = runTask(
  ingest.tasks['finish-ingest'],
  { endRun },
  async ({ dataset_id, run_id, error }, { endRun }, { now }) => {
    const { status } = await endRun({
      dataset_id,
      run_id,
      error: readFailure(error),
      billedCredits: 0,
      now,
    });

    return { status };
  },
);
