import { combine } from '#shared/growth/pipelines/combine.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { endRun } from '#shared/runs/wire.ts';

export const handler = runTask(
  combine.tasks['finish-combine'],
  { endRun },
  async ({ dataset_id, run_id, error }, { endRun }, { now }) => {
    const failure = readFailure(error);
    const { status } = await endRun({ dataset_id, run_id, error: failure, billedCredits: 0, now });

    return { status };
  },
);
