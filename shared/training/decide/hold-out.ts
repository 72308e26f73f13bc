import { createHash } from 'node:crypto';
import type { TrainingExample } from '../schema/training-job.ts';

const SHARE = 0.1;
const ROWS_MIN = 20;
/** The most rows that are held out. */
export const HELD_OUT_ROWS_MAX = 200;
/** With fewer rows a win rate is only indicative. */
export const INDICATIVE_BELOW = ROWS_MIN;

/** Number of held-out rows of `rows`: a tenth, at least 20 and at most 200, and never more than half. */
export function heldOutCount(rows: number): number {
  const wanted = Math.min(HELD_OUT_ROWS_MAX, Math.max(ROWS_MIN, Math.round(rows * SHARE)));
  return Math.min(wanted, Math.floor(rows / 2));
}

/** A number in [0, 1). */
export type Fraction = number;

/** A row's draw, from its hash: equal examples have the same draw, so that none is in both parts. */
export function drawOf(example: Omit<TrainingExample, 'row'>): Fraction {
  const { messages, completion, reasoning, chosen, rejected, tools } = example;
  const declared = tools === undefined ? [] : [tools];
  const digest = createHash('sha256')
    .update(JSON.stringify([messages, completion, reasoning, chosen, rejected, ...declared]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** Of as many different examples as many as can be are held out: how many more there are makes no difference. */
const COUNTED_MAX = HELD_OUT_ROWS_MAX / SHARE;

/**
 * The lowest draws of examples that come one after another, of which some are held out: as many as `heldOutCount` says of the
 * different ones, which are known with the last. Holds 2,000 draws at most, whatever the number of examples.
 */
export class LowestDraws {
  /** Different draws in ascending order. */
  readonly #lowest: Fraction[] = [];

  add(draw: Fraction): void {
    const lowest = this.#lowest;
    if (lowest.length === COUNTED_MAX && draw > (lowest.at(-1) as Fraction)) return;
    let [from, to] = [0, lowest.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((lowest[middle] as Fraction) < draw) from = middle + 1;
      else to = middle;
    }
    if (lowest[from] === draw) return;
    lowest.splice(from, 0, draw);
    lowest.length = Math.min(lowest.length, COUNTED_MAX);
  }

  /** Whether an example of this draw may be one of the `HELD_OUT_ROWS_MAX` lowest in the end, whatever else is added. */
  mayBeLowest(draw: Fraction): boolean {
    return draw <= (this.#lowest[HELD_OUT_ROWS_MAX - 1] ?? 1);
  }

  /** The draws of the examples that are held out: at least half of the different ones remain for training. */
  heldOut(): Set<Fraction> {
    return new Set(this.#lowest.slice(0, heldOutCount(this.#lowest.length)));
  }
}

/** The examples of the `HELD_OUT_ROWS_MAX` lowest draws; holds twice as many at most, in whatever order they come. */
export class LowestExamples<Example> {
  readonly #kept = new Map<Fraction, Example>();
  /** No higher draw is one of the lowest. */
  #limit = 1;

  /** Of those of the same draw, the last one counts. */
  add(draw: Fraction, example: Example): void {
    if (draw > this.#limit) return;
    this.#kept.set(draw, example);
    if (this.#kept.size <= 2 * HELD_OUT_ROWS_MAX) return;
    const lowest = this.lowest();
    this.#kept.clear();
    for (const [each, kept] of lowest) {
      this.#kept.set(each, kept);
      this.#limit = each;
    }
  }

  /** How many it holds. */
  get size(): number {
    return this.#kept.size;
  }

  /** By their draws, in ascending order. */
  lowest(): Map<Fraction, Example> {
    return new Map([...this.#kept].sort(([a], [b]) => a - b).slice(0, HELD_OUT_ROWS_MAX));
  }
}
