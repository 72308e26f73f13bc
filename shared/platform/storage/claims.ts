/** Locks for pieces of work, so that only one process does them. */
export interface Claims {
  /**
   * Claims the work; false if it is claimed. The claim ends when released or after this many seconds. Whoever names itself
   * as its holder can take it again, which renews it.
   * @param during a run without which it is not claimed: false too if that has ended
   */
  take(
    work: string,
    seconds: number,
    holder?: string,
    during?: { readonly dataset_id: string; readonly run_id: string },
  ): Promise<boolean>;
  isTaken(work: string): Promise<boolean>;
  /** Holds claimed work for this many seconds from now. */
  renew(work: string, seconds: number): Promise<void>;
  /** Ends a claim; with a holder only if it is the holder's. */
  release(work: string, holder?: string): Promise<void>;
}

/** Work that is claimed while nothing new may start: `npm run deploy -- --drain` waits for what runs. */
export const INTAKE_CLAIM = 'intake';
