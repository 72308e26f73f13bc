/** One row of the starter pool. */
export interface StarterRow {
  readonly topic: string;
  readonly prompt: string;
  /** The right answer. */
  readonly completion: string;
  /** An answer of the same kind that is wrong. */
  readonly rejected: string;
  /** Where the answer comes from. */
  readonly source: string;
}

export type Random = () => number;

/** A whole number from `min` to `max`, both included. */
export function whole(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** One of `items` that is not `value`. */
export function other<T>(random: Random, items: readonly T[], value: T): T {
  return pick(
    random,
    items.filter((item) => item !== value),
  );
}

/** `count` rows with prompts that are all different; `make` may repeat itself. */
export function distinct(count: number, make: () => StarterRow): StarterRow[] {
  const rows = new Map<string, StarterRow>();
  for (let tries = 0; rows.size < count; tries += 1) {
    if (tries > 50 * count) throw new Error(`There are only ${rows.size} different rows of ${count}.`);
    const row = make();
    // Numbers that are rounded can make an answer of another value the same.
    if (row.rejected !== row.completion && !rows.has(row.prompt)) rows.set(row.prompt, row);
  }
  return [...rows.values()];
}
