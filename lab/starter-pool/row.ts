/** One row of the starter pool. */
export interface StarterRow {
  readonly topic: string;
  readonly prompt: string;
  /** The right answer. */
  readonly completion: string;
  /** A wrong answer of the same kind. */
  readonly rejected: string;
  /** Source of the answer. */
  readonly source: string;
}

export type Random = () => number;

/** An integer from `min` to `max`, inclusive. */
export function whole(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** One of `items` other than `value`. */
export function other<T>(random: Random, items: readonly T[], value: T): T {
  return pick(
    random,
    items.filter((item) => item !== value),
  );
}

/** `count` rows with distinct prompts; `make` may return duplicates. */
export function distinct(count: number, make: () => StarterRow): StarterRow[] {
  const rows = new Map<string, StarterRow>();
  for (let tries = 0; rows.size < count; tries += 1) {
    if (tries > 50 * count) throw new Error(`There are only ${rows.size} different rows of ${count}.`);
    const row = make();
    // Rounding can make the answers for two values equal.
    if (row.rejected !== row.completion && !rows.has(row.prompt)) rows.set(row.prompt, row);
  }
  return [...rows.values()];
}
