import { discriminate } from './discriminant.ts';
import { drawRows } from './draw-rows.ts';
import { logOdds, probability } from './learn-fit.ts';
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
/** Widths of the probabilities that are tried: by as much the log-odds of the analysis are divided. */
const TEMPERATURES = Array.from({ length: 17 }, (_, n) => 0.25 * Math.SQRT2 ** n);
/** Rows by which the width is chosen. */
const TRIED_ROWS_MAX = 4000;

/**
 * Estimates which labels are wrong, by confident learning (Northcutt, Jiang, Chuang 2021): a label counts as wrong where
 * another class is at least as probable as it is on average for rows that have that label. Those rows are left out, and
 * the others are learned from again.
 *
 * The probability that a label is wrong is that of a mixture: labels are drawn from the classes' probabilities, or, with
 * a probability that is estimated with them, at random. Where rows are merely hard to tell, none are drawn at random.
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
  if (classes < 2 || labelled.length < Math.max(ROWS_MIN, CLASS_ROWS_MIN * classes)) return null;
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
  let view = viewOf(column, labelled, scores, chooseTemperature(column, labelled, scores, 0).temperature);
  const doubted = labelled.filter((row) => view[row]?.isConfident);
  if (doubted.length > DOUBTED_SHARE_MAX * labelled.length) return null;
  for (const row of doubted) rows.weightOf[row] = 0;
  scores = discriminate(rows, vectors, shrinkage);
  view = viewOf(column, labelled, scores, chooseTemperature(column, labelled, scores, 0).temperature);
  const noise = [0.002, 0.01, 0.03, 0.1, 0.2, 0.3]
    .map((share) => chooseTemperature(column, labelled, scores, share))
    .concat(chooseTemperature(column, labelled, scores, 0))
    .reduce((a, b) => (b.likelihood > a.likelihood ? b : a));
  const chances = new Float64Array(classes);
  return view.map((doubt, row) => {
    if (doubt === null) return null;
    writeChances(scores, row, noise.temperature, chances);
    const drawn = Math.max(chances[classOf[row] as number] as number, 1e-12);
    const score =
      noise.share === 0 ? 0 : probability(logOdds(noise.share) - Math.log(classes) - Math.log(drawn));
    return { ...doubt, score };
  });
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

interface Noise {
  readonly temperature: number;
  readonly share: number;
  readonly likelihood: number;
}

/** The width under which the given labels are the likeliest, if a share of them was drawn at random. */
function chooseTemperature(
  { classOf, classes }: LabelColumn,
  labelled: readonly number[],
  scores: Float32Array,
  share: number,
): Noise {
  const tried = drawRows(labelled, TRIED_ROWS_MAX);
  const chances = new Float64Array(classes);
  return TEMPERATURES.map((temperature): Noise => {
    let likelihood = 0;
    for (const row of tried) {
      writeChances(scores, row, temperature, chances);
      likelihood += Math.log(
        (1 - share) * (chances[classOf[row] as number] as number) + share / classes + 1e-12,
      );
    }
    return { temperature, share, likelihood };
  }).reduce((a, b) => (b.likelihood > a.likelihood ? b : a));
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
