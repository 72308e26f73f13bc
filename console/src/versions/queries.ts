import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { dataOf } from 'tunesmith';
import { useApi, usePolling } from '../api.tsx';
import type { VersionsPage } from './contract.ts';

export const versionsKey = (datasetId: string): readonly string[] => ['versions', datasetId];

const PAGE_VERSIONS = 20;

/**
 * The versions of a dataset, newest first, asked for again while one of them is made.
 * @param known what is known of the dataset otherwise: a change of it asks for the versions anew
 */
export function useVersions(datasetId: string, known: string) {
  const client = useApi().client;
  const refetchInterval = usePolling<{ readonly pages: readonly VersionsPage[] }>(
    (data) =>
      data?.pages.some(({ versions }) => versions.some(({ status }) => status === 'running')) ?? false,
  );
  return useInfiniteQuery({
    queryKey: [...versionsKey(datasetId), known],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/versions', {
          signal,
          params: {
            path: { dataset_id: datasetId },
            query: { limit: PAGE_VERSIONS, ...(pageParam === null ? {} : { before: pageParam }) },
          },
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next_before,
    placeholderData: (earlier) => earlier,
    refetchInterval,
  });
}

/** Asks anew for all that a new version or a deleted one changes. */
export async function refreshVersions(queries: QueryClient, datasetId: string): Promise<void> {
  await Promise.all(
    [versionsKey(datasetId), ['dataset', datasetId], ['rows', datasetId], ['datasets']].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}
