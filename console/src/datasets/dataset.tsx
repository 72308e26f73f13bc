import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { dataOf, type Schemas } from 'tunesmith';
import Adapt from '../adapt/adapt.tsx';
import { useApi, usePolling } from '../api.tsx';
import Comparisons from '../comparisons/comparisons.tsx';
import Evaluation from '../evaluation/evaluation.tsx';
import { count, number, words } from '../format.ts';
import Pilots from '../pilots/pilots.tsx';
import Review from '../review/review.tsx';
import { go, hrefOf, useRoute } from '../route.ts';
import Rows from '../rows/rows.tsx';
import { Facts, Failure, Loading, Page, Progress, Section, State, Time } from '../ui/parts.tsx';
import { stageWords } from '../ui/stage-words.ts';
import Versions from '../versions/versions.tsx';
import { Download } from './download.tsx';
import { DeleteDataset, statusWords } from './list.tsx';
import { Price } from './price.tsx';
import { useDatasetRecord } from './record.ts';

export type DatasetRecord = Schemas['Dataset'];
export type DatasetStatus = Schemas['DatasetStatusRecord'];

const VIEWS = [
  { view: '', label: 'Overview' },
  { view: 'adapt', label: 'Adapt' },
  { view: 'pilots', label: 'Pilots' },
  { view: 'rows', label: 'Rows' },
  { view: 'review', label: 'Review' },
  { view: 'evaluation', label: 'Evaluation' },
  { view: 'versions', label: 'Versions' },
  { view: 'comparisons', label: 'Comparisons' },
] as const;

/** One dataset: its views below its name. It polls while the dataset works, and stops when it has ended. */
export default function Dataset({ id }: { readonly id: string }) {
  const { path } = useRoute();
  const view = path[2] ?? '';
  const status = useDatasetStatus(id);
  const dataset = useDatasetRecord(id, [status.data?.status], { placeholderData: keepPreviousData });
  const [isDeleting, setDeleting] = useState(false);
  const tabs = useCurrentInSight(view);
  const trail = [{ href: '#/datasets', label: 'Datasets' }];
  if (dataset.isError) {
    return (
      <Page title="Dataset" trail={trail}>
        <Failure error={dataset.error} retry={() => dataset.refetch()} />
      </Page>
    );
  }
  if (dataset.data === undefined || status.data === undefined) {
    return (
      <Page title="Dataset" trail={trail}>
        {status.isError ? (
          <Failure error={status.error} retry={() => status.refetch()} />
        ) : (
          <Loading what="the dataset" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={dataset.data.name}
      trail={trail}
      actions={
        <>
          <State value={status.data.status} label={statusWords(status.data)} />
          <button type="button" onClick={() => setDeleting(true)}>
            Delete
          </button>
        </>
      }
    >
      <nav aria-label="Views of the dataset" className="tabs" ref={tabs}>
        {VIEWS.map(({ view: each, label }) => (
          <a
            key={each}
            href={hrefOf(['datasets', id, ...(each === '' ? [] : [each])])}
            {...(each === view ? { 'aria-current': 'page' } : {})}
          >
            {label}
          </a>
        ))}
      </nav>
      {status.isError ? <Failure error={status.error} retry={() => status.refetch()} /> : null}
      <View view={view} dataset={dataset.data} status={status.data} />
      {isDeleting ? (
        <DeleteDataset
          dataset={dataset.data}
          onClose={() => setDeleting(false)}
          onDeleted={() => go('#/datasets', { replace: true })}
        />
      ) : null}
    </Page>
  );
}

function View(props: {
  readonly view: string;
  readonly dataset: DatasetRecord;
  readonly status: DatasetStatus;
}) {
  if (props.view === 'rows') return <Rows {...props} />;
  if (props.view === 'review') return <Review {...props} />;
  if (props.view === 'evaluation') return <Evaluation {...props} />;
  if (props.view === 'adapt') return <Adapt {...props} />;
  if (props.view === 'pilots') return <Pilots {...props} />;
  if (props.view === 'versions') return <Versions {...props} />;
  if (props.view === 'comparisons') return <Comparisons {...props} />;
  return <Overview {...props} />;
}

/** Keeps the current one of links in sight that scroll sideways where the window is narrow. */
function useCurrentInSight(current: string) {
  return useCallback(
    (links: HTMLElement | null): void => {
      const link = current === '' ? null : links?.querySelector('[aria-current]');
      link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    },
    [current],
  );
}

/** The status of a dataset, asked for again while it works, more rarely the longer nothing changes. */
function useDatasetStatus(id: string) {
  const { client } = useApi();
  const refetchInterval = usePolling<DatasetStatus>(
    (answer) => answer?.status === 'pending' || answer?.status === 'running',
  );
  return useQuery({
    queryKey: ['dataset', id, 'status'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/status', { signal, params: { path: { dataset_id: id } } }),
      ),
    refetchInterval,
  });
}

function Overview({ dataset, status }: { readonly dataset: DatasetRecord; readonly status: DatasetStatus }) {
  const summary = dataset.evaluation_summary;
  return (
    <>
      <StatusNotice status={status} />
      <Section title="What it is">
        {dataset.description === null ? null : (
          <p className="text" dir="auto">
            {dataset.description}
          </p>
        )}
        <div className="card">
          <Facts
            of={[
              ['Rows', dataset.row_count === null ? '–' : count(dataset.row_count)],
              ['Origin', originOf(dataset)],
              ['Created', <Time key="created" iso={dataset.created_at} />],
              ['Changed', <Time key="changed" iso={dataset.updated_at} />],
              ['Price of the last run', <Price key="price" dataset={dataset} />],
              ['Id', <code key="id">{dataset.dataset_id}</code>],
            ]}
          />
        </div>
      </Section>
      {summary === null ? null : (
        <Section
          title="Grade"
          actions={<a href={hrefOf(['datasets', dataset.dataset_id, 'evaluation'])}>Details</a>}
        >
          <div className="card">
            <Facts of={gradesOf(summary)} />
          </div>
        </Section>
      )}
      <NextSteps dataset={dataset} status={status} />
      {status.row_count === null ? null : (
        <Section title="Download">
          <Download id={dataset.dataset_id} />
        </Section>
      )}
    </>
  );
}

function originOf({ kind, source_dataset_id: source }: DatasetRecord): ReactNode {
  return source === null ? (
    kind
  ) : (
    <>
      {kind} from <a href={hrefOf(['datasets', source])}>another dataset</a>
    </>
  );
}

const gradesOf = (summary: NonNullable<DatasetRecord['evaluation_summary']>): [string, ReactNode][] =>
  Object.entries(summary).map(([name, value]) => [
    words(name),
    value === null ? '–' : typeof value === 'number' ? number(value) : String(value),
  ]);

/** What the dataset does, or why it failed. */
function StatusNotice({ status }: { readonly status: DatasetStatus }) {
  const { progress, error_data: problem } = status;
  return (
    <>
      {status.waits_for === null ? null : (
        <p className="notice" role="status">
          {status.waits_for === 'file'
            ? 'The dataset waits for its file: send it to the URL that its creation answered, and complete the upload. If that is over, delete it and upload the file anew.'
            : 'The file is uploaded and not read yet: call start-adaption.'}
        </p>
      )}
      {status.status === 'pending' && status.waits_for === null ? (
        <div className="card stack" role="status">
          <span>Reading the file …</span>
          <Progress label="Reading the file" share={null} />
        </div>
      ) : null}
      {status.status === 'running' ? (
        <div className="card stack" role="status">
          <span>
            {progress === null
              ? 'Running …'
              : (stageWords(progress.stage) ??
                `${count(progress.processed_rows)} of ${count(progress.total_rows)} rows`)}
          </span>
          <Progress label="Rows" share={progress === null ? null : progress.percent / 100} />
        </div>
      ) : null}
      {problem === null ? null : (
        <div
          className={`notice ${status.status === 'failed' ? 'notice-bad' : 'notice-warn'}`}
          role={status.status === 'failed' ? 'alert' : 'status'}
        >
          <p>{problem.message}</p>
        </div>
      )}
    </>
  );
}

function NextSteps({ dataset, status }: { readonly dataset: DatasetRecord; readonly status: DatasetStatus }) {
  const id = dataset.dataset_id;
  if (status.status === 'pending' || status.status === 'running') return null;
  const done = status.status === 'succeeded';
  return (
    <Section title="Next">
      <div className="line">
        <a className={done ? 'button' : 'button primary'} href={hrefOf(['datasets', id, 'adapt'])}>
          {done ? 'Adapt again' : 'Adapt it'}
        </a>
        <a className="button" href={hrefOf(['datasets', id, 'rows'])}>
          Look at the rows
        </a>
        <a className="button" href={hrefOf(['datasets', id, 'review'])}>
          Review doubtful rows
        </a>
        {done ? (
          <>
            <a className="button" href={hrefOf(['trainings', 'new'], { dataset: id })}>
              Train a model on it
            </a>
            <a className="button" href={hrefOf(['datasets', id, 'comparisons'])}>
              Compare it with the originals
            </a>
          </>
        ) : null}
      </div>
    </Section>
  );
}
