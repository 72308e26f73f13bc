import { discriminate } from './discriminant.ts';
import { drawRows } from './draw-rows.ts';
import type { Vectors } from './vectors.ts';

/** The labels of the rows of a column; a row of class -1 has none that is told. */
export interface LabelColumn {
  readonly classOf: Int32Array;
  readonly classes: number;
  /** Rows with equal prompts have one number: they are left out together. */
  readonly groupOf: Int32Array;
}

/** What the rows of other folds say of the label of a row. */
export interface LabelDoubt {
  /** The class that they say. */
  readonly better: number;
  /** How much more probable it is than the given one, from -1 to 1: the rank of the row. */
  readonly margin: number;
  /** Whether the row is counted as mislabelled by confident learning. */
  readonly isConfident: boolean;
  /** How probable it is that the label is wrong. */
  readonly score: number;
}

/** Probability from which a label that confident learning counts is spoken of. */
export const LABEL_SCORE_MIN = 0.9;
const FOLDS = 5;
/** Fewer rows, or fewer of a class on average, say too little of what their labels depend on. */
const ROWS_MIN = 50;
const CLASS_ROWS_MIN = 20;
/** How much of the way from the accuracy of guessing the largest class to 1 the other folds must go. */
const SKILL_MIN = 0.5;
/** Standard deviations by which they must be better than guessing. */
const DEVIATIONS_MIN = 4;
/** Share of the labels that may be in doubt: of more, it is the view that is wrong. */
const DOUBTED_SHARE_MAX = 0.2;
/** The same of the labels of one class: of more, vectors do not tell it from the others. */
const DOUBTED_OF_CLASS_MAX = 0.4;
/** Widths of the probabilities that are tried: by as much the log-odds of the analysis are divided. */
const TEMPERATURES = Array.from({ length: 17 }, (_, n) => 0.25 * Math.SQRT2 ** n);
/** Shares of labels that may be drawn at random, and the part of even noise in the counted one. */
const NOISE_SHARES = [0.002, 0.01, 0.03, 0.1, 0.2, 0.3];
const EVEN_PART = 0.05;
/** Rows by which the width is chosen. */
const TRIED_ROWS_MAX = 4000;

/** Whether there are rows enough to learn the labels from. */
export const hasLabelsEnough = (labelled: number, classes: number): boolean =>
  classes >= 2 && labelled >= Math.max(ROWS_MIN, CLASS_ROWS_MIN * classes);

/**
 * Estimates which labels are wrong, by confident learning (Northcutt, Jiang, Chuang 2021): a label counts as wrong where
 * another class is at least as probable as it is on average for rows that have that label. Those rows are left out, and
 * the others are learned from again.
 *
 * The probability that a label is wrong is that of a noise by which labels come from true classes: none, an even one, or
 * the transitions that confident learning counts, whichever explains the given labels best for its number of parameters.
 * Where rows are merely hard to tell, that is none.
 *
 * @returns null if labels do not depend enough on what vectors tell; else for each row what is doubtful, null for rows
 *   without a label
 */
export function doubtLabels(
  column: LabelColumn,
  vectorOf: Int32Array,
  vectors: Vectors,
): (LabelDoubt | null)[] | null {
  const { classOf, classes } = column;
  const labelled = [...classOf.keys()].filter((row) => (classOf[row] as number) >= 0);
  if (!hasLabelsEnough(labelled.length, classes)) return null;
  const rows = {
    classOf,
    vectorOf,
    classes,
    foldOf: foldsOf(column),
    folds: FOLDS,
    weightOf: new Float64Array(classOf.length).fill(1),
  };
  const shrinkage = Math.max(0.1, vectors.dimensions / (vectors.dimensions + labelled.length / 2));
  let scores = discriminate(rows, vectors, shrinkage);
  if (!isTold(column, labelled, scores)) return null;
  const exact = [withoutNoise(classes)];
  let view = viewOf(column, labelled, scores, chooseNoise(column, labelled, scores, exact).temperature);
  const doubted = labelled.filter((row) => view[row]?.isConfident);
  if (doubted.length > DOUBTED_SHARE_MAX * labelled.length) return null;
  for (const row of doubted) rows.weightOf[row] = 0;
  scores = discriminate(rows, vectors, shrinkage);
  view = withoutUntoldClasses(
    column,
    viewOf(column, labelled, scores, chooseNoise(column, labelled, scores, exact).temperature),
  );
  const noises = [
    ...exact,
    ...NOISE_SHARES.map((share) => evenNoise(classes, share)),
    ...countedNoises(column, view),
  ];
  const { temperature, noise } = chooseNoise(column, labelled, scores, noises);
  const chances = new Float64Array(classes);
  return view.map((doubt, row) => {
    if (doubt === null) return null;
    writeChances(scores, row, temperature, chances);
    const given = classOf[row] as number;
    const right = (chances[given] as number) * (noise[given * classes + given] as number);
    return { ...doubt, score: 1 - right / Math.max(likelihoodOf(chances, noise, given), 1e-12) };
  });
}

/** Takes back the doubt about classes of which too many labels are doubted: they are another class under a second name. */
function withoutUntoldClasses<T extends Omit<LabelDoubt, 'score'>>(
  { classOf, classes }: LabelColumn,
  view: readonly (T | null)[],
): (T | null)[] {
  const [counts, doubted] = [new Uint32Array(classes), new Uint32Array(classes)];
  for (const [row, doubt] of view.entries()) {
    if (doubt === null) continue;
    const given = classOf[row] as number;
    counts[given] = (counts[given] as number) + 1;
    if (doubt.isConfident) doubted[given] = (doubted[given] as number) + 1;
  }
  return view.map((doubt, row) => {
    const given = classOf[row] as number;
    return doubt !== null && (doubted[given] as number) > DOUBTED_OF_CLASS_MAX * (counts[given] as number)
      ? { ...doubt, isConfident: false }
      : doubt;
  });
}

/** For each class, the probabilities of the labels that its rows are given. */
type Noise = Float64Array;

const withoutNoise = (classes: number): Noise => evenNoise(classes, 0);

function evenNoise(classes: number, share: number): Noise {
  return Float64Array.from({ length: classes ** 2 }, (_, at) =>
    Math.floor(at / classes) === at % classes ? 1 - share + share / classes : share / classes,
  );
}

/** Noise between classes as often as confident learning counts it, and half of that. */
function countedNoises(
  { classOf, classes }: LabelColumn,
  view: readonly (Omit<LabelDoubt, 'score'> | null)[],
): Noise[] {
  const joint = new Float64Array(classes ** 2);
  const counts = new Float64Array(classes);
  for (const [row, doubt] of view.entries()) {
    if (doubt === null) continue;
    const given = classOf[row] as number;
    const believed = doubt.isConfident ? doubt.better : given;
    joint[believed * classes + given] = (joint[believed * classes + given] as number) + 1;
    counts[believed] = (counts[believed] as number) + 1;
  }
  const even = evenNoise(classes, EVEN_PART);
  return [0.5, 1].map((part) =>
    joint.map((count, at) => {
      const believed = Math.floor(at / classes);
      const counted = count / Math.max(1, counts[believed] as number);
      const isSame = believed === at % classes ? 1 : 0;
      return (1 - EVEN_PART) * (part * counted + (1 - part) * isSame) + EVEN_PART * (even[at] as number);
    }),
  );
}

/** The probability of a label, of a row whose classes have these probabilities. */
function likelihoodOf(chances: Float64Array, noise: Noise, given: number): number {
  let sum = 0;
  for (let each = 0; each < chances.length; each += 1) {
    sum += (chances[each] as number) * (noise[each * chances.length + given] as number);
  }
  return sum;
}

/** Deals the rows of each class to the folds by turns, but equal prompts to one. */
function foldsOf({ classOf, classes, groupOf }: LabelColumn): Uint8Array {
  const dealt = new Uint32Array(classes);
  const foldOfGroup = new Map<number, number>();
  return Uint8Array.from(classOf, (each, row) => {
    if (each < 0) return 0;
    const known = foldOfGroup.get(groupOf[row] as number);
    if (known !== undefined) return known;
    const fold = (dealt[each] as number) % FOLDS;
    dealt[each] = (dealt[each] as number) + 1;
    foldOfGroup.set(groupOf[row] as number, fold);
    return fold;
  });
}

/** Whether the classes that other folds say are right clearly more often than the largest class is. */
function isTold(
  { classOf, classes }: LabelColumn,
  labelled: readonly number[],
  scores: Float32Array,
): boolean {
  const counts = new Uint32Array(classes);
  let right = 0;
  for (const row of labelled) {
    const given = classOf[row] as number;
    counts[given] = (counts[given] as number) + 1;
    const said = scores.subarray(row * classes, (row + 1) * classes);
    if (said.every((score, each) => each === given || score < (said[given] as number))) right += 1;
  }
  const guessed = Math.max(...counts) / labelled.length;
  const accuracy = right / labelled.length;
  const deviation = Math.sqrt((guessed * (1 - guessed)) / labelled.length);
  return accuracy - guessed > Math.max(SKILL_MIN * (1 - guessed), DEVIATIONS_MIN * deviation);
}

/** Writes the probabilities of the classes of a row. */
function writeChances(scores: Float32Array, row: number, temperature: number, to: Float64Array): void {
  const start = row * to.length;
  let largest = Number.NEGATIVE_INFINITY;
  for (let each = 0; each < to.length; each += 1) largest = Math.max(largest, scores[start + each] as number);
  let sum = 0;
  for (let each = 0; each < to.length; each += 1) {
    to[each] = Math.exp(((scores[start + each] as number) - largest) / temperature);
    sum += to[each] as number;
  }
  for (let each = 0; each < to.length; each += 1) to[each] = (to[each] as number) / sum;
}

/** What a noise costs by its parameters: the Bayesian information criterion (Schwarz 1978), of the transitions that it has. */
function penaltyOf(noise: Noise, rows: number): number {
  const parameters = new Set(noise).size - 1;
  return (parameters * Math.log(rows)) / 2;
}

/** The width and the noise under which the given labels are the likeliest. */
function chooseNoise(
  { classOf, classes }: LabelColumn,
  labelled: readonly number[],
  scores: Float32Array,
  noises: readonly Noise[],
): { temperature: number; noise: Noise } {
  const tried = drawRows(labelled, TRIED_ROWS_MAX);
  const chances = new Float64Array(classes);
  let best = {
    temperature: 1,
    noise: noises[0] ?? withoutNoise(classes),
    likelihood: Number.NEGATIVE_INFINITY,
  };
  for (const temperature of TEMPERATURES) {
    const likelihoods = new Float64Array(noises.length);
    for (const row of tried) {
      writeChances(scores, row, temperature, chances);
      for (const [n, noise] of noises.entries()) {
        const likelihood = likelihoodOf(chances, noise, classOf[row] as number);
        likelihoods[n] = (likelihoods[n] as number) + Math.log(likelihood + 1e-12);
      }
    }
    for (const [n, noise] of noises.entries()) {
      const likelihood = (likelihoods[n] as number) - penaltyOf(noise, tried.length);
      if (likelihood > best.likelihood) best = { temperature, noise, likelihood };
    }
  }
  return best;
}

/** The better class of each row, its margin, and whether it is confident; without a score. */
function viewOf(
  { classOf, classes }: LabelColumn,
  labelled: readonly number[],
  scores: Float32Array,
  temperature: number,
): (Omit<LabelDoubt, 'score'> | null)[] {
  const chances = new Float64Array(classes);
  const [sums, counts] = [new Float64Array(classes), new Float64Array(classes)];
  for (const row of labelled) {
    const given = classOf[row] as number;
    writeChances(scores, row, temperature, chances);
    sums[given] = (sums[given] as number) + (chances[given] as number);
    counts[given] = (counts[given] as number) + 1;
  }
  const view = new Array<Omit<LabelDoubt, 'score'> | null>(classOf.length).fill(null);
  for (const row of labelled) {
    const given = classOf[row] as number;
    writeChances(scores, row, temperature, chances);
    let better = given === 0 ? 1 : 0;
    for (let each = 0; each < classes; each += 1) {
      if (each !== given && (chances[each] as number) > (chances[better] as number)) better = each;
    }
    const margin = (chances[better] as number) - (chances[given] as number);
    const threshold = (sums[better] as number) / (counts[better] as number);
    view[row] = { better, margin, isConfident: margin > 0 && (chances[better] as number) >= threshold };
  }
  return view;
}
