import { Fragment } from 'react';
import { count, plural } from '../format.ts';
import { NumberHead, TableFrame } from '../ui/parts.tsx';
import { Whisker, WhiskerScale } from '../ui/whisker.tsx';
import {
  CONTESTS,
  type Comparison,
  type ComparisonRate,
  contestWords,
  rateWords,
  type SeedRate,
  spreadWords,
  totalsOf,
} from './words.ts';

/** The three win rates on one axis, each with those of its seeds. */
export function WinRates({ rates }: { readonly rates: Comparison['win_rates'] }) {
  return (
    <TableFrame label="Win rates of the three models" className="comparison-rates">
      <thead>
        <tr>
          <th scope="col">Model, against</th>
          <th scope="col">
            <span className="visually-hidden">Win rate on an axis from 0 to 100 %</span>
            <WhiskerScale />
          </th>
          <th scope="col">Win rate (95 % interval)</th>
          <NumberHead>Better, tie, worse</NumberHead>
          <NumberHead>Undecided</NumberHead>
          <th scope="col">Measured by</th>
        </tr>
      </thead>
      <tbody>
        {CONTESTS.map(({ of, first, second }) => {
          const rate = rates[of];
          return (
            <Fragment key={of}>
              <tr>
                <th scope="row">
                  {first} <span className="hint">against {second}</span>
                </th>
                {rate === null ? (
                  <td colSpan={5} className="quiet">
                    not compared yet
                  </td>
                ) : (
                  <Contest rate={rate} second={second} />
                )}
              </tr>
              {rate === null || rate.by_seed.length < 2
                ? null
                : rate.by_seed.map((seed) => <Seed key={seed.seed} of={seed} rate={rate} />)}
            </Fragment>
          );
        })}
      </tbody>
    </TableFrame>
  );
}

function Contest({ rate, second }: { readonly rate: ComparisonRate; readonly second: string }) {
  const totals = totalsOf(rate);
  const [only] = rate.by_seed;
  return (
    <>
      <td>
        <Whisker value={rate.value} interval={rate.interval95} target={0.5} />
      </td>
      <td>
        <strong className="nowrap">{rateWords(rate)}</strong>
        <br />
        <span className="hint">{contestWords(rate, second)}</span>
        <br />
        <span className="hint">{spreadWords(rate)}</span>
      </td>
      <Counts of={totals} />
      <td>
        {rate.measure}
        {rate.is_indicative ? ' (few rows)' : ''}
        <br />
        <span className="hint">{plural(rate.rows, 'prompt')}</span>
        {rate.by_seed.length === 1 ? <Reason of={only} /> : null}
      </td>
    </>
  );
}

/** The win rate of one seed, with the interval of its rows alone. */
function Seed({ of, rate }: { readonly of: SeedRate; readonly rate: ComparisonRate }) {
  return (
    <tr className="comparison-seed">
      <th scope="row">Seed {of.seed}</th>
      <td>
        <Whisker value={of.value} interval={of.interval95} target={0.5} />
      </td>
      <td>
        <span className="nowrap">{rateWords(of)}</span>
      </td>
      <Counts of={of} />
      <td>
        <span className="quiet">{rate.measure}</span>
        <Reason of={of} />
      </td>
    </tr>
  );
}

function Counts({
  of: { wins, ties, losses, undecided },
}: {
  readonly of: Pick<SeedRate, 'wins' | 'ties' | 'losses' | 'undecided'>;
}) {
  return (
    <>
      <td className="number">
        {count(wins)}, {count(ties)}, {count(losses)}
      </td>
      <td className="number">{count(undecided)}</td>
    </>
  );
}

/** Why no judge decided, or not all rows. */
function Reason({ of }: { readonly of: SeedRate | undefined }) {
  const reason = of?.likelihood_reason ?? of?.undecided_reason ?? null;
  return reason === null ? null : (
    <>
      <br />
      <span className="hint">{reason}</span>
    </>
  );
}
