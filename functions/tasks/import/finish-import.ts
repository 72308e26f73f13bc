import { readFailure } from '#shared/errors/to-failure.ts';
import { importFiles } from '#shared/pipelines/import.ts';
import { settleRun } from '#shared/runtime/deps/settle.ts';
import { runTask } from '#shared/runtime/task.ts';

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
