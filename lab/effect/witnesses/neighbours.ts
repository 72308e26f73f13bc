import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { FLAGGED_MIN } from '#shared/witnesses/decide/doubtful.ts';
import { doubtLabels, LABEL_SCORE_MIN } from '#shared/witnesses/decide/neighbours/label-noise.ts';
import {
  createNeighboursWitness,
  type Embed,
} from '#shared/witnesses/decide/neighbours/neighbours-witness.ts';
import { newVectors } from '#shared/witnesses/decide/neighbours/vectors.ts';
import { weighFindings } from '#shared/witnesses/decide/weigh-findings.ts';
import type { WitnessedRow, WitnessFinding } from '#shared/witnesses/decide/witness.ts';

/** A row of which people know whether it is right. */
export interface TruthRow {
  readonly prompt: string;
  readonly completion: string;
  readonly right: boolean;
  /** Rows of one set belong to one dataset. */
  readonly set?: string | undefined;
}

/** What a witness says of rows that are right, and of those that are not. */
export interface WitnessCounts {
  readonly right: number;
  readonly rightFlagged: number;
  readonly wrong: number;
  readonly wrongFlagged: number;
}

/** A row with the probability that is stated of it, and the truth. */
export interface StatedRow {
  readonly probability: number;
  readonly isWrong: boolean;
}

export interface WitnessMeasure extends WitnessCounts {
  readonly stated: readonly StatedRow[];
}

/** What the witness of neighbours says of the rows of one dataset. */
export async function askNeighbours(
  rows: readonly Pick<TruthRow, 'prompt' | 'completion'>[],
  embed: Embed,
): Promise<readonly (WitnessFinding | null)[]> {
  const witnessed = rows.map(({ prompt, completion }): WitnessedRow => ({ prompt, completion, context: '' }));
  return createNeighboursWitness({ embed })(witnessed);
}

/** States of each row how probably it is wrong, and counts the rows that are flagged. */
export function measureFindings(
  findings: readonly (readonly WitnessFinding[])[],
  isWrong: readonly boolean[],
): WitnessMeasure {
  const stated = weighFindings(findings).probabilities.map((probability, n) => ({
    probability,
    isWrong: isWrong[n] === true,
    isSaid: findings[n]?.length !== 0,
  }));
  const count = (wrong: boolean, flagged: boolean): number =>
    stated.filter(
      ({ probability, isWrong: is, isSaid }) =>
        is === wrong && (!flagged || (isSaid && probability >= FLAGGED_MIN)),
    ).length;
  return {
    right: count(false, false),
    rightFlagged: count(false, true),
    wrong: count(true, false),
    wrongFlagged: count(true, true),
    stated: stated.filter(({ isSaid }) => isSaid),
  };
}

/** Measures what the witness of neighbours says of the rows of one dataset. */
export async function measureNeighbours(rows: readonly TruthRow[], embed: Embed): Promise<WitnessMeasure> {
  const findings = await askNeighbours(rows, embed);
  return measureFindings(
    findings.map((finding) => (finding === null ? [] : [finding])),
    rows.map(({ right }) => !right),
  );
}

/** Exchanges a share of the answers in a circle among rows that a seed draws; a row is wrong if its answer changed. */
export function exchangeAnswers(rows: readonly TruthRow[], share: number, seed: number): TruthRow[] {
  const random = seededRandom(String(seed));
  const order = [...rows.keys()]
    .map((row) => ({ row, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, Math.max(2, Math.round(share * rows.length)))
    .map(({ row }) => row);
  const source = new Map(order.map((row, n) => [row, order[(n + 1) % order.length] as number]));
  return takeAnswers(rows, (row) => source.get(row) ?? row);
}

/** Gives each row from one on the answer of the row after it. */
export function shiftAnswers(rows: readonly TruthRow[], from: number): TruthRow[] {
  return takeAnswers(rows, (row) => (row < from ? row : (row + 1) % rows.length));
}

function takeAnswers(rows: readonly TruthRow[], sourceOf: (row: number) => number): TruthRow[] {
  return rows.map((row, n) => {
    const source = rows[sourceOf(n)] as TruthRow;
    const isSame = source.completion === row.completion || source.prompt === row.prompt;
    return { ...row, completion: source.completion, right: row.right && isSame };
  });
}

export interface LabelMeasure extends WitnessMeasure {
  /** Of the order by margin; null where the witness has no say. */
  readonly averagePrecision: number | null;
}

/**
 * Replaces a share of the labels by that of the class whose mean is nearest, and measures how the witness orders and
 * flags them.
 */
export async function measureLabelNoise(
  rows: readonly { readonly prompt: string; readonly label: string }[],
  { share, seed, embed }: { readonly share: number; readonly seed: number; readonly embed: Embed },
): Promise<LabelMeasure> {
  const embedded = await embed(rows.map(({ prompt }) => prompt));
  const vectors = newVectors(rows.length, embedded[0]?.length ?? 0);
  for (const [n, vector] of embedded.entries()) vectors.values.set(vector, n * vectors.dimensions);
  const names = [...new Set(rows.map(({ label }) => label))];
  const truth = rows.map(({ label }) => names.indexOf(label));
  const similar = nearestClasses(truth, names.length, embedded);
  const random = seededRandom(String(seed));
  const given = truth.map((each) => (random() < share ? (similar[each] as number) : each));
  const numbers = Int32Array.from(rows.keys());
  const column = { classOf: Int32Array.from(given), classes: names.length, groupOf: numbers };
  const doubts = doubtLabels(column, numbers, vectors);
  const isWrong = given.map((each, n) => each !== truth[n]);
  const findings = rows.map((_, n): WitnessFinding[] => {
    const doubt = doubts?.[n];
    const isSaid = doubt?.isConfident === true && doubt.score >= LABEL_SCORE_MIN;
    return isSaid
      ? [{ witness: 'neighbours', says: 'wrong', kind: 'label_contradicted', reason: '', score: doubt.score }]
      : [];
  });
  return {
    ...measureFindings(findings, isWrong),
    averagePrecision:
      doubts === null
        ? null
        : averagePrecision(
            doubts.map((doubt) => doubt?.margin ?? -1),
            isWrong,
          ),
  };
}

/** For each class, the one whose mean vector has the largest cosine with its own. */
function nearestClasses(
  classOf: readonly number[],
  classes: number,
  vectors: readonly Float32Array[],
): number[] {
  const means = Array.from({ length: classes }, () => new Float64Array(vectors[0]?.length ?? 0));
  for (const [n, vector] of vectors.entries()) {
    const mean = means[classOf[n] as number] as Float64Array;
    for (const [at, value] of vector.entries()) mean[at] = (mean[at] as number) + value;
  }
  const dot = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
  const lengths = means.map((mean) => Math.sqrt(dot(mean, mean)) || 1);
  return means.map((mean, each) => {
    const cosines = means.map((other, n) => (n === each ? -2 : dot(mean, other) / (lengths[n] as number)));
    return cosines.indexOf(Math.max(...cosines));
  });
}

/** The mean of the precision at each wrong row, in the order of the scores. */
export function averagePrecision(scores: readonly number[], isWrong: readonly boolean[]): number {
  const order = [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number));
  let [found, sum] = [0, 0];
  for (const [n, row] of order.entries()) {
    if (isWrong[row] !== true) continue;
    found += 1;
    sum += found / (n + 1);
  }
  return found === 0 ? 0 : sum / found;
}
