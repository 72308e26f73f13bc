import type { Clock } from '#shared/models/decide/clock.ts';
import type { ErrorCode } from '#shared/platform/errors/catalog.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';

export interface AskPatientlyPorts {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: () => number;
}

/** Of one answer. */
const ANSWER_MILLISECONDS = 180_000;
const TRIES = 6;

/** What passes: the same request is sent again. */
export const PASSING = [
  'rate_limited',
  'service_unavailable',
  'model_busy',
  'model_quota_exhausted',
  'index_not_ready',
] as const satisfies readonly ErrorCode[];
const passing: ReadonlySet<string> = new Set(PASSING);

export const isPassing = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && passing.has(error.code);

/** An answer, or why there was none in time: `answer` if the model took too long, `all` if the time was up, with what it ended in waiting for. */
export type PatientAnswer<Answer> =
  | { readonly answer: Answer }
  | { readonly late: 'answer' | 'all'; readonly passing: ServiceError | null };

/** The time that an answer may take: its signal aborts when it is over. It does not run while the answer waits for its reader. */
export class AnswerTime {
  /** Milliseconds for which it did not run. */
  pausedMs = 0;
  readonly #controller = new AbortController();
  readonly #clock: Pick<Clock, 'now'>;
  #left: number;
  #since = 0;
  /** The current timeout: an earlier one ends nothing. */
  #timeout: AbortSignal | null = null;

  constructor(clock: Pick<Clock, 'now'>, milliseconds: number) {
    this.#clock = clock;
    this.#left = milliseconds;
    this.#run();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What `wait` answers, in none of the time. */
  async outside<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#timeout = null;
    const from = this.#clock.now();
    this.#left = Math.max(1, this.#left - (from - this.#since));
    try {
      return await wait();
    } finally {
      this.pausedMs += this.#clock.now() - from;
      this.#run();
    }
  }

  #run(): void {
    const timeout = AbortSignal.timeout(this.#left);
    this.#since = this.#clock.now();
    this.#timeout = timeout;
    const end = (): void => {
      if (this.#timeout === timeout) this.#controller.abort(timeout.reason);
    };
    timeout.addEventListener('abort', end, { once: true });
  }
}

/**
 * Asks until there is an answer, or the time is up. What passes is waited for, for a few tries.
 * @param endMs milliseconds since the epoch, if the time of an answer never stands still
 * @param tries of what passes
 * @throws {ServiceError} what does not pass, or has not passed
 */
export async function askPatiently<Answer>(
  { clock, random }: AskPatientlyPorts,
  endMs: number,
  ask: (signal: AbortSignal, time: AnswerTime) => Promise<Answer>,
  tries = TRIES,
): Promise<PatientAnswer<Answer>> {
  let end = endMs;
  for (let tried = 1; ; tried += 1) {
    const left = Math.min(ANSWER_MILLISECONDS, end - clock.now());
    if (left <= 0) return { late: 'all', passing: null };
    const time = new AnswerTime(clock, left);
    try {
      return { answer: await ask(time.signal, time) };
    } catch (error) {
      end += time.pausedMs;
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        return { late: left < ANSWER_MILLISECONDS ? 'all' : 'answer', passing: null };
      }
      if (!isPassing(error) || tried === tries) throw error;
      const wait = ((error.retryAfterSeconds ?? 2 ** tried) + random()) * 1000;
      if (clock.now() + wait >= end) return { late: 'all', passing: error };
      await clock.sleep(wait);
    }
  }
}
