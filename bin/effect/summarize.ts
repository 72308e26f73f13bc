import { wordsOf } from '#shared/domain/evaluation/words.ts';
import type { LabDataset, LabResult } from './result.ts';
import { EXACT_KINDS, KINDS, type Kind, type Quality } from './row.ts';

/** How many of how many. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

/** What became of some rows. */
export interface Summary {
  readonly rows: number;
  readonly changed: number;
  readonly kept: number;
  readonly failed: number;
  /** Right before and wrong after, of those that were right before. */
  readonly harm: Share;
  /** Wrong before and right after, of those that were wrong before: by what was wrong with them. */
  readonly gain: Share;
  readonly gainOfWrong: Share;
  /** Median of words after by words before, of changed rows that had words before; null where there are none. */
  readonly growth: number | null;
  /** Means a row. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly seconds: number;
}

export interface LabSummary {
  readonly all: Summary;
  /** Kinds in which an answer is right or wrong to the letter, and all others. */
  readonly exact: Summary;
  readonly open: Summary;
  readonly byKind: ReadonlyMap<Kind, Summary>;
  readonly harmed: readonly LabResult[];
  /** What learning of datasets took in all, beside what rows took. */
  readonly learning: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number };
}

/** Flaws that show in the text itself; whether a well-written answer is false does not. */
const VISIBLE_FLAWS: ReadonlySet<Quality> = new Set<Quality>([
  'careless',
  'empty',
  'cut_off',
  'wrong_language',
]);

export function summarize(results: readonly LabResult[], datasets: readonly LabDataset[] = []): LabSummary {
  const present = KINDS.filter((kind) => results.some((result) => result.kind === kind));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    all: summarizeRows(results),
    exact: summarizeRows(results.filter(({ kind }) => EXACT_KINDS.has(kind))),
    open: summarizeRows(results.filter(({ kind }) => !EXACT_KINDS.has(kind))),
    byKind: new Map(
      present.map((kind) => [kind, summarizeRows(results.filter((result) => result.kind === kind))]),
    ),
    harmed: results.filter(isHarmed),
    learning: {
      calls: sum(datasets.map(({ calls }) => calls)),
      inputTokens: sum(datasets.map(({ input_tokens }) => input_tokens)),
      outputTokens: sum(datasets.map(({ output_tokens }) => output_tokens)),
    },
  };
}

function isHarmed({ before_ok, after_ok }: LabResult): boolean {
  return before_ok && !after_ok;
}

function summarizeRows(rows: readonly LabResult[]): Summary {
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

function shareOf(rows: readonly LabResult[], is: (row: LabResult) => boolean): Share {
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

/** Standard deviations around the middle of a normal distribution that hold 95 % of it. */
const Z = 1.959964;

/** The 95 % interval of a share after Wilson, which is sound for few rows and shares near 0 and 1. */
export function wilsonInterval({ count, of }: Share): readonly [number, number] {
  if (of === 0) return [0, 1];
  const share = count / of;
  const centre = share + Z ** 2 / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const scale = 1 + Z ** 2 / of;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}
