import type { Schemas } from 'tunesmith';
import { count } from '../format.ts';
import { hrefOf } from '../route.ts';
import { NumberHead, State, TableFrame } from '../ui/parts.tsx';
import { Whisker, WhiskerScale } from '../ui/whisker.tsx';
import { measureWords, PHASE_WORDS, verdictWords, winRateWords } from './words.ts';

type Metrics = Schemas['TrainingMetrics'];
type Iteration = Schemas['IterationMetrics'];

/** The win rates of all iterations on one axis: a dot each, its 95 % interval as a whisker, the target as a line. */
export function WinRates({ metrics, chosen }: { readonly metrics: Metrics; readonly chosen: number | null }) {
  return (
    <TableFrame label="Iterations and their win rates" className="win-rates">
      <thead>
        <tr>
          <th scope="col">Iteration</th>
          <th scope="col">
            <span className="visually-hidden">Win rate on an axis from 0 to 100 %</span>
            <WhiskerScale target={metrics.target_win_rate} />
          </th>
          <th scope="col">Win rate (95 % interval)</th>
          <th scope="col">State</th>
          <NumberHead>Better, tie, worse</NumberHead>
          <th scope="col">Measured by</th>
        </tr>
      </thead>
      <tbody>
        {metrics.iterations.map((each) => (
          <tr key={each.iteration} className={each.iteration === chosen ? 'row-chosen' : undefined}>
            <th scope="row" className="nowrap">
              <a
                href={hrefOf(['trainings', metrics.experiment_id], { iteration: each.iteration })}
                {...(each.iteration === chosen ? { 'aria-current': 'true' as const } : {})}
              >
                Iteration {each.iteration}
              </a>
              {each.iteration === metrics.best_iteration ? <span className="quiet"> best</span> : null}
            </th>
            <td>
              <Whisker
                value={each.win_rate?.value ?? null}
                interval={each.win_rate?.interval95 ?? null}
                target={metrics.target_win_rate}
              />
            </td>
            <td>
              {each.win_rate === null ? (
                '–'
              ) : (
                <>
                  <span className="nowrap">{winRateWords(each.win_rate)}</span>
                  <br />
                  <span className="hint">{verdictWords(each.win_rate, metrics.target_win_rate)}</span>
                </>
              )}
            </td>
            <td>
              <IterationState iteration={each} />
            </td>
            <td className="number">
              {each.win_rate === null
                ? '–'
                : `${count(each.win_rate.wins)}, ${count(each.win_rate.ties)}, ${count(each.win_rate.losses)}`}
            </td>
            <td>{each.win_rate === null ? '–' : measuredBy(each.win_rate)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

const measuredBy = ({ measure, judge, is_indicative: few }: Schemas['ShownWinRate']): string =>
  `${measure === 'judge' ? (judge ?? 'a judge') : 'likelihood'}${few ? ' (few rows)' : ''}`;

const TONES = {
  running: 'running',
  completed: 'succeeded',
  diverged: 'failed',
  failed: 'failed',
  stopped: 'cancelled',
} as const;

/** The state of a training with what it does now. */
export function IterationState({
  iteration: { status, phase },
}: {
  readonly iteration: Pick<Iteration, 'status' | 'phase'>;
}) {
  return (
    <>
      <State value={TONES[status]} label={status} />
      {phase === null ? null : <div className="hint">{PHASE_WORDS[phase]}</div>}
    </>
  );
}

/** What the numbers of the table mean, and who measured them. */
export function winRateNote(metrics: Metrics): string {
  const of = metrics.iterations.find(({ iteration }) => iteration === metrics.best_iteration) ?? null;
  const latest =
    of?.win_rate ?? metrics.iterations.find(({ win_rate: rate }) => rate !== null)?.win_rate ?? null;
  const meaning =
    'The win rate is the share of held-out rows on which the trained model does better than the base model; a tie counts half. The dashed line is the target.';
  if (latest === null) return meaning;
  const why = of?.likelihood_reason == null ? '' : ` No judge decided: ${of.likelihood_reason}`;
  return `${meaning} ${measureWords(latest)}${why}`;
}
