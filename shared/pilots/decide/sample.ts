import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

/** A row that may be drawn. */
export interface SampleCandidate {
  /** Index in the dataset. */
  readonly row: number;
  /** Length of the row, in characters. */
  readonly characters: number;
  /** ISO 639-1 code; null if it is not known. */
  readonly language: string | null;
}

/**
 * `count` rows in ascending order, each at most once; the same for the same candidates and seed. The candidates are put
 * in the order of language and length, and drawn at equal distances from a random start (systematic sampling:
 * Cochran, Sampling Techniques, 1977, chapter 8). So each stratum, and each language as a whole, has its share of the
 * rows rounded up or down, however small it is, and every candidate is as likely to be drawn as any other. An
 * allocation by largest remainders gives no row to strata that are all too small for one.
 */
export function stratifiedSample(
  candidates: readonly SampleCandidate[],
  count: number,
  seed: string,
): number[] {
  const unique = [...new Map(candidates.map((candidate) => [candidate.row, candidate])).values()];
  const rows = unique.sort((a, b) => a.row - b.row);
  const wanted = Math.max(0, Math.floor(count));
  if (wanted >= rows.length) return rows.map(({ row }) => row);
  const ordered = inStrata(rows);
  const start = seededRandom(`${seed} start`)();
  return Array.from(
    { length: wanted },
    (_, n) => ordered[Math.floor(((n + start) * ordered.length) / wanted)],
  )
    .flatMap((drawn) => drawn?.row ?? [])
    .sort((a, b) => a - b);
}

/** The rows by language and length: up in one language and down in the next, so that neighbours are alike. */
function inStrata(rows: readonly SampleCandidate[]): SampleCandidate[] {
  const strata = new Map<string, SampleCandidate[]>();
  for (const row of rows) {
    const key = row.language ?? '';
    const stratum = strata.get(key);
    if (stratum === undefined) strata.set(key, [row]);
    else stratum.push(row);
  }
  return [...strata]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, stratum], at) =>
      stratum.sort((a, b) => (a.characters - b.characters) * (at % 2 === 0 ? 1 : -1) || a.row - b.row),
    );
}
