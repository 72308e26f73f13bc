import { sweepRuns as contract } from '#shared/pipelines/background.ts';
import { sweepRuns } from '#shared/runtime/deps/sweep-runs.ts';
import { describeError, logger } from '#shared/runtime/logger.ts';
import { runTask } from '#shared/runtime/task.ts';

/** Runs that are looked at before the function asks for more: what it holds in memory. */
const RUNS_AT_ONCE = 1000;

export const handler = runTask(contract, { sweepRuns }, async (_event, { sweepRuns }, { now }) => {
  let examined = 0;
  let settled = 0;
  let after: string | null = null;
  do {
    const sweep = await sweepRuns({ now, runsMax: RUNS_AT_ONCE, ...(after === null ? {} : { after }) });
    for (const { run_id, cause } of sweep.failures) {
      logger.error('run not swept', { run_id, ...describeError(cause) });
    }
    examined += sweep.examined;
    settled += sweep.settled;
    after = sweep.next;
  } while (after !== null);

  return { examined, settled };
});
