import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';
import { count } from '../format.ts';
import { usePages } from '../queries.ts';
import { go, hrefOf, useRoute } from '../route.ts';
import {
  ConfirmDialog,
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
import { SearchField } from '../ui/search-field.tsx';
import { Grade, Price, RunProgress } from './price.tsx';
import { SampleButton } from './sample.tsx';

type Listed = Schemas['DatasetListItem'];
type Status = Listed['status'];

/** The states of a dataset in the order of its life, with the words for people. */
const STATUS_WORDS: Readonly<Record<Status, string>> = {
  pending: 'reading',
  awaiting_input: 'ready to adapt',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
};

const WAITS: Readonly<Record<NonNullable<Listed['waits_for']>, string>> = {
  file: 'waits for its file',
  start: 'waits to be read',
};

/** The state of a dataset for people: one that nobody has uploaded is not being read. */
export const statusWords = ({ status, waits_for }: Pick<Listed, 'status' | 'waits_for'>): string =>
  waits_for === null ? STATUS_WORDS[status] : WAITS[waits_for];

const LIST_REFRESH_MS = 5000;

/** The datasets of the team, newest first. */
export default function Datasets() {
  const { client } = useApi();
  const { query } = useRoute();
  const search = query.get('search') ?? '';
  const status = (query.get('status') ?? '') as Status | '';
  const [deleting, setDeleting] = useState<Listed | null>(null);
  const list = usePages(
    ['datasets', search, status],
    (place, signal) =>
      dataOf(
        client.GET('/api/v1/datasets', {
          signal,
          params: {
            query: {
              limit: 50,
              ...(search === '' ? {} : { q: search }),
              ...(status === '' ? {} : { status }),
              ...place,
            },
          },
        }),
      ),
    {
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ datasets }) => datasets.some(isBusy)) ? LIST_REFRESH_MS : false,
    },
  );
  const datasets = list.data?.pages.flatMap((page) => page.datasets) ?? [];
  const isFiltered = search !== '' || status !== '';
  return (
    <Page
      title="Datasets"
      actions={
        <a className="button primary" href="#/import">
          Add data
        </a>
      }
    >
      {list.isSuccess && datasets.length === 0 && !isFiltered ? (
        <Empty title="No datasets yet">
          <p>
            A dataset is a table of rows: prompts, answers, and what belongs to them. Tunesmith improves the
            answers, grades them before and after, and trains models on them.
          </p>
          <div className="line">
            <a className="button primary" href="#/import">
              Add your data
            </a>
            <SampleButton />
          </div>
        </Empty>
      ) : (
        <>
          <Filters search={search} status={status} />
          {list.isError ? <Failure error={list.error} retry={() => list.refetch()} /> : null}
          {list.isPending ? <Loading what="the datasets" /> : null}
          {list.isSuccess && datasets.length === 0 ? (
            <p>
              No dataset matches. <a href="#/datasets">Show all</a>
            </p>
          ) : null}
          {datasets.length > 0 ? <Table datasets={datasets} onDelete={setDeleting} /> : null}
          <ShowMore of={list} />
        </>
      )}
      {deleting === null ? null : (
        <DeleteDataset
          dataset={deleting}
          onClose={() => setDeleting(null)}
          onDeleted={() => setDeleting(null)}
        />
      )}
    </Page>
  );
}

const isBusy = ({ status }: Listed): boolean => status === 'pending' || status === 'running';

function Filters({ search, status }: { readonly search: string; readonly status: Status | '' }) {
  return (
    <search className="line">
      <SearchField
        label="Search datasets by name"
        placeholder="Search by name"
        style={{ maxWidth: '20rem' }}
        search={search}
        onSearch={(wanted) => go(hrefOf(['datasets'], { search: wanted, status }), { replace: true })}
      />
      <select
        aria-label="State"
        className="narrow"
        value={status}
        onChange={(event) =>
          go(hrefOf(['datasets'], { search, status: event.target.value }), { replace: true })
        }
      >
        <option value="">All states</option>
        {Object.entries(STATUS_WORDS).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    </search>
  );
}

function Table({
  datasets,
  onDelete,
}: {
  readonly datasets: readonly Listed[];
  readonly onDelete: (dataset: Listed) => void;
}) {
  return (
    <TableFrame label="Datasets">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <NumberHead>Rows</NumberHead>
          <th scope="col">Grade</th>
          <NumberHead>Price</NumberHead>
          <th scope="col">Created</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {datasets.map((dataset) => (
          <tr key={dataset.dataset_id}>
            <th scope="row">
              <a href={hrefOf(['datasets', dataset.dataset_id])} dir="auto">
                {dataset.name}
              </a>
            </th>
            <td>
              <State value={dataset.status} label={statusWords(dataset)} /> <RunProgress dataset={dataset} />
            </td>
            <td className="number">{dataset.row_count === null ? '–' : count(dataset.row_count)}</td>
            <td>
              <Grade dataset={dataset} />
            </td>
            <td className="number">
              <Price dataset={dataset} />
            </td>
            <td>
              <Time iso={dataset.created_at} />
            </td>
            <td className="right">
              <button
                type="button"
                className="plain"
                aria-label={`Delete ${dataset.name}`}
                onClick={() => onDelete(dataset)}
              >
                Delete
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

/** Asks before a dataset is deleted, since nothing brings it back. */
export function DeleteDataset({
  dataset,
  onClose,
  onDeleted,
}: {
  readonly dataset: Pick<Listed, 'dataset_id' | 'name'>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const { client } = useApi();
  const queries = useQueryClient();
  const deletion = useMutation({
    mutationFn: () =>
      dataOf(
        client.DELETE('/api/v1/datasets/{dataset_id}', {
          params: { path: { dataset_id: dataset.dataset_id } },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['datasets'] });
      onDeleted();
    },
  });
  return (
    <ConfirmDialog
      title="Delete this dataset?"
      action={deletion}
      leave="Keep it"
      confirm="Delete"
      confirming="Deleting …"
      onClose={onClose}
    >
      <strong dir="auto">{dataset.name}</strong> is deleted with its rows, results and evaluations, and with
      the models that were trained on it. Download or publish those that you want to keep. This cannot be
      undone.
    </ConfirmDialog>
  );
}
