import { useQuery } from '@tanstack/react-query';
import { dataOf, type Schemas, TunesmithError } from 'tunesmith';
import { useApi } from '../api.tsx';

const REPORT_FRESH_MS = 10_000;

/**
 * What the latest run of a dataset was or is; null if it had none.
 * @param options.changed when the dataset was last changed, where that is known: a change asks for the report anew
 * @param options.isOfEnded whether it is not asked for while the run goes on
 */
export function useRunReport(
  id: string,
  status: Schemas['DatasetListItem']['status'],
  { changed, isOfEnded = false }: { readonly changed?: string; readonly isOfEnded?: boolean } = {},
) {
  const { client } = useApi();
  return useQuery({
    queryKey: ['dataset', id, 'report', status, changed],
    queryFn: async ({ signal }) => {
      try {
        return await dataOf(
          client.GET('/api/v1/datasets/{dataset_id}/report', {
            signal,
            params: { path: { dataset_id: id }, query: { limit: 1 } },
          }),
        );
      } catch (error) {
        // A dataset that was never adapted has no report.
        if (error instanceof TunesmithError && error.code === 'no_data_yet') return null;
        throw error;
      }
    },
    // Read between the launch and the first answer that the run is active, it tells of a run under another state.
    staleTime: ({ state }) => (state.data?.status === 'running' ? 0 : REPORT_FRESH_MS),
    enabled: status === 'succeeded' || status === 'failed' || (status === 'running' && !isOfEnded),
  });
}
