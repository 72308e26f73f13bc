import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { dataOf, type Schemas, TunesmithError } from 'tunesmith';
import { useApi, usePolling } from '../api.tsx';
import { percent } from '../format.ts';
import { refreshTrainings, useModels } from '../queries.ts';
import { hrefOf, useRoute } from '../route.ts';
import { DatasetLink } from '../ui/dataset-link.tsx';
import { ConfirmDialog, Facts, Failure, Loading, Page, Section, State, Time } from '../ui/parts.tsx';
import { Answers } from './answers.tsx';
import { Deployment } from './deployment.tsx';
import { DownloadModel } from './download.tsx';
import { HyperparamFacts } from './hyperparams.tsx';
import { StageCurves } from './loss.tsx';
import './training.css';
import { WinRates, winRateNote } from './win-rates.tsx';
import { hyperparamWords, isActive, TRAINING_WORDS, valueWords } from './words.ts';

type Run = Schemas['TrainingRun'];
type Metrics = Schemas['TrainingMetrics'];
type Iteration = Schemas['IterationMetrics'];

/** One training: how good its iterations are, how they went, and why each was made so. It polls while it is active. */
export default function Training({ id }: { readonly id: string }) {
  const training = useTraining(id);
  const metrics = useMetrics(id, training.data);
  const [isCancelling, setCancelling] = useState(false);
  const trail = [{ href: '#/trainings', label: 'Training' }];
  if (training.data === undefined) {
    return (
      <Page title="Training" trail={trail}>
        {training.isError ? (
          <Failure error={training.error} retry={() => training.refetch()} />
        ) : (
          <Loading what="the training" />
        )}
      </Page>
    );
  }
  const run = training.data;
  return (
    <Page
      title={run.model}
      trail={trail}
      actions={
        <>
          <State value={run.status} label={TRAINING_WORDS[run.status]} />
          {isActive(run) ? (
            <button type="button" onClick={() => setCancelling(true)}>
              Cancel
            </button>
          ) : null}
          <TryIt run={run} />
          {run.download_available ? <DownloadModel run={run} /> : null}
        </>
      }
    >
      {training.isError ? <Failure error={training.error} retry={() => training.refetch()} /> : null}
      {run.error === null ? null : (
        <p className="notice notice-bad" role="alert">
          {run.error}
        </p>
      )}
      <div className="card">
        <Facts of={factsOf(run)} />
      </div>
      {run.status === 'succeeded' ? <Deployment id={id} /> : null}
      {metrics.isError ? <Failure error={metrics.error} retry={() => metrics.refetch()} /> : null}
      {metrics.isPending ? <Loading what="the iterations" /> : null}
      {metrics.data === undefined ? null : <Iterations metrics={metrics.data} run={run} />}
      {isCancelling ? <CancelDialog id={id} onClose={() => setCancelling(false)} /> : null}
    </Page>
  );
}

function useTraining(id: string) {
  const { client } = useApi();
  const refetchInterval = usePolling<Run>((run) => run !== undefined && isActive(run));
  return useQuery({
    queryKey: ['training', id],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/autoscientist/{experiment_id}', {
          signal,
          params: { path: { experiment_id: id } },
        }),
      ),
    refetchInterval,
  });
}

function useMetrics(id: string, run: Run | undefined) {
  const { client } = useApi();
  const refetchInterval = usePolling<Metrics>(() => run !== undefined && isActive(run));
  return useQuery({
    // A training that has just ended has metrics that were not there before.
    queryKey: ['training', id, 'metrics', run === undefined || isActive(run) ? 'active' : 'ended'],
    queryFn: async ({ signal }) =>
      // The client's type of an answer forgets that an interval has two ends.
      (await dataOf(
        client.GET('/api/v1/autoscientist/{experiment_id}/metrics', {
          signal,
          params: { path: { experiment_id: id } },
        }),
      )) as Metrics,
    placeholderData: (earlier) => earlier,
    refetchInterval,
  });
}

const METHODS = {
  instruction: 'on answers',
  alignment: 'on answers, then on preferences',
} as const;

const factsOf = (run: Run): [string, ReactNode][] => [
  ['Dataset', <DatasetLink key="dataset" id={run.dataset_id} />],
  ['Method', METHODS[run.training_method]],
  ['Iterations done', `${run.iterations_completed} of at most ${run.max_iterations}`],
  [
    'Best win rate',
    run.best_win_rate === null
      ? '–'
      : `${percent(run.best_win_rate)}${run.best_win_rate_method === null ? '' : ` by ${run.best_win_rate_method}`}`,
  ],
  ['Target', percent(run.target_win_rate)],
  ['Started', <Time key="started" iso={run.created_at} />],
  ['Ended', run.completed_at === null ? '–' : <Time key="ended" iso={run.completed_at} />],
  ['Id', <code key="id">{run.id}</code>],
];

function Iterations({ metrics, run }: { readonly metrics: Metrics; readonly run: Run }) {
  const { query } = useRoute();
  const { iterations } = metrics;
  const chosen =
    iterations.find(({ iteration }) => String(iteration) === query.get('iteration')) ??
    iterations.find(({ status }) => status === 'running') ??
    iterations.find(({ iteration }) => iteration === metrics.best_iteration) ??
    iterations.at(-1);
  if (chosen === undefined) {
    return (
      <p className="note" role="status">
        {isActive(run)
          ? 'The rows are prepared. The first iteration follows.'
          : 'The training ended before its first iteration.'}
      </p>
    );
  }
  return (
    <>
      <Section title="Win rate against the base model" note={winRateNote(metrics)}>
        <WinRates metrics={metrics} chosen={chosen.iteration} />
      </Section>
      <OneIteration key={chosen.iteration} iteration={chosen} run={run} />
    </>
  );
}

function OneIteration({ iteration, run }: { readonly iteration: Iteration; readonly run: Run }) {
  return (
    <>
      <Section title={`Iteration ${iteration.iteration}: settings`}>
        {iteration.reason === null ? null : (
          <p className="notice notice-warn">It has no result. {iteration.reason}</p>
        )}
        <div className="card stack">
          <p>{iteration.why}</p>
          {iteration.changes.length === 0 ? null : (
            <ul className="changes">
              {iteration.changes.map(({ name, from, to }) => (
                <li key={name}>
                  <span title={name}>{hyperparamWords(name)}</span>: {valueWords(from)} →{' '}
                  <strong>{valueWords(to)}</strong>
                </li>
              ))}
            </ul>
          )}
          <details>
            <summary>All hyperparameters</summary>
            <HyperparamFacts of={iteration.hyperparams} />
          </details>
        </div>
      </Section>
      <Section title={`Iteration ${iteration.iteration}: curves`}>
        {iteration.stages.length === 0 ? (
          <p className="note" role="status">
            {iteration.status === 'running'
              ? 'The curves come with the first steps.'
              : 'There are no curves: it ended before its first step.'}
          </p>
        ) : (
          iteration.stages.map((stage) => (
            <StageCurves
              key={stage.method}
              stage={stage}
              name={`${run.id} ${iteration.iteration} ${stage.method}`}
            />
          ))
        )}
      </Section>
      {iteration.answers.length === 0 ? null : (
        <Answers pairs={iteration.answers} datasetId={run.dataset_id} />
      )}
    </>
  );
}

/** Leads to the playground, where the trained model is served. */
function TryIt({ run }: { readonly run: Run }) {
  const isDone = run.status === 'succeeded';
  const models = useModels({ enabled: isDone });
  if (models.error instanceof TunesmithError && models.error.code === 'scope_missing') {
    return <span className="hint">To try it, use a key with the scope responses.</span>;
  }
  if (!isDone || models.data === undefined) return null;
  if (models.data.data.some(({ id }) => id === run.id)) {
    return (
      <a className="button" href={hrefOf(['playground'], { model: run.id })}>
        Try it
      </a>
    );
  }
  return <span className="hint">Not served here: deploy it, then you can try it.</span>;
}

function CancelDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const cancelling = useMutation({
    mutationFn: () =>
      dataOf(
        client.POST('/api/v1/autoscientist/{experiment_id}/cancel', {
          params: { path: { experiment_id: id } },
        }),
      ),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['training', id] }),
        refreshTrainings(queries),
      ]);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Cancel this training?"
      action={cancelling}
      leave="Go on training"
      confirm="Cancel the training"
      confirming="Cancelling …"
      onClose={onClose}
    >
      It ends at once, and a cancelled training has no model to download, also if an iteration was done.
      Reserved credits that were not used return.
    </ConfirmDialog>
  );
}
