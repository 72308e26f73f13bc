import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, type Schemas } from 'tunesmith';
import '../adapt/adapt.css';
import { LaunchCard } from '../adapt/quote.tsx';
import { type Problems, problemsOfError } from '../adapt/settings.ts';
import { type Quoted, useQuoted } from '../adapt/use-quoted.ts';
import { useApi } from '../api.tsx';
import type { DatasetStatus } from '../datasets/dataset.tsx';
import { count, plural } from '../format.ts';
import { useLaunchOnce } from '../launch-once.ts';
import { go, hrefOf } from '../route.ts';
import { HyperparamFacts } from '../training/hyperparams.tsx';
import { ModelField } from '../training/model-field.tsx';
import { Choice, SelectField } from '../ui/fields.tsx';
import { Facts, Failure, Loading, Section } from '../ui/parts.tsx';
import {
  type ComparisonForm,
  type ComparisonRequest,
  comparisonRequestOf,
  NEW_COMPARISON,
  obstacleOf,
  originalColumnsOf,
  SEEDS_MAX,
} from './launch.ts';

type Plan = Schemas['ComparisonLaunch'];

/** The form for a new comparison, where the dataset can have one now. */
export function NewComparison({
  datasetId,
  status: { status },
}: {
  readonly datasetId: string;
  readonly status: Pick<DatasetStatus, 'status'>;
}) {
  if (status === 'pending' || status === 'running') {
    return (
      <p role="status" className="note">
        {status === 'pending'
          ? 'The file has not been read yet. A comparison needs an adaptation.'
          : 'A run is active on the dataset. A comparison can be started once it has ended.'}
      </p>
    );
  }
  if (status === 'awaiting_input') {
    return (
      <p className="note">
        The rows of the dataset are not adapted yet.{' '}
        <a href={hrefOf(['datasets', datasetId, 'adapt'])}>Adapt them</a>, then compare the adaptation with
        its originals.
      </p>
    );
  }
  return <Form datasetId={datasetId} />;
}

const SEEDS = Array.from({ length: SEEDS_MAX }, (_, index) => ({
  value: String(index + 1),
  label: `${plural(index + 1, 'seed')}, ${2 * (index + 1)} trainings`,
}));

function Form({ datasetId }: { readonly datasetId: string }) {
  const [form, setForm] = useState(NEW_COMPARISON);
  const change = (changes: Partial<ComparisonForm>): void =>
    setForm((earlier) => ({ ...earlier, ...changes }));
  const obstacle = obstacleOf(form);
  const request = obstacle === null ? comparisonRequestOf(datasetId, form) : null;
  const estimate = useComparisonEstimate(datasetId, request);
  const launch = useComparisonLaunch(datasetId);
  const launchError = launch.isOf(request) ? launch.error : null;
  const problems = new Map([...problemsOfError(estimate.error), ...problemsOfError(launchError)]);
  return (
    <div className="adapt">
      <div className="adapt-form">
        <Section
          title="New comparison"
          note="Both sides are trained with the same hyperparameters and seeds, for as many steps, on the same rows before and after their adaptation."
        >
          <div className="card columns">
            <ModelField
              value={form.model}
              onChange={(model) => change({ model })}
              chosen={estimate.quote?.model}
            />
            <SelectField
              label="Seeds"
              hint="Each trains both sides once more. One seed does not show how much chance is in a training; two or three do."
              problem={problems.get('seeds')}
              options={SEEDS}
              value={String(form.seeds)}
              onChange={(seeds) => change({ seeds: Number(seeds) })}
            />
          </div>
          <Choice
            label="The original answers are in other columns than those that were adapted"
            hint="Needed where the adaptation wrote the answers itself, and another column of the file holds the earlier ones."
            checked={form.hasOwnColumns}
            onChange={(hasOwnColumns) => change({ hasOwnColumns })}
          />
          {form.hasOwnColumns ? (
            <OriginalColumns datasetId={datasetId} form={form} problems={problems} onChange={change} />
          ) : null}
        </Section>
      </div>
      <LaunchCard
        estimate={estimate}
        obstacle={obstacle}
        isLaunching={launch.isPending}
        launchError={launchError}
        onLaunch={() => {
          if (request !== null) launch.start(request);
        }}
        pricing="Asking what would be trained …"
        show={(plan) => <PlanOf plan={plan} />}
        start="Start the comparison"
        hint="It takes as long as its trainings, one after the other. It goes on when you leave this page."
      />
    </div>
  );
}

function useComparisonEstimate(datasetId: string, request: ComparisonRequest | null): Quoted<Plan> {
  const { client } = useApi();
  return useQuoted(['comparisons', datasetId], request, (asked, signal) =>
    dataOf(client.POST('/api/v1/autoscientist/comparisons', { signal, body: { ...asked, estimate: true } })),
  );
}

/** Starts a comparison once, and goes to it. */
function useComparisonLaunch(datasetId: string) {
  const { client } = useApi();
  const queries = useQueryClient();
  return useLaunchOnce(
    datasetId,
    (request: ComparisonRequest, key) =>
      dataOf(
        client.POST('/api/v1/autoscientist/comparisons', { body: { ...request, idempotency_key: key } }),
      ),
    async ({ comparison_id: id }) => {
      await queries.invalidateQueries({ queryKey: ['comparisons', 'list'] });
      if (id !== null) go(hrefOf(['trainings', 'comparisons', id]));
    },
  );
}

function OriginalColumns(props: {
  readonly datasetId: string;
  readonly form: ComparisonForm;
  readonly problems: Problems;
  readonly onChange: (changes: Partial<ComparisonForm>) => void;
}) {
  const { datasetId, form, problems, onChange } = props;
  const { client } = useApi();
  const rows = useQuery({
    queryKey: ['dataset', datasetId, 'columns'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/rows', {
          signal,
          params: { path: { dataset_id: datasetId }, query: { limit: 1 } },
        }),
      ),
  });
  if (rows.data === undefined) {
    return rows.isError ? (
      <Failure error={rows.error} retry={() => rows.refetch()} />
    ) : (
      <Loading what="the columns" />
    );
  }
  const options = [
    { value: '', label: 'Choose a column' },
    ...originalColumnsOf(rows.data.columns).map((name) => ({ value: name, label: name })),
  ];
  const problem = problems.get('column_mapping');
  return (
    <div className="card columns">
      <SelectField
        label="Column with the original prompts"
        problem={problems.get('column_mapping.prompt') ?? problem}
        options={options}
        value={form.prompt}
        onChange={(prompt) => onChange({ prompt })}
      />
      <SelectField
        label="Column with the original answers"
        problem={problems.get('column_mapping.completion')}
        options={options}
        value={form.completion}
        onChange={(completion) => onChange({ completion })}
      />
    </div>
  );
}

/** What would be trained, and why so. */
function PlanOf({ plan }: { readonly plan: Plan }) {
  return (
    <>
      <p>
        <strong>Free.</strong> {plural(plan.trainings, 'training')} of <bdi>{plan.model}</bdi>.
      </p>
      <Facts
        of={[
          ['Rows of the adaptation', count(plan.rows)],
          ['Held out at most', count(plan.held_out_rows)],
        ]}
      />
      {plan.notes.map((note) => (
        <p key={note} className="hint">
          {note}
        </p>
      ))}
      <details>
        <summary>Hyperparameters of both sides</summary>
        <HyperparamFacts of={plan.hyperparams} />
      </details>
    </>
  );
}
