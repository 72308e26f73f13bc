import { sweepRuns as contract } from '#shared/pipelines/background.ts';
import { sweepRuns } from '#shared/runtime/deps/sweep-runs.ts';
import { describeError, logger } from '#shared/runtime/logger.ts';
import { runTask } from '#shared/runtime/task.ts';

/** Active runs that one sweep looks at; the oldest come first, so the next sweep reaches the others. */
const RUNS_MAX = 1000;

export const handler = runTask(contract, { sweepRuns }, async (_event, { sweepRuns }, { now }) => {
  const { examined, settled, failures } = await sweepRuns({ now, runsMax: RUNS_MAX });
  for (const { run_id, cause } of failures)
    logger.error('run not swept', { run_id, ...describeError(cause) });

  return { examined, settled };
});
