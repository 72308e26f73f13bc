import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dataOf, type Schemas, serverSentEvents, type TunesmithClient, TunesmithError } from 'tunesmith';
import { useApi } from './api.tsx';

const PAUSE_FIRST_MS = 1000;
const PAUSE_LONGEST_MS = 60_000;

/** What pages ask for besides the things that an event names: lists, and the balance. */
const LISTS: ReadonlySet<unknown> = new Set(['datasets', 'trainings', 'comparisons', 'me']);

/** Whether an answer in the cache may be out of date after an event: a list, or one whose key names what it is about. */
export function isTouched(queryKey: readonly unknown[], { dataset_id, data }: Schemas['Event']): boolean {
  if (LISTS.has(queryKey[0])) return true;
  const named: readonly unknown[] = [
    dataset_id,
    'experiment_id' in data ? data.experiment_id : null,
    'pilot_id' in data ? data.pilot_id : null,
  ].filter((id) => id !== null);
  return queryKey.some((part) => named.includes(part));
}

/**
 * Follows the events of the team until the signal ends it, and goes on after the last one whenever the connection breaks.
 * @param onEvent called for each event
 * @param sleep waits before another attempt; ends early with the signal
 */
export async function followEvents(
  client: TunesmithClient,
  signal: AbortSignal,
  onEvent: (event: Schemas['Event']) => void,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<void> {
  let last: string | undefined;
  let pause = PAUSE_FIRST_MS;
  while (!signal.aborted) {
    try {
      const asked = client.GET('/api/v1/events', {
        signal,
        parseAs: 'stream',
        headers: { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) },
      });
      await dataOf(asked);
      const { body } = (await asked).response;
      if (body === null) throw new TypeError('The stream of events has no body.');
      for await (const { id, data } of serverSentEvents(body)) {
        last = id ?? last;
        pause = PAUSE_FIRST_MS;
        onEvent(JSON.parse(data) as Schemas['Event']);
      }
    } catch (error) {
      // The pages say what is wrong with the key or the service; here is nothing to add to it.
      if (signal.aborted || (error instanceof TunesmithError && error.status === 401)) return;
      const asks = error instanceof TunesmithError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      pause = Math.min(PAUSE_LONGEST_MS, Math.max(asks, pause * 2));
    }
    await sleep(pause);
  }
}

/** Asks anew for what events of the team have changed, while the page is looked at. Polling goes on beside it. */
export function useEvents(): void {
  const { client } = useApi();
  const queries = useQueryClient();
  useEffect(() => {
    let following: AbortController | undefined;
    const onVisible = (): void => {
      if (document.visibilityState === 'hidden') {
        following?.abort();
        following = undefined;
      } else if (following === undefined) {
        following = new AbortController();
        void followEvents(
          client,
          following.signal,
          (event) => refresh(queries, event),
          pauser(following.signal),
        );
      }
    };
    document.addEventListener('visibilitychange', onVisible);
    onVisible();
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      following?.abort();
    };
  }, [client, queries]);
}

function refresh(queries: QueryClient, event: Schemas['Event']): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => isTouched(queryKey, event) });
}

const pauser =
  (signal: AbortSignal) =>
  (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
