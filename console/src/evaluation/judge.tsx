import { useQuery } from '@tanstack/react-query';
import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import { count, number, percent, plural } from '../format.ts';
import { hrefOf } from '../route.ts';
import { Facts, Section, State } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import { NumberTable } from './number-table.tsx';
import type { Grading, Judge as JudgeFigures } from './raw-results.ts';

const share = (value: number | null): string => (value === null ? '–' : percent(value));

/** Who compared the answers and how often it is right, and what programs measured. */
export function Judge({
  datasetId,
  judge,
  rates,
  length,
}: {
  readonly datasetId: string;
  readonly judge: JudgeFigures | null;
  readonly rates: Grading['rates'];
  readonly length: Grading['length'];
}) {
  return (
    <>
      <Section
        title="Who judged"
        note="A judge is a model that compares two answers. It is measured on pairs whose better answer is known, and believed only for the kinds of pairs that it gets right."
      >
        {judge?.model == null ? (
          <p>No judge was asked. Programs alone decided.</p>
        ) : (
          <AskedJudge datasetId={datasetId} judge={judge} model={judge.model} />
        )}
        {length === null || length.pairs === null || length.pairs === 0 ? null : (
          <Comparisons length={length} />
        )}
      </Section>
      <Measured rates={rates} />
    </>
  );
}

/** The judge of a run: what it is believed for, and how often it is right. */
function AskedJudge({
  datasetId,
  judge,
  model,
}: {
  readonly datasetId: string;
  readonly judge: JudgeFigures;
  readonly model: string;
}) {
  return (
    <>
      {judge.believedFor.length === 0 ? (
        <div className="notice notice-warn">
          <p>
            <strong>No trusted judge.</strong> <MarkedText text={model} /> is right too rarely to be believed
            for any kind of pair. Programs alone decided.
          </p>
        </div>
      ) : (
        <p>
          <strong>
            <MarkedText text={model} />
          </strong>{' '}
          is believed for pairs of the kinds {judge.believedFor.join(', ')}. For all others, programs alone
          decided.
        </p>
      )}
      <NoTrustedJudge datasetId={datasetId} />
      <div className="card stack">
        <Facts
          of={[
            ['Right on all pairs', share(judge.pairAgreement)],
            [
              'Prefers the first answer',
              judge.positionBias === null ? '–' : `${percent(0.5 + judge.positionBias)} (50 % is fair)`,
            ],
            ['Prefers the longer answer', share(judge.longerNamed)],
            ...(judge.agreement === null
              ? []
              : ([
                  [
                    'Right on single answers',
                    `${percent(judge.agreement)}${judge.agreementLow === null ? '' : `, at least ${percent(judge.agreementLow)}`}`,
                  ],
                ] as const)),
          ]}
        />
        {judge.kinds.length === 0 ? null : <Kinds judge={judge} />}
      </div>
    </>
  );
}

function Measured({ rates }: Pick<Grading, 'rates'>) {
  return (
    <Section
      title="Measured by programs"
      note="Checks read the form that a prompt asks for and look for defects. How many they miss is measured on rows whose right answers are known, and the score is corrected for it."
    >
      <div className="card">
        <Facts
          of={[
            ['Defects that the checks find', hits(rates.sensitivity)],
            ['Good answers that they leave alone', hits(rates.specificity)],
            [
              'Measured with',
              rates.model === null
                ? '–'
                : `${rates.model}${rates.rows === null ? '' : `, ${plural(rates.rows, 'row')}`}`,
            ],
            ['Answers of this run by', rates.answerModel ?? '–'],
            [
              'Judge and author',
              rates.isSameModel === null
                ? '–'
                : rates.isSameModel
                  ? 'the same model, which prefers its own style'
                  : 'different models',
            ],
          ]}
        />
      </div>
    </Section>
  );
}

const hits = (of: readonly [number, number] | null): string =>
  of === null || of[1] === 0 ? '–' : `${percent(of[0] / of[1])} (${count(of[0])} of ${count(of[1])})`;

function Kinds({ judge }: { readonly judge: JudgeFigures }) {
  return (
    <>
      <NumberTable
        caption="The judge by kind of pair"
        head={['Kind of pair', 'Pairs', 'Right', 'At least', 'Accepts a worse answer', 'At most', 'Believed']}
      >
        {judge.kinds.map((kind) => (
          <tr key={kind.kind}>
            <th scope="row">{kind.kind}</th>
            <td className="number">{kind.pairs === null ? '–' : count(kind.pairs)}</td>
            <td className="number">{share(kind.accuracy)}</td>
            <td className="number">{share(kind.accuracyLow)}</td>
            <td className="number">{share(kind.falseAcceptance)}</td>
            <td className="number">{share(kind.falseAcceptanceHigh)}</td>
            <td className="number">
              <State value={kind.isBelieved ? 'succeeded' : 'idle'} label={kind.isBelieved ? 'yes' : 'no'} />
            </td>
          </tr>
        ))}
      </NumberTable>
      <p className="hint">
        Believed is a judge that is right in more than 70 % even at the lower bound of its 95 % interval. To
        put a new answer in the place of an original, it may accept a worse one in 30 % at most, even at the
        upper bound.
      </p>
    </>
  );
}

function Comparisons({ length }: { readonly length: NonNullable<Grading['length']> }) {
  const { pairs, winRate, winRateCorrected, winRateAtEqualLength: equal, interval, reason } = length;
  return (
    <div className="card stack">
      <h3>Comparisons of this run</h3>
      <Facts
        of={[
          ['Pairs that the judge decided', pairs === null ? '–' : count(pairs)],
          ['New answers that won', share(winRate)],
          ['Corrected for its errors', share(winRateCorrected)],
          [
            'At equal length',
            equal === null
              ? '–'
              : `${percent(equal)}${interval === null ? '' : ` (95 %: ${number(interval[0] * 100)} to ${percent(interval[1])})`}`,
          ],
        ]}
      />
      {reason === null ? null : (
        <p className="hint">
          <MarkedText text={reason} />
        </p>
      )}
    </div>
  );
}

/** How many rows stayed because no judge could say whether a new text is better. */
function NoTrustedJudge({ datasetId }: { readonly datasetId: string }) {
  const { client } = useApi();
  const rows = useQuery({
    queryKey: ['rows-without-judge', datasetId],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/rows', {
          signal,
          params: { path: { dataset_id: datasetId }, query: { code: 'no_trusted_judge', limit: 1 } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // What is said here is an addition: where it cannot be had, the rest of the page stands.
  const matching = rows.data?.matching ?? 0;
  return matching === 0 ? null : (
    <p>
      {plural(matching, 'row')} stayed as they were because no believed judge can say whether a new text of a
      good answer is better.{' '}
      <a href={hrefOf(['datasets', datasetId, 'rows'], { code: 'no_trusted_judge' })}>Show them</a>
    </p>
  );
}
