import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import { hrefOf, useRoute } from '../route.ts';
import { HyperparamFacts } from '../training/hyperparams.tsx';
import { isActive, TRAINING_WORDS } from '../training/words.ts';
import { DatasetLink } from '../ui/dataset-link.tsx';
import {
  ConfirmDialog,
  Facts,
  Failure,
  Loading,
  Page,
  Progress,
  Section,
  State,
  Time,
} from '../ui/parts.tsx';
import { Whisker, WhiskerScale } from '../ui/whisker.tsx';
import { Answers } from './answers.tsx';
import './comparisons.css';
import { Losses } from './losses.tsx';
import { useComparison } from './queries.ts';
import { WinRates } from './win-rates.tsx';
import { answerWords, type Comparison, cautionsOf, measureNote, progressWords, rateWords } from './words.ts';

/** One comparison. The address has the seed whose curves are shown. */
export default function ComparisonPage({ id }: { readonly id: string }) {
  const { query } = useRoute();
  return <OneComparison id={id} seed={query.get('seed')} />;
}

/** How far a comparison is, what it shows, and by what. It polls while it is active. */
export function OneComparison({ id, seed }: { readonly id: string; readonly seed: string | null }) {
  const query = useComparison(id);
  const [isCancelling, setCancelling] = useState(false);
  const trail = [
    { href: '#/trainings', label: 'Training' },
    { href: '#/trainings/comparisons', label: 'Comparisons' },
  ];
  const one = query.data;
  if (one === undefined) {
    return (
      <Page title="Comparison" trail={trail}>
        {query.isError ? (
          <Failure error={query.error} retry={() => query.refetch()} />
        ) : (
          <Loading what="the comparison" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title="Comparison"
      trail={trail}
      actions={
        <>
          <State value={one.status} label={TRAINING_WORDS[one.status]} />
          {isActive(one) ? (
            <button type="button" onClick={() => setCancelling(true)}>
              Cancel
            </button>
          ) : null}
        </>
      }
    >
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {one.error === null ? null : (
        <p className="notice notice-bad" role="alert">
          {one.error}
        </p>
      )}
      {isActive(one) ? <Running of={one} /> : null}
      <Result of={one} />
      <Section
        title="Win rates"
        note="A win rate is the share of held-out prompts on which the first model answers better than the second; a tie counts half. At 50 % they are equal. The spread is the standard deviation over seeds, and the row of a seed has the interval of its prompts alone."
      >
        <WinRates rates={one.win_rates} />
      </Section>
      <Losses comparisonId={id} trainings={one.trainings} seed={seed} />
      {one.answers.length === 0 ? null : <Answers answers={one.answers} datasetId={one.dataset_id} />}
      <Section title="What was compared">
        <div className="card stack">
          <Facts of={factsOf(one)} />
          <details>
            <summary>Hyperparameters of all trainings</summary>
            <HyperparamFacts of={one.hyperparams} />
          </details>
        </div>
      </Section>
      {isCancelling ? <CancelDialog id={id} onClose={() => setCancelling(false)} /> : null}
    </Page>
  );
}

function Running({ of }: { readonly of: Comparison }) {
  const { trainings_completed: done, trainings_total: total } = of;
  return (
    <div className="card stack">
      <p role="status">{progressWords(of)}</p>
      <Progress label="Trainings" share={done === 0 ? null : done / total} />
      <p className="hint">It goes on when you leave this page.</p>
    </div>
  );
}

/** The answer to the question of the comparison, with what has to be known of it. */
function Result({ of }: { readonly of: Comparison }) {
  const { adapted_against_original: rate } = of.win_rates;
  const cautions = cautionsOf(of);
  return (
    <Section title="Did the adaptation make a better model?">
      <div className="card stack">
        <p className="comparison-answer">{answerWords(of)}</p>
        {rate === null ? null : (
          <>
            <div>
              <WhiskerScale />
              <Whisker value={rate.value} interval={rate.interval95} target={0.5} />
            </div>
            <p>
              Win rate of the model trained on adapted rows against the one trained on original rows:{' '}
              <strong className="nowrap">{rateWords(rate)}</strong>.{' '}
              <span className="quiet">{measureNote(rate)}</span>
            </p>
            {cautions.length === 0 ? null : (
              <ul className="comparison-cautions">
                {cautions.map((caution) => (
                  <li key={caution}>{caution}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
    </Section>
  );
}

const factsOf = (one: Comparison): [string, ReactNode][] => [
  ['Dataset', <DatasetLink key="dataset" id={one.dataset_id} />],
  [
    'More',
    <a key="more" href={hrefOf(['datasets', one.dataset_id, 'comparisons'])}>
      Comparisons of the dataset
    </a>,
  ],
  ['Base model', <bdi key="model">{one.model}</bdi>],
  ['Seeds', one.seeds],
  ['Trainings done', `${one.trainings_completed} of ${one.trainings_total}`],
  ['Started', <Time key="started" iso={one.created_at} />],
  ['Ended', one.completed_at === null ? '–' : <Time key="ended" iso={one.completed_at} />],
  ['Adaptation', <code key="run">{one.run_id}</code>],
  ['Id', <code key="id">{one.comparison_id}</code>],
];

function CancelDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const cancelling = useMutation({
    mutationFn: () =>
      dataOf(
        client.POST('/api/v1/autoscientist/comparisons/{comparison_id}/cancel', {
          params: { path: { comparison_id: id } },
        }),
      ),
    onSuccess: onClose,
    // It may have ended before the request came.
    onSettled: () => queries.invalidateQueries({ queryKey: ['comparisons'] }),
  });
  return (
    <ConfirmDialog
      title="Cancel this comparison?"
      action={cancelling}
      leave="Go on comparing"
      confirm="Cancel the comparison"
      confirming="Cancelling …"
      onClose={onClose}
    >
      It ends at once. What is done is kept and shown; the training that is under way is not, and it cannot go
      on later.
    </ConfirmDialog>
  );
}
