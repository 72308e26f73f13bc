import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';
import { percent } from '../format.ts';
import { usePages } from '../queries.ts';
import { hrefOf, useRoute } from '../route.ts';
import { DatasetLink } from '../ui/dataset-link.tsx';
import {
  Empty,
  Failure,
  Loading,
  NumberHead,
  Page,
  ShowMore,
  State,
  TableFrame,
  Time,
} from '../ui/parts.tsx';
import './training.css';
import { TrainingViews } from './views.tsx';
import { isActive, TRAINING_WORDS } from './words.ts';

type Run = Schemas['TrainingRun'];

const LIST_REFRESH_MS = 5000;

/** The trainings of the team, newest first; those of one dataset if the address names it. */
export default function Trainings() {
  const { client } = useApi();
  const { query } = useRoute();
  const dataset = query.get('dataset');
  const list = usePages(
    ['trainings', dataset],
    (place, signal) =>
      dataOf(
        client.GET('/api/v1/autoscientist', {
          signal,
          params: { query: { limit: 50, ...(dataset === null ? {} : { dataset_id: dataset }), ...place } },
        }),
      ),
    {
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ runs }) => runs.some(isActive)) ? LIST_REFRESH_MS : false,
    },
  );
  const runs = list.data?.pages.flatMap((page) => page.runs) ?? [];
  const create = (
    <a className="button primary" href={hrefOf(['trainings', 'new'], { dataset })}>
      Train a model
    </a>
  );
  return (
    <Page title="Training" actions={create}>
      <TrainingViews view="trainings" />
      {dataset === null ? null : (
        <p>
          Trainings of <DatasetLink id={dataset} />. <a href="#/trainings">Show all</a>
        </p>
      )}
      {list.isError ? <Failure error={list.error} retry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="the trainings" /> : null}
      {list.isSuccess && runs.length === 0 ? (
        <Empty title="No trainings yet">
          <p>
            A training teaches a small model the answers of a dataset, compares it with the model that it was
            made of on rows that it has not seen, and tries other settings until it is good enough. Training
            costs no credits.
          </p>
          {create}
        </Empty>
      ) : null}
      {runs.length === 0 ? null : <Table runs={runs} />}
      <ShowMore of={list} />
    </Page>
  );
}

function Table({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <TableFrame label="Trainings">
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">Dataset</th>
          <th scope="col">State</th>
          <NumberHead>Iterations</NumberHead>
          <NumberHead>Win rate</NumberHead>
          <NumberHead>Target</NumberHead>
          <th scope="col">Started</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <th scope="row">
              <a href={hrefOf(['trainings', run.id])} dir="auto">
                {run.model}
              </a>
            </th>
            <td>
              <DatasetLink id={run.dataset_id} />
            </td>
            <td>
              <State value={run.status} label={TRAINING_WORDS[run.status]} />
            </td>
            <td className="number">
              {run.iterations_completed} of {run.max_iterations}
            </td>
            <td className="number">{run.best_win_rate === null ? '–' : percent(run.best_win_rate)}</td>
            <td className="number">{percent(run.target_win_rate)}</td>
            <td className="nowrap">
              <Time iso={run.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
