import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { type AdaptiveLimit, createAdaptiveLimit } from './decide/adaptive-limit.ts';
import { type Asking, ModelOutage } from './decide/ask-model.ts';
import type { Clock } from './decide/clock.ts';

/** Retry limits of a worker. Throttled calls are not counted; they wait as long as the model asks. */
export const ASKING = { attemptsMax: 3, serverErrorsMax: 6 } as const;

export function newLimit(
  clock: Clock,
  random: () => number,
  concurrencyMax: number,
  onCircuitOpened?: () => void,
): AdaptiveLimit {
  return createAdaptiveLimit({ concurrencyMax, clock, random, onCircuitOpened });
}

export function newAsking(
  clock: Clock,
  random: () => number,
  limit: AdaptiveLimit,
  outageSecondsMax: number,
): Asking {
  return { ...ASKING, outageSecondsMax, clock, random, limit };
}

/**
 * Runs `work`, and converts an outage of the model.
 * @throws {ServiceError} with the code of a `ModelOutage`, instead of it
 */
export async function reportingOutage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ModelOutage) {
      throw new ServiceError(error.code, error.message, { cause: error });
    }
    throw error;
  }
}
