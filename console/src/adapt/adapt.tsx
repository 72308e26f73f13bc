import { useState } from 'react';
import type { DatasetRecord, DatasetStatus } from '../datasets/dataset.tsx';
import { Failure, Loading } from '../ui/parts.tsx';
import './adapt.css';
import { Columns } from './columns.tsx';
import { Controls } from './controls.tsx';
import { Checks } from './lint.tsx';
import type { Mapping } from './mapping.ts';
import { Summary, useEstimate } from './quote.tsx';
import { rowsRead } from './reuse.ts';
import { ActiveRun, LastRun } from './run.tsx';
import { adaptRequestOf, DEFAULTS, PATHS, problemsOfError, problemsOfSettings } from './settings.ts';
import { useAdaptation } from './use-adaptation.ts';
import { type ColumnsOf, mappedOf, useColumns } from './use-columns.ts';

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
        The file has not been read yet. The dataset can be adapted once it has.
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
  const { found, error, retry } = useColumns(props.dataset);
  if (error !== null) return <Failure error={error} retry={retry} />;
  if (found === null) return <Loading what="the columns" />;
  return <Mapped {...props} found={found} />;
}

function Mapped(props: {
  readonly dataset: DatasetRecord;
  readonly rowCount: number;
  readonly form: ReturnType<typeof useForm>;
  readonly found: ColumnsOf;
}) {
  const { dataset, rowCount, found, form } = props;
  const { settings } = form;
  const id = dataset.dataset_id;
  const { mapping, asked, reading } = mappedOf(dataset, found, form.mapping);
  const ownProblems = problemsOfSettings(settings);
  const obstacle =
    reading.kind === 'problem'
      ? 'Map the columns first.'
      : ownProblems.size > 0
        ? 'Correct the marked settings first.'
        : null;
  const request = obstacle === null ? adaptRequestOf(asked, settings) : null;
  const estimate = useEstimate(id, request);
  const launch = useAdaptation(id, () => form.setLaunched(true));
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
          {...found}
          mapping={mapping}
          asked={asked}
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
        rows={rowsRead(rowCount, request?.job_specification?.max_rows)}
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

const withoutColumns = (problems: ReadonlyMap<string, string>) =>
  new Map([...problems].filter(([path]) => !path.startsWith(PATHS.mapping)));
