import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { Publish } from '../decide/outbox.ts';

/** Entries of one request, as EventBridge allows. */
const ENTRIES_MAX = 10;

/** The `source` of every event on the bus. */
export const EVENT_SOURCE = 'tunesmith';

/**
 * Hands events to a bus of EventBridge: `detail-type` is the type, `detail` the event with its `team_id`.
 */
export function createEventBus(busName: string, client = new EventBridgeClient({})): Publish {
  return async (teamId, events) => {
    for (let at = 0; at < events.length; at += ENTRIES_MAX) {
      const { FailedEntryCount: failed = 0, Entries = [] } = await client.send(
        new PutEventsCommand({
          Entries: events.slice(at, at + ENTRIES_MAX).map((event) => ({
            EventBusName: busName,
            Source: EVENT_SOURCE,
            DetailType: event.type,
            Time: new Date(event.created_at),
            Detail: JSON.stringify({ ...event, team_id: teamId }),
          })),
        }),
      );
      if (failed > 0) {
        const codes = [...new Set(Entries.flatMap(({ ErrorCode }) => ErrorCode ?? []))].join(', ');
        throw new Error(
          `The event bus refused ${failed} events (${codes}); the next sweep hands them over again.`,
        );
      }
    }
  };
}
