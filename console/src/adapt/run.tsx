import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import type { DatasetStatus } from '../datasets/dataset.tsx';
import { useRunReport } from '../datasets/run-report.ts';
import { count, duration, number, plural } from '../format.ts';
import { hrefOf } from '../route.ts';
import { ConfirmDialog, Facts, Failure, Progress, Section, State, Time } from '../ui/parts.tsx';
import { stageWords } from '../ui/stage-words.ts';
import { type Pace, paceOf, type Sighting, withSighting } from './progress.ts';
import { reusedWords } from './reuse.ts';

const CLOCK_MS = 1000;

/** The time, once a second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How fast the rows are done, from the counts that polling brings. */
function usePace({ progress }: DatasetStatus): Pace | null {
  const now = useNow();
  const [sightings, setSightings] = useState<readonly Sighting[]>([]);
  const processed = progress?.processed_rows ?? 0;
  useEffect(() => {
    setSightings((seen) => withSighting(seen, { at: Date.now(), processed }));
  }, [processed]);
  return paceOf(sightings, progress?.total_rows ?? 0, now);
}

/** The active run: how far it is, how fast, how long it takes, and its cancellation. */
export function ActiveRun({
  datasetId,
  status,
  isOwn,
}: {
  readonly datasetId: string;
  readonly status: DatasetStatus;
  /** Whether it was started here a moment ago. */
  readonly isOwn: boolean;
}) {
  const [isAsking, setAsking] = useState(false);
  const [isCancelled, setCancelled] = useState(false);
  const pace = usePace(status);
  const report = useRunReport(datasetId, status.status);
  const focused = useRef<HTMLDivElement>(null);
  // The button that started the run is gone: whoever works by keyboard goes on here.
  useEffect(() => {
    if (isOwn) focused.current?.focus();
  }, [isOwn]);
  const { progress } = status;
  const total = progress?.total_rows ?? 0;
  const isThrough = total > 0 && progress !== null && progress.processed_rows >= total;
  const isFacing = !isThrough && !isCancelled;
  return (
    <Section
      title="Adaptation"
      note="It goes on when you leave this page."
      actions={
        isCancelled ? null : (
          <button type="button" onClick={() => setAsking(true)}>
            Cancel
          </button>
        )
      }
    >
      <div className="card stack" ref={focused} tabIndex={-1}>
        <p role="status">
          {isCancelled
            ? 'The run is being cancelled. What is done is stored.'
            : isThrough
              ? 'All rows are done. The result is put together and graded.'
              : total === 0
                ? 'The run is being prepared.'
                : (stageWords(progress?.stage) ??
                  `${count(progress?.processed_rows ?? 0)} of ${plural(total, 'row')}`)}
        </p>
        <Progress
          label="Rows"
          share={progress === null || total === 0 || isThrough ? null : progress.processed_rows / total}
        />
        <Facts
          of={[
            ['Speed', isFacing && pace !== null ? `${speed(pace.rowsPerSecond)} rows/s` : 'working'],
            ['Time left', isFacing && pace !== null ? `about ${duration(pace.secondsLeft)}` : 'working'],
            ...(report.data == null
              ? []
              : [
                  ['Started', <Time key="started" iso={report.data.started_at} />] as const,
                  ['Reserved', plural(report.data.credits.reserved, 'credit')] as const,
                ]),
          ]}
        />
      </div>
      {isAsking ? (
        <CancelRun
          datasetId={datasetId}
          onClose={() => setAsking(false)}
          onCancelled={() => {
            setAsking(false);
            setCancelled(true);
          }}
        />
      ) : null}
    </Section>
  );
}

/** As exact as it is: 123, 7.5, 0.04. */
function speed(rowsPerSecond: number): string {
  if (rowsPerSecond >= 10) return count(Math.round(rowsPerSecond));
  return number(rowsPerSecond >= 1 ? Math.round(rowsPerSecond * 10) / 10 : rowsPerSecond);
}

function CancelRun(props: {
  readonly datasetId: string;
  readonly onClose: () => void;
  readonly onCancelled: () => void;
}) {
  const { client } = useApi();
  const queries = useQueryClient();
  const cancellation = useMutation({
    mutationFn: () =>
      dataOf(
        client.POST('/api/v1/datasets/{dataset_id}/cancel', {
          params: { path: { dataset_id: props.datasetId } },
        }),
      ),
    onSuccess: props.onCancelled,
    // It may have ended before the request came.
    onSettled: () => queries.invalidateQueries({ queryKey: ['dataset', props.datasetId, 'status'] }),
  });
  return (
    <ConfirmDialog
      title="Cancel this adaptation?"
      action={cancellation}
      leave="Let it go on"
      confirm="Cancel the adaptation"
      confirming="Cancelling …"
      onClose={props.onClose}
    >
      Rows that are done can be downloaded and are charged; the other reserved credits return. It cannot go on
      later, but the dataset can be adapted again.
    </ConfirmDialog>
  );
}

/** How the latest run ended; nothing for a dataset that had none. */
export function LastRun({
  datasetId,
  status,
}: {
  readonly datasetId: string;
  readonly status: DatasetStatus;
}) {
  const report = useRunReport(datasetId, status.status);
  if (report.isError) return <Failure error={report.error} retry={() => report.refetch()} />;
  if (report.data == null || report.data.status === 'running') return null;
  const { rows, credits, error_data: problem, ended_at: ended, run_id: run } = report.data;
  const reused = reusedWords(report.data);
  const toRows = (outcome: string) => hrefOf(['datasets', datasetId, 'rows'], { outcome, run_id: run });
  return (
    <Section
      title="Last adaptation"
      actions={
        <div className="actions">
          <a href={hrefOf(['datasets', datasetId, 'rows'])}>Rows</a>
          <a href={hrefOf(['datasets', datasetId, 'evaluation'])}>Evaluation</a>
        </div>
      }
    >
      <div className="card stack">
        <div className="line">
          <State value={report.data.status} label={report.data.status === 'succeeded' ? 'done' : 'failed'} />
          {ended === null ? null : <Time iso={ended} />}
          {credits.settled === null ? null : (
            <span className="quiet">
              {plural(credits.settled, 'credit')} of {count(credits.reserved)} reserved
            </span>
          )}
        </div>
        {problem === null ? null : (
          <p role="alert" className="notice notice-bad">
            {problem.message}
          </p>
        )}
        {rows === null ? null : (
          <Facts
            of={(
              [
                'changed',
                'kept',
                'dropped',
                'failed',
                'not_selected',
                'expanded',
                'expansion_failed',
              ] as const
            )
              .filter((outcome) => rows[outcome] > 0 || outcome === 'changed' || outcome === 'kept')
              .map((outcome) => [
                OUTCOME_WORDS[outcome],
                <a key={outcome} href={toRows(outcome)}>
                  {count(rows[outcome])}
                </a>,
              ])}
          />
        )}
        {reused === null ? null : <p className="hint">{reused}</p>}
        {(report.data.not_believed ?? []).map(({ witness, message }) => (
          <p className="hint" key={witness}>
            Not believed: {message}
          </p>
        ))}
      </div>
    </Section>
  );
}

const OUTCOME_WORDS = {
  changed: 'Changed',
  kept: 'Kept',
  dropped: 'Dropped',
  failed: 'Failed',
  not_selected: 'Not selected',
  expanded: 'Added',
  expansion_failed: 'Not added',
} as const;
