import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { dataOf, TunesmithError } from 'tunesmith';
import { useApi } from '../api.tsx';
import type { DatasetRecord, DatasetStatus } from '../datasets/dataset.tsx';
import { createLaunchKeys } from '../launch-keys.ts';
import { Failure, Loading } from '../ui/parts.tsx';
import './adapt.css';
import { Columns } from './columns.tsx';
import { Controls } from './controls.tsx';
import { Checks } from './lint.tsx';
import {
  columnMappingOf,
  type Mapping,
  mappingOf,
  NOTHING_MAPPED,
  type Proposal,
  proposeMapping,
  readingOf,
  type SampledColumn,
} from './mapping.ts';
import { Summary, useEstimate } from './quote.tsx';
import { ActiveRun, LastRun } from './run.tsx';
import { SAMPLE_ROWS, sampledColumnsOf } from './samples.ts';
import {
  type AdaptRequest,
  adaptRequestOf,
  DEFAULTS,
  launchRequestOf,
  PATHS,
  problemsOfAnswer,
  problemsOfSettings,
} from './settings.ts';

/** Adapts a dataset: mapping, settings, checks and price before a run, its progress while it is active. */
export default function Adapt({
  dataset,
  status,
}: {
  readonly dataset: DatasetRecord;
  readonly status: DatasetStatus;
}) {
  const id = dataset.dataset_id;
  const form = useForm();
  if (status.status === 'running') {
    return <ActiveRun datasetId={id} status={status} isOwn={form.isLaunched} />;
  }
  if (status.status === 'pending') {
    return (
      <p role="status" className="note">
        The file is being read. The dataset can be adapted once that is done.
      </p>
    );
  }
  if (status.row_count === null) {
    return (
      <p className="notice notice-bad">
        {status.error_data?.message ?? 'The file could not be read.'} There are no rows to adapt.
      </p>
    );
  }
  return (
    <>
      <LastRun datasetId={id} status={status} />
      <Form dataset={dataset} rowCount={status.row_count} form={form} />
    </>
  );
}

/** What was chosen. It outlives the run, after which the same can be launched again. */
function useForm() {
  const [mapping, setMapping] = useState<Mapping | null>(null);
  const [settings, setSettings] = useState(DEFAULTS);
  const [isLaunched, setLaunched] = useState(false);
  return { mapping, setMapping, settings, setSettings, isLaunched, setLaunched };
}

function Form(props: {
  readonly dataset: DatasetRecord;
  readonly rowCount: number;
  readonly form: ReturnType<typeof useForm>;
}) {
  const { dataset } = props;
  const { client } = useApi();
  const id = dataset.dataset_id;
  const sample = useQuery({
    queryKey: ['dataset', id, 'sample'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/rows', {
          signal,
          params: { path: { dataset_id: id }, query: { limit: SAMPLE_ROWS } },
        }),
      ),
    // The rows as they came never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const columns = useMemo(
    () => (sample.data === undefined ? [] : sampledColumnsOf(sample.data)),
    [sample.data],
  );
  const proposal = useMemo(
    () => proposeMapping(columns, Object.keys(dataset.image_column_formats ?? {})),
    [columns, dataset.image_column_formats],
  );
  if (sample.isError) return <Failure error={sample.error} retry={() => sample.refetch()} />;
  if (sample.data === undefined) return <Loading what="the columns" />;
  return <Mapped {...props} columns={columns} total={sample.data.columns_total} proposal={proposal} />;
}

function Mapped(props: {
  readonly dataset: DatasetRecord;
  readonly rowCount: number;
  readonly form: ReturnType<typeof useForm>;
  readonly columns: readonly SampledColumn[];
  readonly total: number;
  readonly proposal: Proposal;
}) {
  const { dataset, rowCount, columns, total, proposal, form } = props;
  const { settings } = form;
  const id = dataset.dataset_id;
  const configured = dataset.configured_column_mapping;
  const mapping =
    form.mapping ??
    (configured === null ? proposal.mapping : mappingOf(configured, columns)) ??
    NOTHING_MAPPED;
  const asked = columnMappingOf(
    mapping,
    columns.map(({ name }) => name),
  );
  const reading = readingOf(asked);
  const ownProblems = problemsOfSettings(settings);
  const obstacle =
    reading.kind === 'problem'
      ? 'Map the columns first.'
      : ownProblems.size > 0
        ? 'Correct the marked settings first.'
        : null;
  const request = obstacle === null ? adaptRequestOf(asked, settings) : null;
  const estimate = useEstimate(id, request);
  const launch = useLaunch(id, () => form.setLaunched(true));
  const launchError = launch.isOf(request) ? launch.error : null;
  const problems = new Map([
    ...problemsOfError(estimate.error),
    ...problemsOfError(launchError),
    ...ownProblems,
  ]);
  const change = (changes: Partial<typeof settings>): void =>
    form.setSettings((earlier) => ({ ...earlier, ...changes }));
  return (
    <div className="adapt">
      <div className="adapt-form">
        <Columns
          columns={columns}
          total={total}
          mapping={mapping}
          asked={asked}
          proposal={proposal}
          reading={reading}
          problems={problems}
          onChange={form.setMapping}
        />
        <Checks
          datasetId={id}
          rowCount={rowCount}
          mapping={reading.kind === 'mode' ? asked : null}
          settings={settings}
          problems={withoutColumns(problems)}
          onChange={change}
        />
        <Controls settings={settings} mapping={asked} problems={problems} onChange={change} />
      </div>
      <Summary
        estimate={estimate}
        obstacle={obstacle}
        isLaunching={launch.isPending}
        launchError={launchError}
        onLaunch={() => {
          if (request !== null) launch.start(request);
        }}
      />
    </div>
  );
}

const problemsOfError = (error: unknown) =>
  problemsOfAnswer(error instanceof TunesmithError ? error.details : []);

const withoutColumns = (problems: ReadonlyMap<string, string>) =>
  new Map([...problems].filter(([path]) => !path.startsWith(PATHS.mapping)));

/** Launches a request once, however often it is clicked. */
function useLaunch(datasetId: string, onLaunched: () => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  const [keys] = useState(() => createLaunchKeys());
  // The second click of a double click comes before the button is shown as disabled.
  const isUnderWay = useRef(false);
  const mutation = useMutation({
    mutationFn: (request: AdaptRequest) =>
      dataOf(
        client.POST('/api/v1/datasets/{dataset_id}/adapt', {
          params: { path: { dataset_id: datasetId } },
          body: launchRequestOf(request, keys.keyOf(request)),
        }),
      ),
    onSuccess: async () => {
      onLaunched();
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['dataset', datasetId, 'status'] }),
        queries.invalidateQueries({ queryKey: ['dataset', datasetId, 'record'] }),
        queries.invalidateQueries({ queryKey: ['datasets'] }),
        queries.invalidateQueries({ queryKey: ['me'] }),
      ]);
      keys.launched();
    },
    onSettled: () => {
      isUnderWay.current = false;
    },
  });
  return {
    isPending: mutation.isPending,
    error: mutation.error,
    isOf: (request: AdaptRequest | null): boolean =>
      request !== null && JSON.stringify(mutation.variables) === JSON.stringify(request),
    start: (request: AdaptRequest): void => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutation.mutate(request);
    },
  };
}
