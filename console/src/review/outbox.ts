import { TunesmithError } from 'tunesmith';
import type { Recorded, Verdict } from './contract.ts';

/** Verdicts of one request. */
const BATCH_MAX = 100;
const PAUSE_FIRST_MS = 1000;
const PAUSE_LONGEST_MS = 15_000;

/** A verdict that the service does not take, with what it says of it. */
export interface RefusedVerdict {
  readonly verdict: Verdict;
  readonly error: unknown;
}

export interface OutboxState {
  /** Verdicts that are not recorded yet, in their order; those that are under way among them. */
  readonly unsent: readonly Verdict[];
  /** Why they wait; null while they are sent, or where there are none. */
  readonly problem: {
    readonly error: unknown;
    /** Whether they are sent again by themselves. */
    readonly isRepeated: boolean;
  } | null;
  /** Verdicts that were taken out, since the service refuses them alone. */
  readonly refused: readonly RefusedVerdict[];
}

interface OutboxUses {
  readonly send: (verdicts: readonly Verdict[]) => Promise<Recorded>;
  /** Keeps what is unsent for the case that the page ends. */
  readonly keep: (unsent: readonly Verdict[]) => void;
  readonly onAnswer: (answer: Recorded, sent: readonly Verdict[]) => void;
  readonly onChange: (state: OutboxState) => void;
  /** Waits; ends early once `wake` is called. */
  readonly pause: (milliseconds: number) => { readonly over: Promise<void>; readonly wake: () => void };
}

export interface Outbox {
  state(): OutboxState;
  add(verdicts: readonly Verdict[]): void;
  /** Sends now what waits for its repetition, or what was refused as a whole. */
  sendNow(): void;
  /** Drops the notes of verdicts that the service refuses. */
  forgetRefused(): void;
  /** Drops all that is unsent. */
  drop(): void;
}

/** Whether the same request may succeed a moment later. */
const isTransient = (error: unknown): boolean =>
  error instanceof TunesmithError &&
  (error.status === 0 || error.status === 429 || error.status >= 500 || error.code === 'rows_pending');

/** Whether a request is refused for what one of its verdicts holds. */
const isOfContent = (error: unknown): boolean =>
  error instanceof TunesmithError &&
  (error.status === 400 || error.status === 413 || error.status === 422 || error.code === 'row_not_found');

/** The first verdicts, up to the second one on the same row: what is said last of a row is to be recorded last. */
export function batchOf(unsent: readonly Verdict[], most: number): readonly Verdict[] {
  const rows = new Set<number>();
  for (const { row } of unsent.slice(0, most)) {
    if (rows.has(row)) break;
    rows.add(row);
  }
  return unsent.slice(0, rows.size);
}

/** Milliseconds before verdicts are sent again: what the service asks for, or else ever more. */
export function pauseAfter(failures: number, error: unknown): number {
  const asked = error instanceof TunesmithError ? error.retryAfterSeconds : null;
  const wanted = asked === null ? PAUSE_FIRST_MS * 2 ** (failures - 1) : asked * 1000;
  return Math.min(wanted, PAUSE_LONGEST_MS);
}

/**
 * Sends verdicts in the background, in their order, one request at a time, and again after a lost connection. A verdict
 * that the service refuses by itself is taken out and told; the others go on.
 * @param kept verdicts that an earlier page left unsent
 */
export function createOutbox(uses: OutboxUses, kept: readonly Verdict[] = []): Outbox {
  let state: OutboxState = { unsent: kept, problem: null, refused: [] };
  let isSending = false;
  let wake = (): void => undefined;
  /** Counts what was dropped, so that an answer to it changes nothing more. */
  let era = 0;

  const change = (changes: Partial<OutboxState>): void => {
    const { unsent } = state;
    state = { ...state, ...changes };
    if (state.unsent !== unsent) uses.keep(state.unsent);
    uses.onChange(state);
  };

  const work = async (): Promise<void> => {
    isSending = true;
    let most = BATCH_MAX;
    let failures = 0;
    while (state.unsent.length > 0) {
      const batch = batchOf(state.unsent, most);
      const of = era;
      try {
        const answer = await uses.send(batch);
        failures = 0;
        most = BATCH_MAX;
        if (of !== era) continue;
        change({ unsent: state.unsent.slice(batch.length), problem: null });
        uses.onAnswer(answer, batch);
      } catch (error) {
        if (of !== era) continue;
        if (isTransient(error)) {
          failures += 1;
          const pause = uses.pause(pauseAfter(failures, error));
          wake = pause.wake;
          change({ problem: { error, isRepeated: true } });
          await pause.over;
        } else if (isOfContent(error) && batch.length > 1) {
          // One of them is at fault: each is sent alone until one is recorded.
          most = 1;
        } else if (isOfContent(error) && batch[0] !== undefined) {
          const refused = [...state.refused, { verdict: batch[0], error }];
          change({ unsent: state.unsent.slice(1), problem: null, refused });
        } else {
          change({ problem: { error, isRepeated: false } });
          break;
        }
      }
    }
    isSending = false;
  };

  const start = (): void => {
    if (!isSending && state.unsent.length > 0) void work();
  };

  start();
  return {
    state: () => state,
    add(verdicts) {
      change({ unsent: [...state.unsent, ...verdicts] });
      if (state.problem?.isRepeated !== false) start();
    },
    sendNow() {
      if (state.problem?.isRepeated === false) change({ problem: null });
      wake();
      start();
    },
    forgetRefused: () => change({ refused: [] }),
    drop() {
      era += 1;
      change({ unsent: [], problem: null, refused: [] });
      wake();
    },
  };
}
