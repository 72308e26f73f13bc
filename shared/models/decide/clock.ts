/** Time as a dependency, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason if it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
