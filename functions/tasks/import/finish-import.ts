import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { settleRun } from '#shared/runs/wire.ts';

export const handler = runTask(
  importFiles.tasks['finish-import'],
  { settleRun },
  async ({ dataset_id, run_id, error }, { settleRun }, { now }) => {
    const { status } = await settleRun({
      dataset_id,
      run_id,
      error: readFailure(error),
      billedCredits: 0,
      now,
    });

    return { status };
  },
);
