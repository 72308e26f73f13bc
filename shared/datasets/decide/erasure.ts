const MINUTE = 60_000;

/**
 * When a deleted dataset is erased again, after its deletion: once every function that worked on it has ended (15 minutes at most),
 * and once every state machine has (a day), for both may write what they have made of its rows after the first erasure.
 */
const PASSES_AFTER = [20 * MINUTE, 25 * 60 * MINUTE] as const;

/**
 * The time of the next erasure of a dataset, in milliseconds since the epoch; null after the last.
 * @param deletedAtMs when it was deleted
 * @param now when it was erased
 * @param hadRuns whether it ever had a run: no state machine has worked on others
 */
export function nextErasure(deletedAtMs: number, now: number, hadRuns: boolean): number | null {
  const next = PASSES_AFTER.slice(0, hadRuns ? 2 : 1).find((after) => deletedAtMs + after > now);
  return next === undefined ? null : deletedAtMs + next;
}
