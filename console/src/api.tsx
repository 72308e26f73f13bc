import { QueryCache, QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useRef } from 'react';
import { createTunesmith, type TunesmithClient, TunesmithError } from 'tunesmith';
import { mayAskAgain, pauseBeforeRetry } from './retry.ts';

/** What every page needs: the client with the caller's key, the key itself for code samples, and the way out. */
export interface Api {
  readonly client: TunesmithClient;
  readonly url: string;
  readonly key: string;
  /** Forgets the key, and says why at the sign-in. */
  signOut(reason?: string): void;
}

const ApiContext = createContext<Api | null>(null);
export const ApiProvider = ApiContext.Provider;

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('A page is outside of ApiProvider.');
  return api;
}

export function createApi(url: string, key: string, signOut: Api['signOut']): Api {
  return { client: createTunesmith({ baseUrl: url, apiKey: key }), url, key, signOut };
}

/** The cache of answers. A key that the service no longer accepts ends the session. */
export function createQueries(onUnauthorized: (message: string) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof TunesmithError && error.status === 401) onUnauthorized(error.message);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: mayAskAgain,
        retryDelay: pauseBeforeRetry,
      },
    },
  });
}

const POLL_FIRST_MS = 1000;
const POLL_LONGEST_MS = 15_000;

/**
 * Milliseconds until something that works is asked about again: often at first, then ever more rarely, and not at all
 * when it has ended.
 * @param unchanged answers in a row that brought nothing new
 */
export function pollMilliseconds(works: boolean, unchanged: number): number | false {
  return works ? Math.min(POLL_FIRST_MS * 1.5 ** unchanged, POLL_LONGEST_MS) : false;
}

/**
 * The interval of a query that is asked for again while something works, more rarely the longer its answer stays the same.
 * @param works whether there may be something new, by the latest answer
 */
export function usePolling<T>(works: (data: T | undefined) => boolean) {
  /** The last answer that brought something new, and the number of that answer. */
  const seen = useRef<{ readonly data: T | undefined; readonly since: number }>({
    data: undefined,
    since: 0,
  });
  return ({
    state,
  }: {
    readonly state: { readonly data: T | undefined; readonly dataUpdateCount: number };
  }) => {
    const { data, dataUpdateCount } = state;
    const last = seen.current.data === data ? seen.current : { data, since: dataUpdateCount };
    seen.current = last;
    return pollMilliseconds(works(data), dataUpdateCount - last.since);
  };
}
