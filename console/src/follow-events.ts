import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followEvents, type TeamEvent, type TunesmithClient } from 'tunesmith';
import { useApi } from './api.tsx';

/** What pages ask for besides the things that an event names: lists, and the balance. */
const LISTS: ReadonlySet<unknown> = new Set(['datasets', 'trainings', 'comparisons', 'me']);

/** Whether an answer in the cache may be out of date after an event: a list, or one whose key names what it is about. */
export function isTouched(queryKey: readonly unknown[], { dataset_id, data }: TeamEvent): boolean {
  if (LISTS.has(queryKey[0])) return true;
  const named: readonly unknown[] = [
    dataset_id,
    'experiment_id' in data ? data.experiment_id : null,
    'pilot_id' in data ? data.pilot_id : null,
  ].filter((id) => id !== null);
  return queryKey.some((part) => named.includes(part));
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
        void refreshAsToldBy(client, queries, following.signal);
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

async function refreshAsToldBy(
  client: TunesmithClient,
  queries: QueryClient,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const event of followEvents(client, { signal })) {
      void queries.invalidateQueries({ predicate: ({ queryKey }) => isTouched(queryKey, event) });
    }
  } catch {
    // The reader has left, or the key is refused: then the pages say so, and here is nothing to add to it.
  }
}
