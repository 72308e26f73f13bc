import { clipToShare, jeffreysRate, roganGladen } from '#shared/judging/decide/rogan-gladen.ts';
import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import type { VerdictRecord } from '#shared/review/decide/verdict.ts';
import type { CriterionResult, EvalRun, OutputItem } from '../schema/eval.ts';
import type { Grader, GraderResult } from '../schema/grader.ts';
import { shareOf } from './records.ts';

/** Output items that are named as deciding. */
const DECIDING_MAX = 20;

/** What people say of rows: right or wrong. Rows on which they disagree are missing. */
export function verdictsByRow(
  verdicts: readonly Pick<VerdictRecord, 'row' | 'verdict'>[],
): Map<number, boolean> {
  const said = new Map<number, Set<boolean>>();
  for (const { row, verdict } of verdicts) {
    said.set(row, (said.get(row) ?? new Set()).add(verdict === 'right'));
  }
  return new Map(
    [...said].flatMap(([row, each]) => (each.size === 1 ? [[row, each.has(true)] as const] : [])),
  );
}

export const countItems = (items: readonly Pick<OutputItem, 'status'>[]): EvalRun['result_counts'] => ({
  total: items.length,
  passed: items.filter(({ status }) => status === 'pass').length,
  failed: items.filter(({ status }) => status === 'fail').length,
  errored: items.filter(({ status }) => status === 'error').length,
});

interface Graded {
  readonly id: string;
  readonly row: number;
  readonly result: GraderResult;
}

/**
 * What a grader found, how sure that is, and which rows decided it.
 * @param n the place of the grader among those of the eval
 * @param verdicts whether people say that a row is right
 */
export function summarize(
  grader: Grader,
  n: number,
  items: readonly Pick<OutputItem, 'id' | 'datasource_item_id' | 'results'>[],
  verdicts: ReadonlyMap<number, boolean>,
): CriterionResult {
  const all = items.flatMap(({ id, datasource_item_id: row, results }): Graded[] => {
    const result = results[n];
    return result === undefined ? [] : [{ id, row, result }];
  });
  const graded = all.filter(({ result }) => result.error === null);
  const passed = graded.filter(({ result }) => result.passed);
  const failed = graded.filter(({ result }) => !result.passed);
  const threshold = middleOf(passed, failed);
  const rarer = passed.length < failed.length ? passed : failed;
  const distance = ({ result }: Graded): number => Math.abs(result.score - threshold);
  return {
    testing_criteria: grader.name,
    passed: passed.length,
    failed: all.length - passed.length,
    errored: all.length - graded.length,
    ...shareOf(passed.length, graded.length),
    mean_score:
      graded.length === 0 ? null : graded.reduce((sum, { result }) => sum + result.score, 0) / graded.length,
    judge_error: errorOf(graded, verdicts),
    deciding_items: [...rarer]
      .sort((a, b) => distance(a) - distance(b) || a.row - b.row)
      .slice(0, DECIDING_MAX)
      .map(({ id }) => id),
  };
}

/** A score between those that pass and those that do not. */
function middleOf(passed: readonly Graded[], failed: readonly Graded[]): number {
  const lowest = passed.reduce(
    (least, { result }) => Math.min(least, result.score),
    Number.POSITIVE_INFINITY,
  );
  const highest = failed.reduce((most, { result }) => Math.max(most, result.score), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(lowest)) return Number.isFinite(highest) ? highest : 0;
  return Number.isFinite(highest) ? (lowest + highest) / 2 : lowest;
}

function errorOf(
  graded: readonly Graded[],
  verdicts: ReadonlyMap<number, boolean>,
): CriterionResult['judge_error'] {
  const seen = graded.flatMap(({ row, result }) => {
    const isRight = verdicts.get(row);
    return isRight === undefined ? [] : [{ isRight, passed: result.passed }];
  });
  if (seen.length === 0) return null;
  const rate = (isRight: boolean) => {
    const rows = seen.filter((each) => each.isRight === isRight);
    const wrong = rows.filter(({ passed }) => passed !== isRight).length;
    const [low, high] = rows.length === 0 ? [0, 1] : wilsonInterval(wrong / rows.length, rows.length);
    return { rows: rows.length, wrong, interval: [low, high] as [number, number] };
  };
  const [passesWrong, failsRight] = [rate(false), rate(true)];
  const apparent = graded.filter(({ result }) => result.passed).length / graded.length;
  const sensitivity = 1 - jeffreysRate(failsRight.wrong, failsRight.rows).value;
  const specificity = 1 - jeffreysRate(passesWrong.wrong, passesWrong.rows).value;
  const corrected = roganGladen(apparent, sensitivity, specificity);
  return {
    passes_wrong: passesWrong,
    fails_right: failsRight,
    corrected_pass_rate: corrected === null ? null : clipToShare(corrected),
  };
}
