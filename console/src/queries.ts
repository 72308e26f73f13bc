import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseQueryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from './api.tsx';

// What several pages ask for: a key of the cache has to stand for one request.

/** The team: its balance, its plan, and what the key may do. */
export function useAccount(options: Pick<UseQueryOptions<Schemas['Account']>, 'refetchInterval'> = {}) {
  const { client } = useApi();
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => dataOf(client.GET('/api/v1/me', { signal })),
    ...options,
  });
}

type PagesOptions<Page> = UseInfiniteQueryOptions<
  Page,
  Error,
  InfiniteData<Page, string | null>,
  QueryKey,
  string | null
>;

/** The pages of a list that goes on with a cursor: `fetchPage` is given that of the page, none for the first. */
export function usePages<Page extends { readonly next_cursor: string | null }>(
  queryKey: QueryKey,
  fetchPage: (place: { readonly cursor?: string }, signal: AbortSignal) => Promise<Page>,
  options: Pick<PagesOptions<Page>, 'refetchInterval'> = {},
) {
  return useInfiniteQuery<Page, Error, InfiniteData<Page, string | null>, QueryKey, string | null>({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    ...options,
  });
}

/** Asks anew for the trainings and the balance, after a training was launched or has ended. */
export async function refreshTrainings(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['trainings'] }),
    queries.invalidateQueries({ queryKey: ['me'] }),
  ]);
}

/** The models that answer here. */
export function useModels({ enabled = true }: { readonly enabled?: boolean } = {}) {
  const { client } = useApi();
  return useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => dataOf(client.GET('/api/v1/models', { signal })),
    enabled,
  });
}

/** The newest datasets that can be trained on and searched. */
export function useReadyDatasets() {
  const { client } = useApi();
  return useQuery({
    queryKey: ['datasets', 'ready'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets', { signal, params: { query: { limit: 100, status: 'succeeded' } } }),
      ),
  });
}
