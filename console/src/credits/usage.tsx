import type { Schemas } from 'tunesmith';
import { count, credits, plural } from '../format.ts';
import { NumberHead, TableFrame, Time } from '../ui/parts.tsx';
import { answersByModel, axisEnd } from './ledger.ts';

type UsageDay = Schemas['UsageDay'];

/** A day of UTC as `22 Nov`. */
const shortDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayOf = (day: string): string => shortDay.format(new Date(`${day}T00:00:00Z`));

/** The credits billed on each day, stacked: runs below, answers above them. A table says the same. */
export function UsageChart({ usage }: { readonly usage: Schemas['CreditUsage'] }) {
  const { days, total, runs_complete_after: completeAfter } = usage;
  const end = axisEnd(Math.max(...days.map(billedOf)));
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="card stack">
      <figcaption className="line usage-legend">
        <span className="legend-mark mark-runs">
          Runs <strong>{plural(total.runs.credits, 'credit')}</strong>
        </span>
        <span className="legend-mark mark-answers">
          Answers <strong>{credits(total.answers.billed_credits)} credits</strong>
        </span>
      </figcaption>
      <div className="usage" aria-hidden="true">
        <span className="usage-end">{credits(end)}</span>
        <div className="usage-bars">
          {days.map((day) => (
            <div
              key={day.day}
              className="usage-day"
              title={`${dayOf(day.day)}: runs ${count(day.runs.credits)}, answers ${credits(day.answers.billed_credits)}`}
            >
              <div
                className="usage-answers"
                style={{ height: `${(day.answers.billed_credits / end) * 100}%` }}
              />
              <div className="usage-runs" style={{ height: `${(day.runs.credits / end) * 100}%` }} />
            </div>
          ))}
        </div>
        <span className="usage-from">{first === undefined ? '' : dayOf(first.day)}</span>
        <span className="usage-to">{last === undefined ? '' : dayOf(last.day)}</span>
      </div>
      {completeAfter === null ? null : (
        <p className="hint" role="status">
          The ledger has too many entries to read at once: runs that were billed before{' '}
          <Time iso={completeAfter} /> are not counted here. The ledger below has them all.
        </p>
      )}
      <details>
        <summary>The same as a table</summary>
        <DayTable days={days} />
      </details>
    </figure>
  );
}

const billedOf = ({ runs, answers }: UsageDay): number => runs.credits + answers.billed_credits;

function DayTable({ days }: { readonly days: readonly UsageDay[] }) {
  const used = days.filter(({ runs, answers }) => runs.runs > 0 || answers.answers > 0).reverse();
  if (used.length === 0) return <p className="note">On none of these days was anything billed.</p>;
  return (
    <TableFrame label="Usage by day" className="table-wide">
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          <NumberHead>Runs</NumberHead>
          <NumberHead>Credits of runs</NumberHead>
          <NumberHead>Answers</NumberHead>
          <NumberHead>Tokens</NumberHead>
          <NumberHead>Credits of answers</NumberHead>
        </tr>
      </thead>
      <tbody>
        {used.map(({ day, runs, answers }) => (
          <tr key={day}>
            <th scope="row">{dayOf(day)}</th>
            <td className="number">{count(runs.runs)}</td>
            <td className="number">{count(runs.credits)}</td>
            <td className="number">{count(answers.answers)}</td>
            <td className="number">{count(answers.input_tokens + answers.output_tokens)}</td>
            <td className="number">{credits(answers.billed_credits)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

/** What the answers of each model cost, in all and each on average. */
export function AnswersTable({ days }: { readonly days: readonly UsageDay[] }) {
  const models = answersByModel(days);
  if (models.length === 0) {
    return (
      <p className="note">
        No model has answered on these days. <a href="#/playground">Ask one in the playground</a>
      </p>
    );
  }
  return (
    <TableFrame label="Answers by model" className="table-wide">
      <thead>
        <tr>
          <th scope="col">Model</th>
          <NumberHead>Answers</NumberHead>
          <NumberHead>Tokens read</NumberHead>
          <NumberHead>Tokens written</NumberHead>
          <NumberHead>Credits</NumberHead>
          <NumberHead>Credits an answer</NumberHead>
        </tr>
      </thead>
      <tbody>
        {models.map((each) => (
          <tr key={each.model}>
            <th scope="row" dir="auto">
              {each.model}
            </th>
            <td className="number">{count(each.answers)}</td>
            <td className="number">{count(each.input_tokens)}</td>
            <td className="number">{count(each.output_tokens)}</td>
            <td className="number">{credits(each.billed_credits)}</td>
            <td className="number">
              {each.answers === 0 ? '–' : credits(each.billed_credits / each.answers)}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
