import { useQuery } from '@tanstack/react-query';
import { dataOf, type Schemas, TunesmithError } from 'tunesmith';
import { useApi } from '../api.tsx';
import { number, plural } from '../format.ts';

/** What a list knows of a dataset; a change of state or time asks for its details anew. */
type Known = Pick<Schemas['DatasetListItem'], 'dataset_id' | 'status' | 'updated_at'> | Schemas['Dataset'];

const RUNNING_REFRESH_MS = 3000;

function useDetails({ dataset_id: id, status, updated_at: changed }: Known, isWanted: boolean) {
  const { client } = useApi();
  return useQuery({
    queryKey: ['dataset', id, 'details', status, changed],
    queryFn: ({ signal }) =>
      dataOf(client.GET('/api/v1/datasets/{dataset_id}', { signal, params: { path: { dataset_id: id } } })),
    enabled: isWanted,
    refetchInterval: status === 'running' ? RUNNING_REFRESH_MS : false,
  });
}

/** The grade before and after, with the change of the score. */
export function Grade({ dataset }: { readonly dataset: Known }) {
  const summary = useDetails(dataset, dataset.status === 'succeeded').data?.evaluation_summary;
  if (summary == null || summary.grade_after === null) return <span className="quiet">–</span>;
  const { grade_before: before, grade_after: after, improvement_percent: change } = summary;
  return (
    <span>
      {before === null ? after : `${before} → ${after}`}
      {change === null ? null : (
        <span className="quiet">
          {' '}
          {change > 0 ? '+' : ''}
          {number(change)} %
        </span>
      )}
    </span>
  );
}

/** How far the run of a dataset is; nothing where none is active. */
export function RunProgress({ dataset }: { readonly dataset: Known }) {
  const progress = useDetails(dataset, dataset.status === 'running').data?.progress;
  return progress == null ? null : <span className="quiet">{progress.percent} %</span>;
}

/** What the last run cost; a dash before the first one. */
export function Price({ dataset }: { readonly dataset: Known }) {
  const { client } = useApi();
  const { dataset_id: id, status, updated_at: changed } = dataset;
  const report = useQuery({
    queryKey: ['dataset', id, 'price', status, changed],
    queryFn: async ({ signal }) => {
      try {
        return await dataOf(
          client.GET('/api/v1/datasets/{dataset_id}/report', {
            signal,
            params: { path: { dataset_id: id }, query: { limit: 1 } },
          }),
        );
      } catch (error) {
        if (error instanceof TunesmithError && error.code === 'no_data_yet') return null;
        throw error;
      }
    },
    enabled: status === 'succeeded' || status === 'failed',
  });
  const settled = report.data?.credits.settled ?? null;
  return settled === null ? <span className="quiet">–</span> : <span>{plural(settled, 'credit')}</span>;
}
