import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { type TakePlacePorts, takePlace } from '#shared/platform/take-place.ts';
import type { Event } from './schema/event.ts';

/** Open streams of a team. Each holds a function. */
export const STREAMS_MAX = 5;

/** Longer than any stream, so that the place of one whose function was killed comes free. */
const STREAM_SECONDS_MAX = 90;

export interface OpenStreamPorts extends TakePlacePorts {
  /** Called if the place of an ended stream could not be given back: it comes free by itself. */
  readonly onHeld: (error: unknown) => void;
}

/**
 * Opens a stream of events if its team has a place for one, which is given back when the stream ends.
 * @throws {ServiceError} `rate_limited` if as many are open as a team may have
 */
export async function openStream(
  { onHeld, ...ports }: OpenStreamPorts,
  teamId: string,
  events: () => AsyncGenerator<Event, void>,
): Promise<AsyncGenerator<Event, void>> {
  const giveBack = await takePlace(ports, `events ${teamId}`, STREAMS_MAX, STREAM_SECONDS_MAX);
  if (giveBack !== null) return whileOpen(events, () => giveBack().catch(onHeld));
  throw new ServiceError(
    'rate_limited',
    `Your team has ${STREAMS_MAX} streams of events open, which is the limit. Close one, or read pages of GET ` +
      '/api/v1/events (without Accept: text/event-stream) every few seconds.',
    { retryAfterSeconds: 30 },
  );
}

async function* whileOpen(
  events: () => AsyncGenerator<Event, void>,
  close: () => Promise<unknown>,
): AsyncGenerator<Event, void> {
  try {
    yield* events();
  } finally {
    await close();
  }
}
