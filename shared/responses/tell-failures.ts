import { newEvent, type TeamEvent } from '#shared/events/decide/event.ts';
import { CallerGone } from '#shared/platform/errors/caller-gone.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { ResponseEvent } from './schema/response.ts';

export interface TellFailuresPorts {
  readonly addEvent: (teamId: string, event: TeamEvent) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called if the event of a failed answer could not be written: its caller is told all the same. */
  readonly onUntold: (error: unknown) => void;
}

/**
 * Passes the events of a response on, and writes an event of the team if the response has failed. One that ends because
 * its caller has gone has not failed.
 */
export async function* tellFailures(
  { addEvent, now, onUntold }: TellFailuresPorts,
  teamId: string,
  events: AsyncGenerator<ResponseEvent, void>,
  signal: AbortSignal,
): AsyncGenerator<ResponseEvent, void> {
  for await (const event of events) {
    if (event.type === 'response.failed' && !(signal.reason instanceof CallerGone)) {
      const { id: response_id, error } = event.response;
      const data = { response_id, error_code: error?.code ?? 'server_error' };
      const failed = newEvent({ type: 'answer.failed', data }, response_id, {
        datasetId: null,
        at: timestamp(now()),
      });
      await addEvent(teamId, failed).catch(onUntold);
    }
    yield event;
  }
}
