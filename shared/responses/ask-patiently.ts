import type { Clock } from '#shared/models/decide/clock.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';

export interface AskPatientlyPorts {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: () => number;
}

/** Of one answer. */
const ANSWER_MILLISECONDS = 180_000;
const TRIES = 6;

/** What passes: the same request is sent again. */
const PASSING: readonly string[] = ['rate_limited', 'service_unavailable', 'model_busy'];

export const isPassing = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && PASSING.includes(error.code);

/** An answer, or why there was none in time: `answer` if the model took too long, `all` if the time was up, with what it ended in waiting for. */
export type PatientAnswer<Answer> =
  | { readonly answer: Answer }
  | { readonly late: 'answer' | 'all'; readonly passing: ServiceError | null };

/**
 * Asks until there is an answer, or the time is up. What passes is waited for, for a few tries.
 * @param endMs milliseconds since the epoch
 * @throws {ServiceError} what does not pass, or has not passed
 */
export async function askPatiently<Answer>(
  { clock, random }: AskPatientlyPorts,
  endMs: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<PatientAnswer<Answer>> {
  for (let tried = 1; ; tried += 1) {
    const left = Math.min(ANSWER_MILLISECONDS, endMs - clock.now());
    if (left <= 0) return { late: 'all', passing: null };
    try {
      return { answer: await ask(AbortSignal.timeout(left)) };
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        return { late: left < ANSWER_MILLISECONDS ? 'all' : 'answer', passing: null };
      }
      if (!isPassing(error) || tried === TRIES) throw error;
      const wait = ((error.retryAfterSeconds ?? 2 ** tried) + random()) * 1000;
      if (clock.now() + wait >= endMs) return { late: 'all', passing: error };
      await clock.sleep(wait);
    }
  }
}
