import type { Schemas } from 'tunesmith';
import { count, duration, number } from '../format.ts';
import { NumberHead, TableFrame } from '../ui/parts.tsx';
import { Plot } from '../ui/plot.tsx';
import { type Curves, curvesOf, tableSteps } from './curves.ts';
import { METHOD_WORDS, valueWords } from './words.ts';

const LOSS_DIGITS = 3;
const loss = (value: number): string => value.toFixed(LOSS_DIGITS);
const shown = (value: number | null | undefined, format: (value: number) => string): string =>
  value == null ? '–' : format(value);

/** The curves of a stage: losses and learning rate over the steps, and the same as a table. */
export function StageCurves({
  stage,
  name,
}: {
  readonly stage: Schemas['StageMetrics'];
  readonly name: string;
}) {
  const curves = curvesOf(stage);
  if (curves.steps.length === 0) return <p className="note">The first losses come after a few steps.</p>;
  const hasRates = curves.learningRate.some((rate) => rate !== null);
  const planned = stage.steps_planned === null ? '' : ` of ${count(stage.steps_planned)}`;
  return (
    <div className="card stack">
      <p className="quiet">
        Trains for {METHOD_WORDS[stage.method]}. {count(stage.steps)}
        {planned} steps in {duration(stage.seconds)}.
      </p>
      <div className="columns">
        <figure className="stack">
          <figcaption>
            <h3>Loss</h3>
          </figcaption>
          <Plot
            label={lossWords(curves)}
            xLabel="step"
            x={curves.steps}
            sync={name}
            lines={[
              { label: 'on training rows', color: '--accent', values: curves.training, format: loss },
              {
                label: 'on held-out rows',
                color: '--warn',
                values: curves.heldOut,
                hasDots: true,
                format: loss,
              },
            ]}
          />
        </figure>
        {hasRates ? (
          <figure className="stack">
            <figcaption>
              <h3>Learning rate</h3>
            </figcaption>
            <Plot
              label={`Learning rate over ${count(stage.steps)} steps. The table below has its values.`}
              xLabel="step"
              x={curves.steps}
              sync={name}
              lines={[
                {
                  label: 'learning rate',
                  color: '--accent',
                  values: curves.learningRate,
                  format: valueWords,
                },
              ]}
            />
          </figure>
        ) : null}
      </div>
      <details>
        <summary>The same as a table</summary>
        <CurvesTable curves={curves} hasRates={hasRates} />
      </details>
    </div>
  );
}

/** How the losses went, in a sentence. */
function lossWords({ training, heldOut }: Curves): string {
  const ends = (values: readonly (number | null)[]): string => {
    const known = values.filter((value) => value !== null);
    const [first] = known;
    const last = known.at(-1);
    return first === undefined || last === undefined
      ? 'is not known'
      : `from ${number(first)} to ${number(last)}`;
  };
  return `Loss on training rows ${ends(training)}, on held-out rows ${ends(heldOut)}. The table below has the values.`;
}

function CurvesTable({ curves, hasRates }: { readonly curves: Curves; readonly hasRates: boolean }) {
  return (
    <TableFrame label="Losses by step" className="table-short">
      <thead>
        <tr>
          <th scope="col">Step</th>
          <NumberHead>Loss, training rows</NumberHead>
          <NumberHead>Loss, held-out rows</NumberHead>
          {hasRates ? <NumberHead>Learning rate</NumberHead> : null}
        </tr>
      </thead>
      <tbody>
        {tableSteps(curves).map((at) => (
          <tr key={curves.steps[at]}>
            <th scope="row">{count(curves.steps[at] ?? 0)}</th>
            <td className="number">{shown(curves.training[at], loss)}</td>
            <td className="number">{shown(curves.heldOut[at], loss)}</td>
            {hasRates ? <td className="number">{shown(curves.learningRate[at], valueWords)}</td> : null}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
