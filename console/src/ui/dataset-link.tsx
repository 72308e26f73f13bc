import { useQuery } from '@tanstack/react-query';
import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import { hrefOf } from '../route.ts';

const NAME_FRESH_MS = 300_000;

/** A link to a dataset by its name; by the beginning of its id until that is known, or where it cannot be read. */
export function DatasetLink({ id }: { readonly id: string }) {
  const { client } = useApi();
  const dataset = useQuery({
    queryKey: ['dataset', id, 'name'],
    queryFn: ({ signal }) =>
      dataOf(client.GET('/api/v1/datasets/{dataset_id}', { signal, params: { path: { dataset_id: id } } })),
    select: ({ name }) => name,
    staleTime: NAME_FRESH_MS,
  });
  return (
    <a href={hrefOf(['datasets', id])} title={id} dir="auto">
      {dataset.data ?? <code>{id.slice(0, 8)}</code>}
    </a>
  );
}
