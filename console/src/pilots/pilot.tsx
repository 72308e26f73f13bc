import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { dataOf } from 'tunesmith';
import { useApi, usePolling } from '../api.tsx';
import { count, plural } from '../format.ts';
import { hrefOf } from '../route.ts';
import { ConfirmDialog, Facts, Failure, Loading, Progress, Section, State, Time } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import { AdaptWithArm } from './adapt-with-arm.tsx';
import { ArmName, ArmsTable } from './arms-table.tsx';
import { PilotRows } from './rows.tsx';
import {
  type ArmResult,
  adviceOnError,
  CERTAINTY,
  isActive,
  judgeWords,
  NEXT_STEP,
  type Pilot,
  progressWords,
  statusWords,
} from './words.ts';

/** One pilot: how far it is, what it recommends and why, and the adaptation by one of its arms. */
export function OnePilot({ datasetId, pilotId }: { readonly datasetId: string; readonly pilotId: string }) {
  const query = usePilot(datasetId, pilotId);
  const [isCancelling, setCancelling] = useState(false);
  const [chosen, setChosen] = useState<ArmResult | null>(null);
  const pilot = query.data;
  if (pilot === undefined) {
    return query.isError ? (
      <>
        <p>
          <a href={hrefOf(['datasets', datasetId, 'pilots'])}>All pilots</a>
        </p>
        <Failure error={query.error} retry={() => query.refetch()} />
      </>
    ) : (
      <Loading what="the pilot" />
    );
  }
  return (
    <>
      <div className="section-head">
        <p className="line">
          <a href={hrefOf(['datasets', datasetId, 'pilots'])}>All pilots</a>
          <Time iso={pilot.created_at} />
          <State {...statusWords(pilot)} />
        </p>
        {isActive(pilot) ? (
          <button type="button" onClick={() => setCancelling(true)}>
            Cancel
          </button>
        ) : null}
      </div>
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {isActive(pilot) ? <Running pilot={pilot} /> : null}
      {pilot.error === null ? null : <Failed error={pilot.error} />}
      <Recommended pilot={pilot} onAdapt={setChosen} />
      <ArmsTable pilot={pilot} onAdapt={setChosen} />
      <Judge pilot={pilot} />
      <PilotRows pilot={pilot} />
      <Section title="The pilot">
        <div className="card">
          <Facts of={factsOf(pilot)} />
        </div>
      </Section>
      {isCancelling ? <CancelPilot pilot={pilot} onClose={() => setCancelling(false)} /> : null}
      {chosen === null ? null : <AdaptWithArm pilot={pilot} arm={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

/** A pilot, asked for again while it is active, more rarely the longer nothing changes. */
function usePilot(datasetId: string, pilotId: string) {
  const { client } = useApi();
  const refetchInterval = usePolling<Pilot>((pilot) => pilot !== undefined && isActive(pilot));
  return useQuery({
    queryKey: ['pilots', datasetId, pilotId],
    queryFn: async ({ signal }) =>
      // The client's type of an answer forgets that an interval has two ends.
      (await dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/pilots/{pilot_id}', {
          signal,
          params: { path: { dataset_id: datasetId, pilot_id: pilotId } },
        }),
      )) as Pilot,
    refetchInterval,
  });
}

function Running({ pilot }: { readonly pilot: Pilot }) {
  const { rows_done: done, rows_total: total } = pilot.progress;
  const isKnown = total > 0 && done > 0 && done < total;
  return (
    <div className="card stack">
      <p role="status">{progressWords(pilot)}</p>
      <Progress label="Rows" share={isKnown ? done / total : null} />
      <p className="hint">It goes on when you leave this page.</p>
    </div>
  );
}

function Failed({ error }: { readonly error: NonNullable<Pilot['error']> }) {
  const advice = adviceOnError(error.code);
  return (
    <div
      className={`notice ${error.code === 'run_cancelled' ? 'notice-warn' : 'notice-bad'}`}
      role={error.code === 'run_cancelled' ? 'status' : 'alert'}
    >
      <p>
        <MarkedText text={error.message} /> {advice}
      </p>
    </div>
  );
}

function Recommended({
  pilot,
  onAdapt,
}: {
  readonly pilot: Pilot;
  readonly onAdapt: (arm: ArmResult) => void;
}) {
  const { recommendation } = pilot;
  if (recommendation === null) return null;
  const arm = pilot.arms.find((each) => each.arm === recommendation.arm);
  return (
    <Section title="Recommendation">
      <div className="card stack">
        {arm === undefined ? null : (
          <p className="figure">
            <ArmName arm={arm} />
          </p>
        )}
        <p>
          <strong>{CERTAINTY[recommendation.certainty]}.</strong>
        </p>
        <p className="pilot-reason" dir="auto">
          <MarkedText text={recommendation.reason} />
        </p>
        <p className="quiet">{NEXT_STEP[recommendation.certainty]}</p>
        {arm === undefined ? null : (
          <div>
            <button type="button" className="primary" onClick={() => onAdapt(arm)}>
              Adapt the dataset with this arm
            </button>
          </div>
        )}
      </div>
    </Section>
  );
}

function Judge({ pilot: { judge } }: { readonly pilot: Pilot }) {
  if (judge === null) return null;
  return (
    <Section
      title="Who judged"
      note="Checks find answers with defects, in every row. Between two answers without one, a judge decides: a model that compares them blind and in both orders, and is believed only for the kinds of pairs that it gets right."
    >
      {judge.model === null ? (
        <div className="notice notice-warn">
          <p>
            There is no judge, so only the checks decide: rows in which both answers pass them stay undecided.
          </p>
        </div>
      ) : (
        <div className={judge.believed_for.length === 0 ? 'notice notice-warn' : 'card'}>
          <p>
            <strong>
              <MarkedText text={judge.model} />
            </strong>{' '}
            compared the answers. {judgeWords(judge)}
          </p>
        </div>
      )}
    </Section>
  );
}

const factsOf = (pilot: Pilot): [string, ReactNode][] => [
  ['Rows of each arm', count(pilot.sample_rows)],
  ...columnsOf(pilot),
  ['Tokens', count(pilot.arms.reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0))],
  ['Calls of models', count(pilot.arms.reduce((sum, { tokens }) => sum + tokens.calls, 0))],
  ['Started', <Time key="started" iso={pilot.created_at} />],
  ['Ended', pilot.ended_at === null ? '–' : <Time key="ended" iso={pilot.ended_at} />],
  ['Reserved', plural(pilot.credits_reserved, 'credit')],
  ['Charged', pilot.credits_charged === null ? '–' : plural(pilot.credits_charged, 'credit')],
  ['Id', <code key="id">{pilot.pilot_id}</code>],
];

const ROLE_WORDS = {
  prompt: 'Prompts',
  completion: 'Answers',
  chat: 'Conversations',
  image: 'Images',
  context: 'Context',
  universal_prompt: 'Instruction for all rows',
} as const;

const columnsOf = ({ column_mapping: mapping }: Pilot): [string, ReactNode][] =>
  Object.entries(ROLE_WORDS).flatMap(([role, label]): [string, ReactNode][] => {
    const value = mapping[role as keyof typeof ROLE_WORDS];
    if (value === undefined || value.length === 0) return [];
    const text = typeof value === 'string' ? value : value.join(', ');
    return [
      [
        label,
        <bdi key={role}>
          <MarkedText text={text} />
        </bdi>,
      ],
    ];
  });

function CancelPilot({ pilot, onClose }: { readonly pilot: Pilot; readonly onClose: () => void }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const { dataset_id, pilot_id } = pilot;
  const cancellation = useMutation({
    mutationFn: () =>
      dataOf(
        client.POST('/api/v1/datasets/{dataset_id}/pilots/{pilot_id}/cancel', {
          params: { path: { dataset_id, pilot_id } },
        }),
      ),
    onSuccess: onClose,
    // It may have ended before the request came.
    onSettled: () => queries.invalidateQueries({ queryKey: ['pilots', dataset_id] }),
  });
  return (
    <ConfirmDialog
      title="Cancel this pilot?"
      action={cancellation}
      leave="Let it go on"
      confirm="Cancel the pilot"
      confirming="Cancelling …"
      onClose={onClose}
    >
      Rows that are done are shown and charged; the other reserved credits return. There is no recommendation,
      and it cannot go on later.
    </ConfirmDialog>
  );
}
