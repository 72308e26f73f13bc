import { sampleRows, seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { topicsOf } from './topics.ts';

/** A row that may be drawn. */
export interface SampleCandidate {
  /** Index in the dataset. */
  readonly row: number;
  /** Length of the row, in characters. */
  readonly characters: number;
  /** ISO 639-1 code; null if it is not known. */
  readonly language: string | null;
  readonly text: string;
}

const TOPICS_MAX = 4;
/** Fewer candidates of a topic are no topic. */
const CANDIDATES_A_TOPIC = 20;
const LENGTHS_MAX = 3;
/** Fewer candidates of a length are not told apart by it. */
const CANDIDATES_A_LENGTH = 5;

/**
 * `count` rows in ascending order, each at most once; the same for the same candidates and seed. The strata are tercile
 * of length × language × topic. Each gets its share of the sample, rounded by largest remainders (Hamilton), and
 * within it rows are drawn at random.
 */
export function stratifiedSample(
  candidates: readonly SampleCandidate[],
  count: number,
  seed: string,
): number[] {
  const unique = [...new Map(candidates.map((candidate) => [candidate.row, candidate])).values()];
  const rows = unique.sort((a, b) => a.row - b.row);
  if (count >= rows.length) return rows.map(({ row }) => row);
  const strata = strataOf(rows, Math.max(0, count), seed);
  const places = allocate(
    strata.map(({ length }) => length),
    Math.max(0, count),
    seededRandom(`${seed} remainders`),
  );
  return strata
    .flatMap((stratum, at) =>
      sampleRows(stratum.length, places[at] ?? 0, `${seed} stratum ${at}`).map((place) => stratum[place]),
    )
    .flatMap((candidate) => (candidate === undefined ? [] : [candidate.row]))
    .sort((a, b) => a - b);
}

/**
 * The strata, each worth at least one place of the sample: smaller ones are told apart without their topic, then
 * without their length, and the rest together. Otherwise many rare strata, each with a small remainder, would get no
 * place at all.
 */
function strataOf(rows: readonly SampleCandidate[], count: number, seed: string): SampleCandidate[][] {
  const topics = topicsOf(
    rows.map(({ text }) => text),
    Math.min(TOPICS_MAX, Math.floor(rows.length / CANDIDATES_A_TOPIC)),
    `${seed} topics`,
  );
  const lengths = lengthsOf(rows.map(({ characters }) => characters));
  const keys = rows.map(({ language }, at) => [language ?? '', lengths[at], topics[at]]);
  const strata: SampleCandidate[][] = [];
  let left = rows.map((_, at) => at);
  for (const parts of [3, 2, 1, 0]) {
    const groups = new Map<string, number[]>();
    for (const at of left) {
      const key = JSON.stringify(keys[at]?.slice(0, parts));
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [at]);
      else group.push(at);
    }
    left = [];
    for (const group of groups.values()) {
      if (parts > 0 && group.length * count < rows.length) left.push(...group);
      else strata.push(group.map((at) => rows[at] as SampleCandidate));
    }
  }
  return strata;
}

/** The tercile of each length, from 0; equal lengths are in the same one, and few candidates have fewer classes. */
function lengthsOf(characters: readonly number[]): number[] {
  const classes = Math.min(LENGTHS_MAX, Math.floor(characters.length / CANDIDATES_A_LENGTH));
  const sorted = characters.toSorted((a, b) => a - b);
  const bounds = Array.from({ length: Math.max(0, classes - 1) }, (_, at) =>
    Number(sorted[Math.floor((sorted.length * (at + 1)) / classes)]),
  );
  return characters.map((length) => bounds.filter((bound) => length >= bound).length);
}

/** Places for groups of these sizes, in proportion, by largest remainders; equal ones in random order. */
function allocate(sizes: readonly number[], count: number, random: () => number): number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const quotas = sizes.map((size) => (count * size) / Math.max(1, all));
  const places = quotas.map(Math.floor);
  const open = count - places.reduce((sum, place) => sum + place, 0);
  quotas
    .map((quota, at) => ({ at, remainder: quota - Math.floor(quota), tie: random() }))
    .sort((a, b) => b.remainder - a.remainder || a.tie - b.tie)
    .slice(0, open)
    .forEach(({ at }) => {
      places[at] = (places[at] ?? 0) + 1;
    });
  return places;
}
