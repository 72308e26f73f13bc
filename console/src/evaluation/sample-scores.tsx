import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api.tsx';
import { count, number, plural, signed, words } from '../format.ts';
import { hrefOf } from '../route.ts';
import { Failure, Loading, Section } from '../ui/parts.tsx';
import { Histogram, type Whisker, Whiskers, withInterval } from './charts.tsx';
import { NumberTable } from './number-table.tsx';
import type { Grading, Scores } from './raw-results.ts';
import { binsOf, extremesOf, type ScoredRow } from './scales.ts';
import { readScoredRows, type ScoredRows } from './scored-rows.ts';

const TEN = [0, 2, 4, 6, 8, 10].map((at) => ({ at, label: String(at) }));

/** The scores of single answers: criteria side by side, how they spread, and the rows at both ends. */
export function SampleScores({
  datasetId,
  grading,
}: {
  readonly datasetId: string;
  readonly grading: Grading;
}) {
  const { before, after, judge, scoreDifference } = grading;
  if (after === null) return null;
  const isJudged = judge?.scoresAreTrusted === true;
  const whiskers: Whisker[] = [
    ...(before === null ? [] : [whisker('Before', before, 'quiet')]),
    whisker('After', after, 'accent'),
  ];
  return (
    <Section
      title="Scores of single answers"
      note={
        isJudged
          ? 'Judged: the judge scored each answer of the sample alone. These scores do not make the grade, because they do not show harm.'
          : 'Measured: no judge is trusted with single answers, so that programs scored each answer of the sample. These scores do not make the grade, because they do not show harm.'
      }
    >
      <div className="columns">
        <div className="card stack">
          <Whiskers title="Mean score of single answers" scale={[0, 10]} ticks={TEN} of={whiskers} />
          <p className="hint">
            {scoreDifference === null
              ? 'There is no difference to tell'
              : `Difference ${withInterval({ value: scoreDifference.mean, interval: scoreDifference.interval })}`}
            {after.n === null ? '' : `, over ${plural(after.n, 'row')}`}.
          </p>
        </div>
        {after.criteria.size === 0 ? null : (
          <div className="card stack">
            <h3>Criteria, 0 to 10</h3>
            <NumberTable caption="Criteria" head={['Criterion', 'Before', 'After', 'Difference']}>
              {[...after.criteria].map(([name, score]) => {
                const was = before?.criteria.get(name) ?? null;
                return (
                  <tr key={name}>
                    <th scope="row">{words(name)}</th>
                    <td className="number">{was === null ? '–' : number(was)}</td>
                    <td className="number">{number(score)}</td>
                    <td className="number">{was === null ? '–' : signed(score - was)}</td>
                  </tr>
                );
              })}
            </NumberTable>
          </div>
        )}
      </div>
      <ByRow datasetId={datasetId} />
    </Section>
  );
}

const whisker = (label: string, { mean, interval }: Scores, tone: NonNullable<Whisker['tone']>): Whisker => ({
  label,
  value: mean,
  interval,
  tone,
});

/** Reads the scores of the rows when it is asked to: they come with the texts of the rows. */
function ByRow({ datasetId }: { readonly datasetId: string }) {
  const { client } = useApi();
  const [isWanted, setWanted] = useState(false);
  const scored = useQuery({
    queryKey: ['scored-rows', datasetId],
    queryFn: ({ signal }) => readScoredRows(client, datasetId, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (scored.isError) return <Failure error={scored.error} retry={() => scored.refetch()} />;
  if (scored.data !== undefined) return <Spread datasetId={datasetId} scored={scored.data} />;
  if (isWanted) return <Loading what="the scores of the rows" />;
  return (
    <div className="line">
      <button type="button" onClick={() => setWanted(true)}>
        Show how the scores spread, and the rows that gained and lost most
      </button>
    </div>
  );
}

const EXTREMES = 8;

function Spread({ datasetId, scored }: { readonly datasetId: string; readonly scored: ScoredRows }) {
  const { rows, read, sampled } = scored;
  const before = rows.map((row) => row.before);
  const after = rows.map((row) => row.after);
  const most = Math.max(...binsOf(before), ...binsOf(after));
  const { gained, lost } = extremesOf(rows, EXTREMES);
  return (
    <>
      {read < sampled ? (
        <p className="hint" role="status">
          The evaluation sampled {plural(sampled, 'row')}. This page shows the first {count(read)} of them.
        </p>
      ) : null}
      {rows.length === 0 ? (
        <p>No row has scores before and after.</p>
      ) : (
        <>
          <figure className="card stack">
            <figcaption>
              <h3>Rows by score, of {plural(rows.length, 'scored row')}</h3>
            </figcaption>
            <Histogram title="Scores before" label="Before" scores={before} tone="quiet" most={most} />
            <Histogram title="Scores after" label="After" scores={after} tone="accent" most={most} />
          </figure>
          <div className="columns">
            <Extremes title="Gained most" datasetId={datasetId} rows={gained} />
            <Extremes title="Lost most" datasetId={datasetId} rows={lost} />
          </div>
        </>
      )}
    </>
  );
}

function Extremes(props: {
  readonly title: string;
  readonly datasetId: string;
  readonly rows: readonly ScoredRow[];
}) {
  return (
    <div className="card stack">
      <h3>{props.title}</h3>
      {props.rows.length === 0 ? (
        <p className="quiet">No row</p>
      ) : (
        <NumberTable caption={props.title} head={['Row', 'Before', 'After', 'Difference']}>
          {props.rows.map(({ row, before, after }) => (
            <tr key={row}>
              <th scope="row">
                <a href={hrefOf(['datasets', props.datasetId, 'rows'], { row })}>Row {count(row)}</a>
              </th>
              <td className="number">{number(before)}</td>
              <td className="number">{number(after)}</td>
              <td className="number">{signed(after - before)}</td>
            </tr>
          ))}
        </NumberTable>
      )}
    </div>
  );
}
