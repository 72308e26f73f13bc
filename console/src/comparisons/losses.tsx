import { count } from '../format.ts';
import { hrefOf } from '../route.ts';
import { StageCurves } from '../training/loss.tsx';
import { IterationState } from '../training/win-rates.tsx';
import { NumberHead, Section, TableFrame } from '../ui/parts.tsx';
import {
  type ComparisonTraining,
  heldOutWords,
  lossWords,
  SIDE_WORDS,
  seedsOf,
  shownSeed,
  stepsOf,
} from './words.ts';

interface LossesProps {
  readonly comparisonId: string;
  readonly trainings: readonly ComparisonTraining[];
  /** The seed whose curves are asked for; null for one that fits. */
  readonly seed: string | null;
}

/** The losses of all trainings, and the curves of one seed. */
export function Losses({ comparisonId, trainings, seed }: LossesProps) {
  const chosen = shownSeed(trainings, seed);
  if (chosen === null) return null;
  const several = seedsOf(trainings).length > 1;
  const drawn = trainings.filter((each) => each.seed === chosen && each.stages.length > 0);
  return (
    <>
      <Section
        title="Losses"
        note="The held-out loss is measured on the original answers, so it favours the side that learns them. Training losses do not compare between the sides, whose texts differ."
      >
        <LossTable comparisonId={comparisonId} trainings={trainings} chosen={several ? chosen : null} />
      </Section>
      {drawn.length === 0 ? null : (
        <Section title={several ? `Curves of seed ${chosen}` : 'Curves'}>
          {drawn.flatMap(({ side, stages }) =>
            stages.map((stage) => (
              <div key={`${side} ${stage.method}`} className="stack">
                <h3>Trained on {SIDE_WORDS[side]}</h3>
                <StageCurves stage={stage} name={`${comparisonId} ${chosen}`} />
              </div>
            )),
          )}
        </Section>
      )}
    </>
  );
}

/** The losses by side and seed. */
export function LossTable({
  comparisonId,
  trainings,
  chosen,
}: Omit<LossesProps, 'seed'> & {
  /** The seed whose curves are shown; null where there is one seed only. */
  readonly chosen: number | null;
}) {
  return (
    <TableFrame label="Losses by side and seed" className="comparison-losses">
      <thead>
        <tr>
          <th scope="col">Training</th>
          <th scope="col">State</th>
          <NumberHead>Rows</NumberHead>
          <NumberHead>Steps</NumberHead>
          <NumberHead>Training loss</NumberHead>
          <NumberHead>Held-out loss, before → after</NumberHead>
        </tr>
      </thead>
      <tbody>
        {trainings.map((training) => (
          <tr
            key={`${training.seed} ${training.side}`}
            className={training.seed === chosen ? 'comparison-chosen' : undefined}
          >
            <th scope="row">
              {chosen === null ? (
                `Seed ${training.seed}`
              ) : (
                <a
                  href={hrefOf(['trainings', 'comparisons', comparisonId], { seed: training.seed })}
                  {...(training.seed === chosen ? { 'aria-current': 'true' as const } : {})}
                >
                  Seed {training.seed}
                </a>
              )}
              , {SIDE_WORDS[training.side]}
            </th>
            <td>
              <IterationState iteration={training} />
              {training.reason === null ? null : <div className="hint">{training.reason}</div>}
            </td>
            <td className="number">{training.rows === null ? '–' : count(training.rows)}</td>
            <td className="number">{count(stepsOf(training))}</td>
            <td className="number">{lossWords(training.training_loss)}</td>
            <td className="number">{heldOutWords(training)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
