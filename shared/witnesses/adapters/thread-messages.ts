import type { Outcome, Ran } from '../decide/execution/sandbox.ts';

/** What a thread is started with. */
export interface ThreadData {
  /** The memory of an interpreter that has loaded; null to load it, and to hand it out with `ready`. */
  readonly snapshot: Uint8Array | null;
}

/** What a thread says to its parent. */
export type ThreadMessage =
  /** It takes a job. */
  | { readonly kind: 'ready'; readonly snapshot: Uint8Array | null }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'end'; readonly end: Ran['end']; readonly message: string }
  /** It takes no further job. */
  | { readonly kind: 'spent' };
