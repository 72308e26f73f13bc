import { confidenceOf } from '#shared/judging/decide/corrected-win-rate.ts';
import type { CheckRates } from '#shared/judging/decide/known-check-rates.ts';
import { EditKind } from '#shared/judging/decide/known-check-rates.ts';
import type { JudgeErrorRates } from '#shared/judging/decide/quality-estimate.ts';
import { type RowVerdict, verdictOf } from '#shared/judging/decide/row-verdict.ts';
import { normalQuantile } from '#shared/judging/decide/statistics.ts';
import { recommend } from '#shared/pilots/decide/recommend.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import type { RowChecks, RowComparison } from '#shared/runs/schema/row-score.ts';

/** What is known of a dataset and of the arms of a pilot on it. */
export interface SimulatedPilot {
  /** True win rate of each arm against the originals, among the rows that it changes. */
  readonly winRates: readonly number[];
  /** Probability that an arm changes a row. */
  readonly changed: number;
  /** Probability that the checks decide a changed row; the judge decides the others. */
  readonly checked: number;
  readonly sampleRows: number;
  /** Probability that the judge names the worse of two answers. */
  readonly judgeError: number;
}

export interface PilotOutcome {
  /** Number of the arm, from 1; null if none is recommended. */
  readonly recommended: number | null;
  /** Whether it is the best arm, or none where no arm beats the originals. */
  readonly isRight: boolean;
}

/** An answer to a row: above 0 it is better than the original. Null where the arm keeps the original. */
interface Answer {
  readonly quality: number;
  readonly isChecked: boolean;
}
type Answers = readonly (Answer | null)[];

/** Edits that pass the checks are right here: the simulation errs in what the judge says alone. */
const FLAWLESS: CheckRates = {
  measured: { model_id: 'simulated', rows: 100_000 },
  sensitivity: { hits: 100_000, of: 100_000 },
  specificity: { hits: 100_000, of: 100_000 },
  edits: Object.fromEntries(
    EditKind.options.map((kind) => [kind, { right: 100_000, of: 100_000 }]),
  ) as CheckRates['edits'],
};

/** Runs the decisions of one pilot: the verdicts on every arm, and the recommendation. */
export function simulatePilot(pilot: SimulatedPilot, random: () => number): PilotOutcome {
  const { winRates } = pilot;
  const judge = judgeOf(pilot, random);
  const arms = winRates.map((winRate, place) => ({
    arm: place + 1,
    verdicts: drawAnswers(winRate, pilot, random).map((answer, row) => judge(answer, row)),
  }));
  const { arm } = recommend({ arms, confidence: confidenceOf(winRates.length), nameOf: String });
  const best = Math.max(...winRates);
  return { recommended: arm, isRight: arm === (best > 0.5 ? winRates.indexOf(best) + 1 : null) };
}

/** The answers of an arm: qualities from a normal distribution of which the share above 0 is the win rate. */
function drawAnswers(
  winRate: number,
  { changed, checked, sampleRows }: SimulatedPilot,
  random: () => number,
): Answers {
  const mean = normalQuantile(winRate);
  return Array.from({ length: sampleRows }, () => {
    if (random() >= changed) return null;
    const quality = mean + normalQuantile(Math.max(1e-12, random()));
    return { quality, isChecked: random() < checked };
  });
}

/** The verdicts of the checks, and of a judge that errs as often as the pilot says, and is known to. */
function judgeOf({ judgeError }: SimulatedPilot, random: () => number) {
  const rates: JudgeErrorRates = { accuracy: 1 - judgeError, false_acceptance: judgeError, n: 1_000 };
  const compare = (quality: number): RowComparison => {
    const isRight = random() >= judgeError;
    const winner = quality > 0 === isRight ? 'after' : 'before';
    return { winner, by: 'judge', characters: { before: 1, after: 1 } };
  };
  return (answer: Answer | null, row: number): RowVerdict => {
    const isOpen = answer !== null && !answer.isChecked;
    const comparison = isOpen ? compare(answer.quality) : undefined;
    return verdictOf({ row, checks: checksOf(answer), comparison }, FLAWLESS, rates);
  };
}

/** Where the checks decide, a better answer repairs a defect of the original, and a worse one loses what it said. */
function checksOf(answer: Answer | null): RowChecks {
  const isChecked = answer?.isChecked ?? false;
  const isBetter = answer !== null && answer.quality > 0;
  return {
    changed: answer !== null,
    has_original: true,
    before_defect: isChecked && isBetter ? 'careless' : null,
    after_defect: null,
    harm: isChecked && !isBetter ? 'lost a number' : null,
  };
}

/** Shares of many simulated pilots. */
export interface PilotShares {
  readonly right: number;
  /** An arm was recommended that is not the best, or none was needed. */
  readonly wrong: number;
}

export interface SimulatedKind {
  readonly sampleRows: number;
  readonly judgeError: number;
  /** Bounds of the share of changed rows that the checks decide. */
  readonly checked: readonly [number, number];
  /** Bounds of the true win rate of the best arm; null if no arm beats the originals. */
  readonly best: readonly [number, number] | null;
  /** Bounds of the true win rates of the others. */
  readonly others: readonly [number, number];
}

/** Simulates pilots of 2 to 8 arms that each change 60 to 100 % of the rows. */
export function simulatePilots(kind: SimulatedKind, pilots: number, seed: string): PilotShares {
  const random = seededRandom(seed);
  const between = ([low, high]: readonly [number, number]): number => low + (high - low) * random();
  let [right, wrong] = [0, 0];
  for (let n = 0; n < pilots; n += 1) {
    const arms = 2 + Math.floor(7 * random());
    const winRates = Array.from({ length: arms }, () => between(kind.others));
    if (kind.best !== null) winRates[Math.floor(arms * random())] = between(kind.best);
    const changed = between([0.6, 1]);
    const outcome = simulatePilot({ ...kind, winRates, changed, checked: between(kind.checked) }, random);
    if (outcome.isRight) right += 1;
    else if (outcome.recommended !== null) wrong += 1;
  }
  return { right: right / pilots, wrong: wrong / pilots };
}
