import type { RowChecks, RowComparison } from '#shared/runs/schema/row-score.ts';
import { type CheckRates, EditKind, editKindOf } from './known-check-rates.ts';
import { clipToShare, jeffreysRate, type Rate, roganGladen } from './rogan-gladen.ts';

/**
 * The share of corrected answers that are right, where no rows tell: a run corrects an answer only if it is wrong with at least
 * this probability (`REPLACED_MIN` of the witnesses).
 */
export const CORRECTED_RIGHT = 0.9;

/** A row with the results of the checks and the judge. */
export interface CheckedRow {
  readonly checks: RowChecks;
  readonly comparison?: RowComparison | undefined;
}

/** Accuracy of a judge on pairs with a known better answer. */
export interface JudgeErrorRates {
  /** Of the pairs whose new answer is better: the share in which the judge chooses it. */
  readonly accuracy: number;
  /** Of the pairs whose original is better: the share in which the judge chooses the new answer. */
  readonly false_acceptance: number;
  /** Number of pairs for each of the two rates. */
  readonly n: number;
}

export interface Interval {
  readonly value: number;
  readonly interval95: readonly [number, number];
}

/** Rows with an outcome: their expected number in the sample, and their share. */
export interface ExpectedRows {
  readonly rows: number;
  readonly share: number;
  readonly interval95: readonly [number, number];
}

export interface QualityEstimate {
  /** 0 to 10; null if no row had an original. */
  readonly before: Interval | null;
  readonly after: Interval;
  /** After less before, −10 to 10; null without a before. */
  readonly difference: Interval | null;
  readonly rows: {
    readonly unchanged: ExpectedRows;
    readonly changed: ExpectedRows;
    /** Null if there is nothing to compare with. */
    readonly gotBetter: ExpectedRows | null;
    readonly gotWorse: ExpectedRows | null;
    /** Changed rows that are as right, or as wrong, as before. */
    readonly undecided: ExpectedRows | null;
  };
  readonly byEdit: Readonly<Partial<Record<EditKind, { readonly rows: number; readonly precision: number }>>>;
  /** The pairs that the judge decided: wins of the new answer, raw and corrected for the judge's errors. */
  readonly judged: {
    readonly pairs: number;
    readonly winRate: number | null;
    readonly winRateCorrected: number | null;
  };
}

const Z975 = 1.959963984540054;
const SCALE = 10;

/**
 * Estimates how good the answers of a dataset are before and after a run, from sampled rows.
 *
 * Each row has a value before and after: the probability that its answer is right, well written and in form. Before,
 * the share of rows without a defect is corrected for the errors of the checks (`roganGladen`), and a row has the share
 * of right ones among those with (or without) a defect. After, an unchanged row keeps its value. A changed row was
 * selected because it passes the checks, so passing them is no evidence: its value is the share of right answers among
 * known edits of its kind. Of a corrected row, verification says how probably the original was wrong and the new answer is
 * right. A row that was put into another form keeps its value, unless a judge prefers the edit or
 * repeated calls agree on it. If an answer without a defect lost its form or a fact, or gained a defect, or if a judge
 * prefers the original, the value falls from 1 to 0; if the judge prefers the new answer, it is 1, corrected for the
 * judge's errors.
 *
 * Intervals include the variance of the sample and of every rate, by the delta method. Null without rows.
 */
export function estimateQuality(
  rows: readonly CheckedRow[],
  rates: CheckRates,
  judge: JudgeErrorRates | null,
): QualityEstimate | null {
  if (rows.length === 0) return null;
  const isInformative = judge === null || judge.accuracy > judge.false_acceptance;
  const classes = classify(rows, isInformative);
  const paired = classes.filter(({ origin }) => origin !== 'absent');
  const cells = paired.length > 0 ? paired : classes;
  const hasBefore = paired.length > 0;
  const known = readRates(rates, judge);
  const count = countOf(cells);

  const scoreOf = (figure: Figure, range: readonly [number, number]): Interval => {
    const value = estimate(figure, cells, valuesOf(known), true);
    const half = Z975 * Math.sqrt(varianceOf(figure, cells, known));
    const at = (bound: number): number => Math.min(range[1], Math.max(range[0], SCALE * bound));
    return { value: SCALE * value, interval95: [at(value - half), at(value + half)] };
  };
  const expected = (figure: Figure): ExpectedRows => {
    const share = clipToShare(estimate(figure, cells, valuesOf(known), true));
    return {
      rows: share * count,
      share,
      interval95: shareInterval(share, count, varianceOf(figure, cells, known)),
    };
  };

  const decided = rows.flatMap(({ comparison }) => (comparison?.winner ? [comparison.winner] : []));
  const winRate =
    decided.length === 0 ? null : decided.filter((winner) => winner === 'after').length / decided.length;
  return {
    before: hasBefore ? scoreOf('before', [0, SCALE]) : null,
    after: scoreOf('after', [0, SCALE]),
    difference: hasBefore ? scoreOf('difference', [-SCALE, SCALE]) : null,
    rows: {
      unchanged: expected('unchanged'),
      changed: expected('changed'),
      gotBetter: hasBefore ? expected('better') : null,
      gotWorse: hasBefore ? expected('worse') : null,
      undecided: hasBefore ? expected('undecided') : null,
    },
    byEdit: precisionByEdit(rows, known),
    judged: {
      pairs: decided.length,
      winRate,
      winRateCorrected:
        winRate === null || judge === null ? null : correctedWinRate(winRate, valuesOf(known), true),
    },
  };
}

/** The original answer of the row: `absent` if the run reads no answers. */
type Origin = 'absent' | 'empty' | 'defective' | 'sound';
/** The outcome of the row. */
type Fate =
  | 'unchanged'
  | 'edited'
  | 'verified'
  | 'unproven'
  | 'harmed'
  | 'still_defective'
  | 'judged_better'
  | 'judged_worse';

/** Rows with the same values. */
interface RowClass {
  readonly origin: Origin;
  readonly fate: Fate;
  /** The kind of edit whose precision applies; `any_edit` if the kind is unknown. */
  readonly edit: EditKind | 'any_edit';
  readonly rows: number;
}

function classify(rows: readonly CheckedRow[], isJudgeInformative: boolean): RowClass[] {
  const classes = new Map<string, RowClass>();
  for (const row of rows) {
    const origin = originOf(row.checks);
    const fate = fateOf(row, origin, isJudgeInformative);
    const edit = editKindOf(row.checks.edit) ?? 'any_edit';
    const key = `${origin} ${fate} ${edit}`;
    classes.set(key, { origin, fate, edit, rows: (classes.get(key)?.rows ?? 0) + 1 });
  }
  return [...classes.values()];
}

function originOf({ has_original, before_defect }: RowChecks): Origin {
  if (!has_original) return 'absent';
  if (before_defect === 'empty') return 'empty';
  return before_defect === null ? 'sound' : 'defective';
}

function fateOf({ checks, comparison }: CheckedRow, origin: Origin, isJudgeInformative: boolean): Fate {
  if (!checks.changed) return 'unchanged';
  if (isVerified(checks)) return 'verified';
  if (origin === 'sound' && (checks.harm !== null || checks.after_defect !== null)) return 'harmed';
  if (checks.after_defect !== null) return 'still_defective';
  const preferred = isJudgeInformative ? comparison?.winner : null;
  if (isUnproven(checks) && preferred !== 'after') return 'unproven';
  const winner = origin === 'sound' ? preferred : null;
  if (winner === 'after') return 'judged_better';
  return winner === 'before' ? 'judged_worse' : 'edited';
}

/**
 * Whether nothing but the reading of the demanded form says that an answer was wrong, and that its edit is right: the same
 * reading made the edit, so it is no evidence.
 */
export function isUnproven({ before_defect, edit }: RowChecks): boolean {
  return before_defect === 'form_broken' && edit?.evidence === 'checked';
}

/** Whether verification replaced a false answer: that the new one says something else is no harm. */
export function isVerified({ edit, after_defect }: RowChecks): boolean {
  return edit?.kind === 'corrected' && after_defect === null;
}

type RateName = 'sensitivity' | 'specificity' | 'accuracy' | 'false_acceptance' | 'any_edit' | EditKind;
type Values = Readonly<Record<RateName, number>>;

function readRates(rates: CheckRates, judge: JudgeErrorRates | null): Record<RateName, Rate> {
  const edits = Object.fromEntries(
    EditKind.options.map((kind) => [kind, jeffreysRate(rates.edits[kind].right, rates.edits[kind].of)]),
  ) as Record<EditKind, Rate>;
  if (rates.edits.corrected.of === 0) {
    edits.corrected = { value: CORRECTED_RIGHT, variance: ((1 - CORRECTED_RIGHT) / 2) ** 2 };
  }
  const all = Object.values(rates.edits);
  const sum = (of: 'right' | 'of'): number => all.reduce((total, edit) => total + edit[of], 0);
  // Without known error rates the judge's verdicts are assumed to be right.
  const judged = (share: number, n: number): Rate => jeffreysRate(share * n, n);
  const certain = (value: number): Rate => ({ value, variance: 0 });
  return {
    ...edits,
    any_edit: jeffreysRate(sum('right'), sum('of')),
    sensitivity: jeffreysRate(rates.sensitivity.hits, rates.sensitivity.of),
    specificity: jeffreysRate(rates.specificity.hits, rates.specificity.of),
    accuracy: judge === null ? certain(1) : judged(judge.accuracy, judge.n),
    false_acceptance: judge === null ? certain(0) : judged(judge.false_acceptance, judge.n),
  };
}

function valuesOf(rates: Readonly<Record<RateName, Rate>>): Values {
  return Object.fromEntries(Object.entries(rates).map(([name, { value }]) => [name, value])) as Record<
    RateName,
    number
  >;
}

function correctedWinRate(winRate: number, values: Values, isClipped: boolean): number {
  const corrected = roganGladen(winRate, values.accuracy, 1 - values.false_acceptance) ?? winRate;
  return isClipped ? clipToShare(corrected) : corrected;
}

/** Estimated quality of rows by their checks. */
interface QualityPriors {
  /** Share of right answers among those with a detected defect, and among those without. */
  readonly defective: number;
  readonly sound: number;
  /** Probability that the new answer is better if the judge prefers it, and if the judge prefers the original. */
  readonly judgedBetter: number;
  readonly judgedWorse: number;
}

/** Shares below this count as empty, so that nothing is divided by them. */
const NOTHING = 1e-9;

/**
 * By Bayes' rule from the corrected shares. Without clipping the results are smooth in their inputs, as the delta
 * method requires; they may be outside 0 to 1.
 */
function beliefsOf(cells: readonly RowClass[], values: Values, isClipped: boolean): QualityPriors {
  const rowsOf = (field: 'origin' | 'fate', wanted: Origin | Fate): number =>
    cells.reduce((sum, cell) => sum + (cell[field] === wanted ? cell.rows : 0), 0);
  const shareOf = (some: number, others: number): number =>
    some + others < NOTHING ? 0 : some / (some + others);

  const { sensitivity, specificity, accuracy, false_acceptance } = values;
  const apparent = shareOf(rowsOf('origin', 'defective'), rowsOf('origin', 'sound'));
  const corrected = roganGladen(apparent, sensitivity, specificity) ?? apparent;
  const wrong = isClipped ? clipToShare(corrected) : corrected;
  const seen = sensitivity * wrong + (1 - specificity) * (1 - wrong);

  const winRate = shareOf(rowsOf('fate', 'judged_better'), rowsOf('fate', 'judged_worse'));
  const better = correctedWinRate(winRate, values, isClipped);
  const named = accuracy * better + false_acceptance * (1 - better);
  return {
    defective: seen < NOTHING ? 0 : 1 - (sensitivity * wrong) / seen,
    sound: 1 - seen < NOTHING ? 1 : 1 - ((1 - sensitivity) * wrong) / (1 - seen),
    judgedBetter: named < NOTHING ? 1 : (accuracy * better) / named,
    judgedWorse: 1 - named < NOTHING ? 0 : ((1 - accuracy) * better) / (1 - named),
  };
}

/** Values of a row; the estimate is their mean over the rows. */
type Figure = 'before' | 'after' | 'difference' | 'unchanged' | 'changed' | 'better' | 'worse' | 'undecided';

function figuresOf(
  { origin, fate, edit }: RowClass,
  beliefs: QualityPriors,
  values: Values,
): { before: number; after: number; better: number; worse: number } {
  const stood = origin === 'sound' || origin === 'defective' ? beliefs[origin] : 0;
  switch (fate) {
    case 'unchanged':
    case 'unproven':
      return { before: stood, after: stood, better: 0, worse: 0 };
    case 'harmed':
      return { before: 1, after: 0, better: 0, worse: 1 };
    case 'still_defective': {
      const after = origin === 'defective' ? stood : 0;
      return { before: stood, after, better: 0, worse: 0 };
    }
    case 'judged_better':
    case 'judged_worse': {
      const better = fate === 'judged_better' ? beliefs.judgedBetter : beliefs.judgedWorse;
      return { before: better * stood + 1 - better, after: better, better, worse: 1 - better };
    }
    case 'verified': {
      const after = values.corrected;
      return { before: 1 - after, after, better: after, worse: 1 - after };
    }
    case 'edited': {
      const after = values[edit];
      // The accuracy of edits does not depend on which originals were right.
      return { before: stood, after, better: (1 - stood) * after, worse: stood * (1 - after) };
    }
  }
}

function figureOf(figure: Figure, cell: RowClass, beliefs: QualityPriors, values: Values): number {
  const figures = figuresOf(cell, beliefs, values);
  const changed = cell.fate === 'unchanged' ? 0 : 1;
  switch (figure) {
    case 'difference':
      return figures.after - figures.before;
    case 'unchanged':
      return 1 - changed;
    case 'changed':
      return changed;
    case 'undecided':
      return changed - figures.better - figures.worse;
    default:
      return figures[figure];
  }
}

function estimate(figure: Figure, cells: readonly RowClass[], values: Values, isClipped: boolean): number {
  const beliefs = beliefsOf(cells, values, isClipped);
  const sum = cells.reduce((total, cell) => total + cell.rows * figureOf(figure, cell, beliefs, values), 0);
  return sum / countOf(cells);
}

/** Half the width of the finite differences: errors grow with its square. */
const STEP = 1e-5;

/**
 * Variance of an estimate by the delta method: Σ (∂θ/∂rate)² · Var(rate) over the rates, and for the sample of n rows
 * Σ share · (∂θ/∂share)² / n over the classes of rows, which are drawn as from a multinomial.
 */
function varianceOf(
  figure: Figure,
  seen: readonly RowClass[],
  rates: Readonly<Record<RateName, Rate>>,
): number {
  const cells = smoothed(seen);
  const values = valuesOf(rates);
  const slope = (at: (shift: number) => number): number => (at(STEP) - at(-STEP)) / (2 * STEP);

  let variance = 0;
  for (const [name, rate] of Object.entries(rates) as [RateName, Rate][]) {
    if (rate.variance === 0) continue;
    const byRate = slope((shift) =>
      estimate(figure, cells, { ...values, [name]: rate.value + shift }, false),
    );
    variance += byRate ** 2 * rate.variance;
  }
  const all = countOf(cells);
  for (const [place, cell] of cells.entries()) {
    const byShare =
      all *
      slope((shift) =>
        estimate(figure, cells.with(place, { ...cell, rows: cell.rows + shift }), values, false),
      );
    variance += ((cell.rows / all) * byShare ** 2) / countOf(seen);
  }
  return variance;
}

/**
 * The classes with two additional rows that changed like the others, and four that did not, two of them with a defect
 * (Agresti and Coull, The American Statistician 52, 1998): a sample without detected defects, or with one changed row,
 * does not give certain shares. If no row changed, none is added.
 */
function smoothed(cells: readonly RowClass[]): RowClass[] {
  const changed = countOf(cells.filter(({ fate }) => fate !== 'unchanged'));
  const more = cells.map((cell) =>
    cell.fate === 'unchanged' ? cell : { ...cell, rows: (cell.rows * (changed + 2)) / changed },
  );
  const isChecked = cells.some(({ origin }) => origin === 'defective' || origin === 'sound');
  if (!isChecked) return more;
  const unchanged = { fate: 'unchanged', edit: 'any_edit', rows: 2 } as const;
  return [...more, { origin: 'defective', ...unchanged }, { origin: 'sound', ...unchanged }];
}

function countOf(cells: readonly RowClass[]): number {
  return cells.reduce((sum, { rows }) => sum + rows, 0);
}

/**
 * The interval of a share by Agresti and Coull, with as many rows as its variance is worth (Korn and Graubard, Survey
 * Methodology 24, 1998), at most the actual number: zero of five rows does not prove zero of all.
 */
function shareInterval(share: number, count: number, variance: number): readonly [number, number] {
  const spread = share * (1 - share);
  const n = spread === 0 || variance === 0 ? count : Math.min(count, spread / variance);
  const centre = (share * n + Z975 ** 2 / 2) / (n + Z975 ** 2);
  const half = Z975 * Math.sqrt((centre * (1 - centre)) / (n + Z975 ** 2));
  return [clipToShare(centre - half), clipToShare(centre + half)];
}

function precisionByEdit(
  rows: readonly CheckedRow[],
  rates: Readonly<Record<RateName, Rate>>,
): QualityEstimate['byEdit'] {
  const counts = new Map<EditKind, number>();
  for (const { checks } of rows) {
    const kind = editKindOf(checks.edit);
    if (checks.changed && kind !== undefined && !isUnproven(checks)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return Object.fromEntries(
    [...counts].map(([kind, count]) => [kind, { rows: count, precision: rates[kind].value }]),
  );
}
