import { useQuery } from '@tanstack/react-query';
import { dataOf, type Schemas } from 'tunesmith';
import { pollMilliseconds, useApi } from '../api.tsx';
import type { DatasetRecord, DatasetStatus } from '../datasets/dataset.tsx';
import { count, number, percent, plural } from '../format.ts';
import { hrefOf } from '../route.ts';
import { Empty, Facts, Failure, Loading, Progress, Section, State, Time } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import { type Whisker, Whiskers } from './charts.tsx';
import { CustomEvals } from './custom-evals.tsx';
import { Judge } from './judge.tsx';
import { NumberTable } from './number-table.tsx';
import { type ExpectedRows, type Grading, readGrading } from './raw-results.ts';
import { SampleScores } from './sample-scores.tsx';
import { scaleAround } from './scales.ts';
import './evaluation.css';

type EvaluationRecord = Schemas['Evaluation'];
type Quality = NonNullable<EvaluationRecord['quality']>;

interface EvaluationProps {
  readonly dataset: DatasetRecord;
  readonly status: DatasetStatus;
}

/** How good a dataset is before and after its run, and who says so. */
export default function Evaluation({ dataset, status }: EvaluationProps) {
  const id = dataset.dataset_id;
  const { client } = useApi();
  const evaluation = useQuery({
    queryKey: ['dataset', id, 'evaluation', status.status],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/evaluation', {
          signal,
          params: { path: { dataset_id: id } },
        }),
      ),
    refetchInterval: ({ state }) =>
      pollMilliseconds(
        state.data?.status === 'running' || state.data?.status === 'pending',
        // It has no progress of its own: what is asked again brings nothing until it has ended.
        state.dataUpdateCount,
      ),
  });
  if (evaluation.isError) return <Failure error={evaluation.error} retry={() => evaluation.refetch()} />;
  if (evaluation.data === undefined) return <Loading what="the evaluation" />;
  const { quality, raw_results: raw, history } = evaluation.data;
  const grading = raw === null ? null : readGrading(raw);
  return (
    <>
      <Notice id={id} evaluation={evaluation.data} />
      {quality === null || grading === null ? null : <Graded id={id} quality={quality} grading={grading} />}
      {grading === null || grading.unscored.length === 0 ? null : (
        <Unscored id={id} rows={grading.unscored} />
      )}
      <History id={id} runs={history} />
      {quality === null && history.length === 0 ? null : <CustomEvals datasetId={id} />}
    </>
  );
}

/** Says where the evaluation stands, unless it has ended with a grade. */
function Notice({ id, evaluation }: { readonly id: string; readonly evaluation: EvaluationRecord }) {
  switch (evaluation.status) {
    case 'pending':
      return (
        <Empty title="No grade yet">
          <p>
            Every run ends with an evaluation. It estimates how many answers are right, well written and in
            the form that their prompts ask for, before and after.
          </p>
          <a className="button primary" href={hrefOf(['datasets', id, 'adapt'])}>
            Adapt this dataset
          </a>
        </Empty>
      );
    case 'running':
      return (
        <div className="card stack" role="status">
          <span>A sample of the rows is graded …</span>
          <Progress label="Grading" share={null} />
        </div>
      );
    case 'failed':
      return (
        <div className="notice notice-bad" role="alert">
          <p>
            The evaluation failed. The rows of the run are not affected: they can be looked at, downloaded and
            trained on.
          </p>
        </div>
      );
    case 'skipped':
      return (
        <div className="notice notice-warn" role="status">
          <p>
            This dataset has no grade: no row could be scored, or no adaptation has made it. Adapt it to get a
            grade.
          </p>
        </div>
      );
    default:
      return null;
  }
}

/** The lowest score of each grade (docs/grades.md). */
const GRADE_TICKS = [
  { at: 0, label: '0' },
  { at: 4, label: '4 D' },
  { at: 6, label: '6 C' },
  { at: 7.5, label: '7.5 B' },
  { at: 9, label: '9 A' },
  { at: 10, label: '10' },
];

function Graded({
  id,
  quality,
  grading,
}: {
  readonly id: string;
  readonly quality: Quality;
  readonly grading: Grading;
}) {
  const { score_before: before, score_after: after } = quality;
  const whiskers: Whisker[] = [
    ...(before === null
      ? []
      : [{ label: 'Before', value: before, interval: grading.intervalBefore, tone: 'quiet' as const }]),
    ...(after === null ? [] : [{ label: 'After', value: after, interval: grading.intervalAfter }]),
  ];
  const { difference, intervalDifference } = grading;
  const holdsZero = intervalDifference !== null && intervalDifference[0] <= 0 && intervalDifference[1] >= 0;
  return (
    <>
      <Section title="Grade" note="A score of 10 means that all answers are right. Intervals cover 95 %.">
        <div className="columns">
          <div className="card stack">
            <div className="grades">
              <Grade label="Before" grade={quality.grade_before} />
              <span className="grades-arrow" aria-hidden="true">
                →
              </span>
              <Grade label="After" grade={quality.grade_after} />
            </div>
            <Facts
              of={[
                ['Score before', before === null ? 'no answers' : number(before)],
                ['Score after', after === null ? '–' : number(after)],
                [
                  'Improvement',
                  quality.improvement_percent === null ? '–' : `${number(quality.improvement_percent)} %`,
                ],
                [
                  'Better than',
                  quality.percentile_after === null
                    ? 'the first dataset here'
                    : `${number(quality.percentile_after)} % of the datasets here`,
                ],
              ]}
            />
          </div>
          <div className="card stack">
            <Whiskers title="Scores before and after" scale={[0, 10]} ticks={GRADE_TICKS} of={whiskers} />
            {difference === null ? null : (
              <>
                <Difference value={difference} interval={intervalDifference} />
                <p className="hint">
                  {holdsZero
                    ? 'The interval of the difference holds 0: the run may have changed nothing for better or worse.'
                    : difference > 0
                      ? 'The whole interval of the difference is above 0: the answers got better.'
                      : 'The whole interval of the difference is below 0: the answers got worse.'}
                </p>
              </>
            )}
          </div>
        </div>
      </Section>
      <Effect grading={grading} />
      <Judge datasetId={id} judge={grading.judge} rates={grading.rates} length={grading.length} />
      <SampleScores datasetId={id} grading={grading} />
    </>
  );
}

function Grade({ label, grade }: { readonly label: string; readonly grade: string | null }) {
  return (
    <div>
      <span className="grade">{grade ?? '–'}</span>
      <span className="quiet">{label}</span>
    </div>
  );
}

function Difference({
  value,
  interval,
}: {
  readonly value: number;
  readonly interval: Grading['intervalDifference'];
}) {
  const scale = scaleAround([value, ...(interval ?? [])]);
  return (
    <Whiskers
      title="After less before"
      scale={scale}
      ticks={[scale[0], 0, scale[1]].map((at) => ({ at, label: at > 0 ? `+${at}` : String(at) }))}
      of={[{ label: 'Difference', value, interval, tone: value < 0 ? 'bad' : 'good' }]}
    />
  );
}

const FATES = [
  { name: 'got_better', label: 'Got better' },
  { name: 'got_worse', label: 'Got worse' },
  { name: 'undecided', label: 'Changed, as right as before' },
  { name: 'unchanged', label: 'Not changed' },
] as const;

const hundred = (share: number): number => Math.round(share * 1000) / 10;

function shareOf(label: string, rows: ExpectedRows | null, tone: Whisker['tone']): Whisker[] {
  if (rows === null) return [];
  const { share, interval } = rows;
  return [
    {
      label,
      value: hundred(share),
      interval: interval === null ? null : [hundred(interval[0]), hundred(interval[1])],
      ...(tone === undefined ? {} : { tone }),
    },
  ];
}

/** What the run gained, and what it cost: the rows that got worse stand beside those that got better. */
function Effect({ grading }: { readonly grading: Grading }) {
  const { rows, edits, sample } = grading;
  const fates = FATES.filter(({ name }) => rows[name] !== null);
  if (fates.length === 0) return null;
  return (
    <Section
      title="What the run did to the answers"
      note={
        sample.sampled === null || sample.population === null
          ? undefined
          : `Estimated from a sample of ${plural(sample.sampled, 'row')} out of ${count(sample.population)}.`
      }
    >
      <div className="columns">
        <div className="card stack">
          <Whiskers
            title="Share of rows that got better and worse, in percent"
            scale={[0, 100]}
            unit=" %"
            ticks={[0, 25, 50, 75, 100].map((at) => ({ at, label: `${at} %` }))}
            of={[
              ...shareOf('Got better', rows.got_better, 'good'),
              ...shareOf('Got worse', rows.got_worse, 'bad'),
            ]}
          />
          <NumberTable caption="Rows of the sample" head={['Answers', 'Rows', 'Share', '95 % interval']}>
            {fates.map(({ name, label }) => {
              const of = rows[name];
              return of === null ? null : (
                <tr key={name}>
                  <th scope="row">{label}</th>
                  <td className="number">{number(of.rows)}</td>
                  <td className="number">{percent(of.share)}</td>
                  <td className="number">
                    {of.interval === null ? '–' : `${percent(of.interval[0])} to ${percent(of.interval[1])}`}
                  </td>
                </tr>
              );
            })}
          </NumberTable>
        </div>
        {edits.length === 0 ? null : (
          <div className="card stack">
            <h3>Kinds of edits</h3>
            <NumberTable caption="Kinds of edits" head={['Edit', 'Rows', 'Right, as measured']}>
              {edits.map(({ kind, rows: of, precision }) => (
                <tr key={kind}>
                  <th scope="row">{kind}</th>
                  <td className="number">{count(of)}</td>
                  <td className="number">{percent(precision)}</td>
                </tr>
              ))}
            </NumberTable>
            <p className="hint">
              A changed answer passes the checks, because it was taken for that. It counts by the share of
              right answers among measured edits of its kind.
            </p>
          </div>
        )}
      </div>
    </Section>
  );
}

const UNSCORED_SHOWN = 20;

function Unscored({ id, rows }: { readonly id: string; readonly rows: Grading['unscored'] }) {
  return (
    <Section title="Rows that could not be scored">
      <ul className="plain-list">
        {rows.slice(0, UNSCORED_SHOWN).map(({ row, message }) => (
          <li key={row}>
            <a href={hrefOf(['datasets', id, 'rows'], { row })}>Row {count(row)}</a>{' '}
            <MarkedText text={message} />
          </li>
        ))}
      </ul>
      {rows.length > UNSCORED_SHOWN ? (
        <p className="hint">And {count(rows.length - UNSCORED_SHOWN)} more.</p>
      ) : null}
    </Section>
  );
}

function History({ id, runs }: { readonly id: string; readonly runs: EvaluationRecord['history'] }) {
  if (runs.length === 0) return null;
  return (
    <Section title="Other runs">
      <NumberTable caption="Grades of the other runs" head={['Started', 'State', 'Before', 'After', 'Rows']}>
        {runs.map(({ run_id: run, status, quality, started_at: started }) => (
          <tr key={run}>
            <th scope="row">
              <Time iso={started} />
            </th>
            <td className="number">
              <State value={status} />
            </td>
            <td className="number">{gradeWords(quality?.grade_before, quality?.score_before)}</td>
            <td className="number">{gradeWords(quality?.grade_after, quality?.score_after)}</td>
            <td className="number">
              <a href={hrefOf(['datasets', id, 'rows'], { run_id: run })}>Rows</a>
            </td>
          </tr>
        ))}
      </NumberTable>
    </Section>
  );
}

const gradeWords = (grade: string | null | undefined, score: number | null | undefined): string =>
  grade == null || score == null ? '–' : `${grade}, ${number(score)}`;
