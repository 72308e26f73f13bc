import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { endRun } from '#shared/runs/wire.ts';

export const handler = runTask(
  importFiles.tasks['finish-import'],
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
