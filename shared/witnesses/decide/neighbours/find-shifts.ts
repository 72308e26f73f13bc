import { FIT_FEATURES, type FitFeatures } from './answer-fit.ts';
import type { PairedRows } from './learn-fit.ts';

/** Where the prompts of shifted answers may lie, counted from the answers' rows. */
const SHIFTS = [1, -1, 2, -2];
/** Rows on each side that must agree on it. */
const WINDOW = 4;
/** How much better the answers of a window must fit there, by the sum of their features, of which one row adds little. */
const GAIN_MIN = 1;
const ROW_FIT_MAX = 3;

/** Finds how far after each row the prompt of its answer lies: 0 but in runs of rows whose answers all lie so far off. */
export function findShifts(
  { count, isRead, promptOf, answerOf }: PairedRows,
  features: FitFeatures,
): Int8Array {
  const written = new Float64Array(FIT_FEATURES);
  const isPlace = (row: number): boolean => row >= 0 && row < count && isRead[row] === 1;
  const fitAt = (shift: number): Float64Array =>
    Float64Array.from({ length: count }, (_, row) => {
      if (!isPlace(row) || !isPlace(row + shift)) return 0;
      features.write(answerOf[row] as number, promptOf[row + shift] as number, written);
      return Math.min(
        ROW_FIT_MAX,
        written.reduce((sum, value) => sum + value, 0),
      );
    });
  const shifts = new Int8Array(count);
  const best = meansAround(fitAt(0)).map((value) => value + GAIN_MIN);
  for (const shift of SHIFTS) {
    for (const [row, value] of meansAround(fitAt(shift)).entries()) {
      if (value <= (best[row] as number) || !isPlace(row) || !isPlace(row + shift)) continue;
      best[row] = value;
      shifts[row] = shift;
    }
  }
  return shifts;
}

/** The mean of the values around each place. */
function meansAround(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [row, value] of values.entries()) sums[row + 1] = (sums[row] as number) + value;
  return values.map((_, row) => {
    const first = Math.max(0, Math.min(row - WINDOW, values.length - 2 * WINDOW - 1));
    const end = Math.min(values.length, first + 2 * WINDOW + 1);
    return ((sums[end] as number) - (sums[first] as number)) / (end - first);
  });
}
