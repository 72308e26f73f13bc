import { setTimeout as sleep } from 'node:timers/promises';
import { ModelError } from '../decide/port.ts';

/** A platform that has ended the last copy of a model starts one for the next call, and refuses calls meanwhile. */
const START_MILLISECONDS = 300_000;
export const PAUSE_MILLISECONDS = 5_000;

/** After which a caller who has waited may ask again: a copy takes some minutes more. */
const STARTING_SECONDS = 60;

/**
 * The error of a model that is being started, and has read nothing of the request.
 * @param takes how long that takes, for callers
 */
export const startingModel = (takes: string, cause: unknown): ModelError =>
  new ModelError(
    'unavailable',
    'The model is being started, which takes some minutes after a pause: ask again',
    {
      retryAfterSeconds: STARTING_SECONDS,
      toldCaller: `The model is being started, which takes ${takes} after a pause. Send the request again in a minute.`,
      isStarting: true,
      cause,
    },
  );

/** Whether a model is being started. */
export const isStarting = (error: unknown): boolean => error instanceof ModelError && error.isStarting;

/**
 * The parts of an answer, asked for again as long as the model is being started, five minutes at most.
 * @param mayAskAgain whether an error says so; of an answer that has begun nothing is asked again
 * @param pauseMilliseconds between two calls
 * @throws {ModelError} `isStarting` also if the call is aborted meanwhile: the model has read nothing
 */
export async function* askUntilStarted<T>(
  ask: () => AsyncIterable<T>,
  mayAskAgain: (error: unknown) => boolean,
  signal: AbortSignal,
  pauseMilliseconds: number,
): AsyncGenerator<T, void> {
  const givesUpAt = Date.now() + START_MILLISECONDS;
  for (;;) {
    let hasBegun = false;
    try {
      for await (const part of ask()) {
        hasBegun = true;
        yield part;
      }
      return;
    } catch (error) {
      if (hasBegun || !mayAskAgain(error) || Date.now() + pauseMilliseconds > givesUpAt) throw error;
      await sleep(pauseMilliseconds, undefined, { signal }).catch((stopped: unknown) => {
        if (isStarting(error)) throw error;
        // The caller's reason: a time that is up is not a caller that has left.
        signal.throwIfAborted();
        throw stopped;
      });
    }
  }
}
