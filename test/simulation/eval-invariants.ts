import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import type { Item } from '#shared/platform/store/table.ts';
import type { Change } from './simulated-table.ts';

const PARTITION = 'EVALS#';
const ENDED: readonly unknown[] = ['completed', 'failed', 'canceled'];
/** An object of a run: those of evals lie in no other place. */
const OBJECT = /^evals\/[^/]+\/[^/]+\//;
const QUEUED = sortKeyPrefixes.queuedEvalRun;
/** Of a run of an eval, or of one that reads files. */
const PLACE = /^CLAIM#(?:eval run|reading of) [0-9a-f-]+ \d+$/;

/** What has to be true of evals and of their runs. */
export class EvalInvariants {
  /** Those that are there, and whether their deletion has begun. */
  readonly #evals = new Map<string, { readonly isDeleting: boolean }>();
  readonly #runs = new Map<string, Item>();
  private readonly breaks: (invariant: string, seen: string) => void;

  constructor(breaks: (invariant: string, seen: string) => void) {
    this.breaks = breaks;
  }

  look(changes: readonly Change[]): void {
    for (const { pk, sk, before, after } of changes) {
      if (!pk.startsWith(PARTITION)) continue;
      if (sk.startsWith(sortKeyPrefixes.eval)) this.#lookAtEval(sk, after);
      if (sk.startsWith(sortKeyPrefixes.evalRun)) this.#lookAtRun(`${pk} ${sk}`, before, after);
    }
  }

  #lookAtEval(sk: string, after: Item | undefined): void {
    if (after === undefined) this.#evals.delete(sk);
    else this.#evals.set(sk, { isDeleting: after.is_deleting === true });
  }

  #lookAtRun(key: string, before: Item | undefined, after: Item | undefined): void {
    if (after === undefined) {
      this.#runs.delete(key);
      return;
    }
    this.#runs.set(key, after);
    if (
      before === undefined &&
      this.#evals.get(`${sortKeyPrefixes.eval}${String(after.eval_id)}`)?.isDeleting !== false
    )
      this.breaks('an eval that is deleted gets no runs', key);
    if (before === undefined || !ENDED.includes(before.status)) return;
    if (JSON.stringify(endOf(before)) !== JSON.stringify(endOf(after)))
      this.breaks('a run of an eval ends once', `${JSON.stringify(before)} became ${JSON.stringify(after)}`);
  }

  /**
   * @param items all items of the table
   * @param keys all objects of the bucket that are not empty
   * @param now milliseconds since the epoch
   */
  lookAtEnd(items: readonly Item[], keys: readonly string[], now: number): void {
    for (const [key, { eval_id }] of this.#runs) {
      if (!this.#evals.has(`${sortKeyPrefixes.eval}${String(eval_id)}`))
        this.breaks('what is deleted is erased', `${key} has no eval`);
    }
    const known = new Set(
      [...this.#runs.values()].map(({ team_id, run_id }) =>
        objectKeys.evalRun(String(team_id), String(run_id)),
      ),
    );
    const left = keys.filter((key) => OBJECT.test(key) && !known.has(OBJECT.exec(key)?.[0] ?? ''));
    if (left.length > 0) this.breaks('what is deleted is erased', left.join(' '));
    for (const { pk, sk, run_id, expires_at } of items) {
      if (String(pk).startsWith(PARTITION) && String(sk).startsWith(QUEUED))
        this.breaks('what begins ends', `the run ${String(run_id)} of an eval waits`);
      if (PLACE.test(String(pk)) && Number(expires_at) * 1000 > now)
        this.breaks('what is taken is given back', String(pk));
    }
  }
}

/**
 * What a run has ended with: without the mark of its deletion, and without the `place` of one that waits for none, for a run that is
 * cancelled before its request has put it into the queue leaves that again. The worker of a cancelled one says afterwards what it found.
 */
function endOf({ is_deleting: _, place, result_counts, usage, criteria, ...run }: Item): Item {
  return {
    ...run,
    ...(place === null || place === undefined ? {} : { place }),
    ...(run.status === 'canceled' ? {} : { result_counts, usage, criteria }),
  };
}
