import { reachedTenth } from './decide/ended-event.ts';
import type { RunRepository } from './decide/repository.ts';

export interface TellProgressPorts {
  readonly runs: Pick<RunRepository, 'listActive' | 'readProcessedRows' | 'tellProgress'>;
}

const PAGE_RUNS = 100;
const AT_ONCE = 8;

/**
 * Says of every active run which tenth of its rows it has reached, once for each tenth. Workers share no counter: their
 * progress is summed here.
 * @returns how many were said, and the runs that could not be read, which the next sweep tries again
 */
export async function tellProgress({ runs }: TellProgressPorts): Promise<{
  readonly told: number;
  readonly failures: readonly { readonly run_id: string; readonly cause: unknown }[];
}> {
  const failures: { run_id: string; cause: unknown }[] = [];
  let told = 0;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<RunRepository['listActive']>> = await runs.listActive({
      limit: PAGE_RUNS,
      after,
    });
    for (let at = 0; at < page.runs.length; at += AT_ONCE) {
      const batch = page.runs.slice(at, at + AT_ONCE);
      const outcomes = await Promise.allSettled(
        batch.map(async (run) => {
          if (run.pipeline === 'train' || (run.total_rows ?? 0) === 0) return false;
          const processed = await runs.readProcessedRows(run.run_id);
          const percent = reachedTenth(run, processed);
          return percent !== null && (await runs.tellProgress(run, percent, processed));
        }),
      );
      outcomes.forEach((outcome, n) => {
        if (outcome.status === 'fulfilled') told += outcome.value ? 1 : 0;
        else failures.push({ run_id: batch[n]?.run_id ?? '', cause: outcome.reason });
      });
    }
    after = page.next;
  } while (after !== null);
  return { told, failures };
}
