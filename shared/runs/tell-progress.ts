import { reachedTenth } from './decide/ended-event.ts';
import type { RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';
import { kindOf } from './decide/run-kinds.ts';
import { type ActiveRunsSeen, eachActiveRun } from './each-active-run.ts';

export interface TellProgressPorts {
  readonly runs: Pick<RunRepository, 'listActive' | 'readProcessedRows' | 'tellProgress'>;
}

const AT_ONCE = 8;

/**
 * Says of every active run which tenth of its rows it has reached, once for each tenth. Workers share no counter: their
 * progress is summed here.
 * @returns how many were said, and the runs that could not be read, which the next sweep tries again
 */
export async function tellProgress({
  runs,
}: TellProgressPorts): Promise<{ readonly told: number } & Pick<ActiveRunsSeen, 'failures'>> {
  const tell = async (run: RunRecord): Promise<boolean> => {
    if (!kindOf(run).tellsProgress || (run.total_rows ?? 0) === 0) return false;
    const processed = await runs.readProcessedRows(run.run_id);
    const percent = reachedTenth(run, processed);
    return percent !== null && runs.tellProgress(run, percent, processed);
  };
  const { worked: told, failures } = await eachActiveRun(runs, tell, { atOnce: AT_ONCE });
  return { told, failures };
}
