import type { RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';

export interface ActiveRunsSeen {
  readonly examined: number;
  /** Runs for which `work` returned true. */
  readonly worked: number;
  /** Runs for which `work` failed, with the error. */
  readonly failures: readonly { readonly run_id: string; readonly cause: unknown }[];
  /** Where to continue; null after the last run. */
  readonly next: string | null;
}

const PAGE_RUNS = 100;

/**
 * Calls `work` for the active runs, the oldest first. A failure of one does not affect the others.
 * @param options `atOnce` runs are worked on together, `max` in all, from `after` on
 */
export async function eachActiveRun(
  runs: Pick<RunRepository, 'listActive'>,
  work: (run: RunRecord) => Promise<boolean>,
  {
    atOnce,
    max = Number.POSITIVE_INFINITY,
    after: from = null,
  }: { readonly atOnce: number; readonly max?: number; readonly after?: string | null },
): Promise<ActiveRunsSeen> {
  const failures: { run_id: string; cause: unknown }[] = [];
  let examined = 0;
  let worked = 0;
  let after = from;
  do {
    const page = await runs.listActive({ limit: Math.min(PAGE_RUNS, max - examined), after });
    for (let at = 0; at < page.runs.length; at += atOnce) {
      const batch = page.runs.slice(at, at + atOnce);
      const outcomes = await Promise.allSettled(batch.map(work));
      outcomes.forEach((outcome, index) => {
        if (outcome.status === 'fulfilled') worked += outcome.value ? 1 : 0;
        else failures.push({ run_id: batch[index]?.run_id ?? '', cause: outcome.reason });
      });
    }
    examined += page.runs.length;
    after = page.next;
  } while (after !== null && examined < max);
  return { examined, worked, failures, next: after };
}
