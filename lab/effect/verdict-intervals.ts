import * as z from 'zod';
import { estimateWithVerdicts } from '#shared/judging/decide/verdict-estimate.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { table } from './markdown.ts';

/** A pair of answers with what people said: 1 or 2 is better, 0 is a tie. */
export const JudgedPair = z.object({
  verdicts: z.array(z.union([z.literal(0), z.literal(1), z.literal(2)])).min(1),
});
export type JudgedPair = z.infer<typeof JudgedPair>;

/** How the intervals of resampled verdicts hold. */
export interface IntervalMeasure {
  readonly name: string;
  /** Share of the decided pairs about which the judge is right. */
  readonly accuracy: number;
  readonly rows: number;
  readonly verdicts: number;
  /** Share of the resamplings whose interval has the truth. */
  readonly covered: number;
  /** Mean width, and the same divided by that of the verdicts alone. */
  readonly width: number;
  readonly ratio: number;
}

/** Shares of the pairs about which a scripted judge is right. */
const ACCURACIES = [1, 0.95, 0.9, 0.85, 0.8, 0.7, 0.5];
const RESAMPLINGS = 200;

/** The outcome for the first answer: what most people said, a tie if they do not agree. */
export function outcomeOf({ verdicts }: JudgedPair): number {
  const count = (wanted: number): number => verdicts.filter((each) => each === wanted).length;
  const [first, second] = [count(1), count(2)];
  if (2 * first > verdicts.length) return 1;
  return 2 * second > verdicts.length ? 0 : 0.5;
}

/** Measures intervals of a win rate by judges that are right about a share of the pairs. */
export function measureIntervals(pairs: readonly JudgedPair[], verdicts: number): IntervalMeasure[] {
  const truth = pairs.map(outcomeOf);
  return ACCURACIES.map((accuracy) => {
    const random = seededRandom(`judge ${accuracy}`);
    const predictions = truth.map((each) =>
      each === 0.5 ? Math.floor(3 * random()) / 2 : random() < accuracy ? each : 1 - each,
    );
    return {
      name: `a judge that is right about ${Math.round(100 * accuracy)} % of the decided pairs`,
      accuracy,
      ...resample(truth, predictions, verdicts),
    };
  });
}

/** Draws verdicts again and again, and compares the intervals with the truth. */
export function resample(
  truth: readonly number[],
  predictions: readonly number[],
  verdicts: number,
): Omit<IntervalMeasure, 'name' | 'accuracy'> {
  const mean = truth.reduce((sum, each) => sum + each, 0) / truth.length;
  const random = seededRandom('verdicts');
  let [covered, width, alone] = [0, 0, 0];
  for (let each = 0; each < RESAMPLINGS; each += 1) {
    const drawn = truth
      .map((said, row) => ({ row, said, key: random() }))
      .sort((a, b) => a.key - b.key)
      .slice(0, verdicts);
    const estimate = estimateWithVerdicts({
      predictions,
      verdicts: new Map(drawn.map(({ row, said }) => [row, [said]])),
    });
    if (estimate === null) continue;
    const [low, high] = estimate.interval95;
    if (low <= mean && mean <= high) covered += 1;
    width += high - low;
    alone += estimate.verdictsAlone.interval95[1] - estimate.verdictsAlone.interval95[0];
  }
  return {
    rows: truth.length,
    verdicts,
    covered: covered / RESAMPLINGS,
    width: width / RESAMPLINGS,
    ratio: width / alone,
  };
}

/** The measures as a table. */
export function describeIntervals(measures: readonly IntervalMeasure[]): string {
  return table(
    [
      'predictions',
      'rows',
      'verdicts',
      'intervals with the truth',
      'mean width',
      'of that of the verdicts alone',
    ],
    measures.map(({ name, rows, verdicts, covered, width, ratio }) => [
      ...[name, rows, verdicts, `${(100 * covered).toFixed(1)} %`, width.toFixed(3), ratio.toFixed(2)],
    ]),
  );
}
