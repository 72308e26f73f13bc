import { type InfiniteData, useQuery } from '@tanstack/react-query';
import { dataOf } from 'tunesmith';
import { useApi, usePolling } from '../api.tsx';
import { usePages } from '../queries.ts';
import { isActive } from '../training/words.ts';
import type { Comparison, ComparisonSummary } from './words.ts';

interface ComparisonPage {
  readonly items: readonly ComparisonSummary[];
  readonly next_cursor: string | null;
}

const PAGE_COMPARISONS = 50;

/** The comparisons of a dataset, or of the team, newest first; asked for again while one of them is active. */
export function useComparisons(datasetId: string | null) {
  const { client } = useApi();
  const refetchInterval = usePolling<InfiniteData<ComparisonPage>>(
    (data) => data?.pages.some(({ items }) => items.some(isActive)) ?? false,
  );
  return usePages<ComparisonPage>(
    ['comparisons', 'list', datasetId],
    (place, signal) =>
      dataOf(
        client.GET('/api/v1/autoscientist/comparisons', {
          signal,
          params: {
            query: {
              limit: PAGE_COMPARISONS,
              ...(datasetId === null ? {} : { dataset_id: datasetId }),
              ...place,
            },
          },
        }),
      ),
    { refetchInterval },
  );
}

/** A comparison, asked for again while it is active, more rarely the longer nothing changes. */
export function useComparison(id: string) {
  const { client } = useApi();
  const refetchInterval = usePolling<Comparison>((one) => one !== undefined && isActive(one));
  return useQuery({
    queryKey: ['comparisons', 'one', id],
    queryFn: async ({ signal }) =>
      // The client's type of an answer forgets that an interval has two ends.
      (await dataOf(
        client.GET('/api/v1/autoscientist/comparisons/{comparison_id}', {
          signal,
          params: { path: { comparison_id: id } },
        }),
      )) as Comparison,
    refetchInterval,
  });
}
