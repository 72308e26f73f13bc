import { wordsOf } from '#shared/answers/decide/words.ts';
import { type CheckRates, knownCheckRates } from '#shared/judging/decide/known-check-rates.ts';
import { estimateQuality } from '#shared/judging/decide/quality-estimate.ts';
import { wilsonInterval as wilson } from '#shared/judging/decide/statistics.ts';
import { AnswerEdit } from '#shared/runs/schema/run-result.ts';
import type { LabDataset, LabResult } from './result.ts';
import { EXACT_KINDS, KINDS, type Kind, type Quality } from './row.ts';

/** A count out of a total. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

/** The evidence for the change of a corrected row; `unknown` in results without it. */
export const EVIDENCE = [...AnswerEdit.shape.evidence.options, 'unknown'] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** The values that an evaluation of the service would report for the rows, 0 to 10, next to those of the checkers. */
export interface ServiceFigure {
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** 95 % interval of the difference. */
  readonly interval95: readonly [number, number];
  /**
   * Whether difference and effect have the same sign; an effect of zero also agrees with an interval that contains
   * zero.
   */
  readonly signAgrees: boolean;
  readonly holdsEffect: boolean;
}

/** Aggregated results of some rows. */
export interface Summary {
  readonly rows: number;
  readonly changed: number;
  readonly kept: number;
  readonly failed: number;
  /** Right before and wrong after, out of those that were right before. */
  readonly harm: Share;
  /** Wrong before and right after, out of those that were wrong before, by defect. */
  readonly gain: Share;
  readonly gainOfWrong: Share;
  /** All changed rows that were wrong before and right after, by evidence. */
  readonly gainBy: Readonly<Record<Evidence, number>>;
  /** Out of the rows with a careless, empty or truncated completion: those that were changed. */
  readonly flawedChanged: Share;
  readonly rightBefore: Share;
  readonly rightAfter: Share;
  /** Share of rows that are right after less that before, times 10. */
  readonly effect: number;
  /** Null if no row was checked by the service. */
  readonly service: ServiceFigure | null;
  /** Median of words after by words before, over changed rows that had words before; null if there are none. */
  readonly growth: number | null;
  /** Means for each row. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly seconds: number;
}

export interface LabSummary {
  readonly all: Summary;
  /** Exact kinds, and all others. */
  readonly exact: Summary;
  readonly open: Summary;
  readonly byKind: ReadonlyMap<Kind, Summary>;
  readonly harmed: readonly LabResult[];
  /** Kinds in which the service's value has the sign of the effect, and those whose interval contains the effect. */
  readonly agreement: { readonly signs: Share; readonly intervals: Share };
  /** The measured rows and edits behind the rates of the service's values. */
  readonly rates: CheckRates['measured'];
  /** Total usage for learning datasets, besides that of rows. */
  readonly learning: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number };
}

/** Flaws that are visible in the text; a well-written false answer is not. */
export const VISIBLE_FLAWS: ReadonlySet<Quality> = new Set<Quality>([
  'careless',
  'empty',
  'cut_off',
  'wrong_language',
]);

/** @param rates accuracy of the service's checks, on which its values are based */
export function summarize(
  results: readonly LabResult[],
  datasets: readonly LabDataset[] = [],
  rates: CheckRates = knownCheckRates,
): LabSummary {
  const present = KINDS.filter((kind) => results.some((result) => result.kind === kind));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const of = (is: (result: LabResult) => boolean) => summarizeRows(results.filter(is), rates);
  const byKind = new Map(present.map((kind) => [kind, of((result) => result.kind === kind)]));
  const figures = [...byKind.values()].flatMap(({ service }) => (service === null ? [] : [service]));
  return {
    all: summarizeRows(results, rates),
    exact: of(({ kind }) => EXACT_KINDS.has(kind)),
    open: of(({ kind }) => !EXACT_KINDS.has(kind)),
    byKind,
    harmed: results.filter(isHarmed),
    agreement: {
      signs: shareOf(figures, ({ signAgrees }) => signAgrees),
      intervals: shareOf(figures, ({ holdsEffect }) => holdsEffect),
    },
    rates: rates.measured,
    learning: {
      calls: sum(datasets.map(({ calls }) => calls)),
      inputTokens: sum(datasets.map(({ input_tokens }) => input_tokens)),
      outputTokens: sum(datasets.map(({ output_tokens }) => output_tokens)),
    },
  };
}

/** Right before and wrong after. */
export function isHarmed({ before_ok, after_ok }: LabResult): boolean {
  return before_ok && !after_ok;
}

function summarizeRows(rows: readonly LabResult[], rates: CheckRates): Summary {
  const having = (outcome: LabResult['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  const mean = (of: (row: LabResult) => number) =>
    rows.length === 0 ? 0 : rows.reduce((total, row) => total + of(row), 0) / rows.length;
  return {
    rows: rows.length,
    changed: having('changed'),
    kept: having('kept'),
    failed: having('failed'),
    harm: shareOf(
      rows.filter(({ before_ok }) => before_ok),
      isHarmed,
    ),
    gain: gainOf(rows.filter(({ quality }) => VISIBLE_FLAWS.has(quality))),
    gainOfWrong: gainOf(rows.filter(({ quality }) => quality === 'wrong')),
    gainBy: gainByEvidence(rows),
    flawedChanged: shareOf(
      rows.filter(({ quality }) => quality !== 'wrong_language' && VISIBLE_FLAWS.has(quality)),
      ({ outcome }) => outcome === 'changed',
    ),
    rightBefore: shareOf(rows, ({ before_ok }) => before_ok),
    rightAfter: shareOf(rows, ({ after_ok }) => after_ok),
    effect: effectOf(rows),
    service: serviceFigureOf(rows, rates),
    growth: growthOf(rows),
    calls: mean(({ calls }) => calls),
    inputTokens: mean(({ input_tokens }) => input_tokens),
    outputTokens: mean(({ output_tokens }) => output_tokens),
    seconds: mean(({ seconds }) => seconds),
  };
}

function gainOf(rows: readonly LabResult[]): Share {
  return shareOf(
    rows.filter(({ before_ok }) => !before_ok),
    ({ after_ok }) => after_ok,
  );
}

function gainByEvidence(rows: readonly LabResult[]): Record<Evidence, number> {
  const gained = rows.filter((row) => row.outcome === 'changed' && !row.before_ok && row.after_ok);
  const count = (evidence: Evidence) =>
    gained.filter(({ edit }) => (edit?.evidence ?? 'unknown') === evidence).length;
  return Object.fromEntries(EVIDENCE.map((evidence) => [evidence, count(evidence)])) as Record<
    Evidence,
    number
  >;
}

function effectOf(rows: readonly LabResult[]): number {
  const count = (side: 'before_ok' | 'after_ok') => rows.filter((row) => row[side]).length;
  return rows.length === 0 ? 0 : (10 * (count('after_ok') - count('before_ok'))) / rows.length;
}

/** Smaller differences are rounding errors. */
const NOTHING = 1e-9;

function serviceFigureOf(rows: readonly LabResult[], rates: CheckRates): ServiceFigure | null {
  const checked = rows.flatMap(({ checks }) => (checks ? [{ checks }] : []));
  const estimate = estimateQuality(checked, rates, null);
  if (estimate === null || estimate.before === null || estimate.difference === null) return null;
  const { before, after, difference } = estimate;
  const effect = effectOf(rows);
  const holds = (value: number) =>
    value >= difference.interval95[0] - NOTHING && value <= difference.interval95[1] + NOTHING;
  const signOf = (value: number) => (Math.abs(value) < NOTHING ? 0 : Math.sign(value));
  return {
    before: before.value,
    after: after.value,
    difference: difference.value,
    interval95: difference.interval95,
    signAgrees: signOf(difference.value) === signOf(effect) || (signOf(effect) === 0 && holds(0)),
    holdsEffect: holds(effect),
  };
}

function shareOf<T>(rows: readonly T[], is: (row: T) => boolean): Share {
  return { count: rows.filter(is).length, of: rows.length };
}

function growthOf(rows: readonly LabResult[]): number | null {
  const ratios = rows
    .filter(({ outcome }) => outcome === 'changed')
    .map(({ original, adapted }) => ({ before: wordsOf(original).length, after: wordsOf(adapted).length }))
    .filter(({ before }) => before > 0)
    .map(({ before, after }) => after / before)
    .sort((a, b) => a - b);
  const middle = ratios.length / 2;
  const [low, high] = [ratios[Math.ceil(middle) - 1], ratios[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** The 95 % interval of a share, which is accurate for few rows and shares near 0 and 1. */
export function wilsonInterval({ count, of }: Share): readonly [number, number] {
  return of === 0 ? [0, 1] : wilson(count / of, of);
}
