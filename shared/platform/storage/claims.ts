/** Locks for pieces of work, so that only one process does them. */
export interface Claims {
  /** Claims the work; false if it is claimed. The claim ends when released or after this many seconds. */
  take(work: string, seconds: number): Promise<boolean>;
  /** Holds claimed work for this many seconds from now. */
  renew(work: string, seconds: number): Promise<void>;
  release(work: string): Promise<void>;
}
