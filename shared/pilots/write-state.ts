import { correctedWinRateOf } from '#shared/judging/decide/corrected-win-rate.ts';
import { pairVerdictOf, type RowVerdict } from '#shared/judging/decide/row-verdict.ts';
import { readJson, readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { RowScore, type SampledRow } from '#shared/runs/schema/row-score.ts';
import { type AssembledArm, describeArm, rounded } from './decide/describe-arm.ts';
import { describeRows } from './decide/describe-rows.ts';
import { finalistsOf } from './decide/looks.ts';
import { recommend } from './decide/recommend.ts';
import { PilotRows, PilotState } from './decide/state.ts';
import { pairsOf, partsOfFinal, STEPS } from './decide/steps.ts';
import { collectAll, type PilotPorts, type PilotWork, stoppedArms } from './pilot-work.ts';

/** Both answers of a row that two finalists have adapted. */
export interface Final {
  readonly row: number;
  readonly first: SampledRow;
  readonly second: SampledRow;
}

/** The rows that both arms have adapted. */
export function finalRows(first: AssembledArm, second: AssembledArm): Final[] {
  return [...first.described.values()].flatMap((mine) => {
    const other = second.described.get(mine.dataset_row);
    return other?.checks === undefined || mine.checks === undefined
      ? []
      : [{ row: mine.dataset_row, first: mine, second: other }];
  });
}

/** The checks of both answers. */
export const pairOf = ({ first, second }: Final) => {
  if (first.checks === undefined || second.checks === undefined) throw new RangeError('An unchecked row.');
  return { first: first.checks, second: second.checks, isSame: first.after.trim() === second.after.trim() };
};

/** The plan of the finals, which is there once they have begun. */
const finalsPlanKey = (runId: string): string => objectKeys.pilotPlan(runId, STEPS.indexOf('finals'));

/** The pairs of arms that meet: those that are shown to beat the originals. */
export function finalsOf(
  arms: readonly AssembledArm[],
  { confidence }: PilotWork,
): (readonly [AssembledArm, AssembledArm])[] {
  const byNumber = new Map(arms.map((collected) => [collected.arm, collected]));
  return pairsOf(finalistsOf(arms, confidence)).flatMap(([one, other]) => {
    const [first, second] = [byNumber.get(one), byNumber.get(other)];
    return first === undefined || second === undefined ? [] : [[first, second] as const];
  });
}

async function verdictsOfFinal(
  { objects }: Pick<PilotPorts, 'objects'>,
  { context, judge }: PilotWork,
  n: number,
  rows: readonly Final[],
): Promise<RowVerdict[]> {
  const comparisons = new Map<number, RowScore['comparison']>();
  for (const { n: part } of partsOfFinal(n, rows.length)) {
    for (const line of await readLines(objects, objectKeys.evaluationScores(context.run_id, part))) {
      const { dataset_row: row, comparison } = RowScore.parse(JSON.parse(line));
      comparisons.set(row, comparison);
    }
  }
  return rows.map((row) =>
    pairVerdictOf({ row: row.row, ...pairOf(row), comparison: comparisons.get(row.row) }, judge.errors),
  );
}

/**
 * Writes what is known of the pilot. `ending` says what becomes of the arms that were not stopped: they are running, have
 * finished, or were interrupted with the pilot.
 */
export async function writeState(
  ports: PilotPorts,
  pilot: PilotWork,
  ending: 'running' | 'finished' | 'interrupted',
): Promise<AssembledArm[]> {
  const { context, request, judge, confidence } = pilot;
  const arms = await collectAll(ports, pilot);
  const finals: PilotState['finals'] = [];
  const verdictsOfFinals: { arm: number; against: number; verdicts: RowVerdict[] }[] = [];
  const areFinals =
    ending !== 'running' && (await ports.objects.head(finalsPlanKey(context.run_id))) !== null;
  for (const [n, [first, second]] of (areFinals ? finalsOf(arms, pilot) : []).entries()) {
    const verdicts = await verdictsOfFinal(ports, pilot, n, finalRows(first, second));
    const sides = { arm: first.arm, against: second.arm };
    verdictsOfFinals.push({ ...sides, verdicts });
    finals.push({ ...sides, ...rounded(correctedWinRateOf(verdicts, confidence)) });
  }
  const isCompared = arms.some(({ scores }) => scores.size > 0);
  const stopped = isCompared ? stoppedArms(arms, pilot) : [];
  const state: PilotState = {
    sample_rows: pilot.lines.length,
    arms: arms.map((collected) =>
      describeArm(collected, request, {
        status: stopped.includes(collected.arm) ? 'stopped_early' : ending,
        judge: judge.errors,
        confidence,
      }),
    ),
    finals,
    recommendation:
      ending === 'finished'
        ? recommend({
            arms,
            finals: verdictsOfFinals,
            confidence,
            nameOf: (arm) => request.arms[arm - 1]?.asked.name ?? `Arm ${arm}`,
          })
        : null,
    judge: isCompared ? { model: judge.model, believed_for: [...judge.believed] } : null,
  };
  const { rows } = await readJson(ports.objects, objectKeys.pilotRows(context.run_id), PilotRows);
  await writeLines(ports.objects, objectKeys.pilotAnswers(context.run_id), describeRows(arms, rows));
  await ports.objects.write(
    objectKeys.pilotState(context.run_id),
    JSON.stringify(PilotState.parse(state)),
    'application/json',
  );
  return arms;
}
