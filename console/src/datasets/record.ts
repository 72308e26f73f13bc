import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';

type Options = Pick<
  UseQueryOptions<Schemas['Dataset']>,
  'enabled' | 'placeholderData' | 'refetchInterval' | 'staleTime'
>;

/**
 * The record of a dataset.
 * @param known what is known of it otherwise: a change of it asks for the record anew
 */
export function useDatasetRecord(id: string, known: readonly (string | undefined)[], options: Options = {}) {
  const { client } = useApi();
  return useQuery({
    queryKey: ['dataset', id, 'record', ...known],
    queryFn: ({ signal }) =>
      dataOf(client.GET('/api/v1/datasets/{dataset_id}', { signal, params: { path: { dataset_id: id } } })),
    ...options,
  });
}
