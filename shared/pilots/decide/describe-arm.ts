import { priceRows } from '#shared/access/decide/prices.ts';
import { rowPriceOf } from '#shared/adaptation/decide/price-rows.ts';
import { correctedWinRateOf } from '#shared/judging/decide/corrected-win-rate.ts';
import { knownCheckRates } from '#shared/judging/decide/known-check-rates.ts';
import { estimateQuality, type JudgeErrorRates } from '#shared/judging/decide/quality-estimate.ts';
import type { RowVerdict } from '#shared/judging/decide/row-verdict.ts';
import { isDelivered } from '#shared/runs/decide/outcomes.ts';
import type { RowScore, SampledRow } from '#shared/runs/schema/row-score.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import type { PilotArmResult } from '../schema/pilot.ts';
import type { PilotRequestObject } from './request-object.ts';

/** What an arm has done: everything by the place of a row in the sample. */
export interface AssembledArm {
  readonly arm: number;
  readonly results: ReadonlyMap<number, RunResult>;
  /** Rows with two answers to compare. */
  readonly described: ReadonlyMap<number, SampledRow>;
  readonly scores: ReadonlyMap<number, RowScore>;
  readonly verdicts: readonly RowVerdict[];
}

/** What callers are told of an arm. */
export function describeArm(
  { arm, results, described, scores, verdicts }: AssembledArm,
  request: PilotRequestObject,
  {
    status,
    judge,
    confidence,
  }: {
    readonly status: PilotArmResult['status'];
    readonly judge: JudgeErrorRates | null;
    readonly confidence: number;
  },
): PilotArmResult {
  const planned = request.arms[arm - 1];
  if (planned === undefined) throw new RangeError(`There is no arm ${arm}.`);
  const all = [...results.values()];
  const count = (outcome: RunResult['outcome']): number =>
    all.filter((result) => result.outcome === outcome).length;
  const checked = [...described.values()].flatMap(({ dataset_row, checks }) =>
    checks === undefined ? [] : [{ checks, comparison: scores.get(dataset_row)?.comparison }],
  );
  const harm = estimateQuality(checked, knownCheckRates, judge)?.rows.gotWorse ?? null;
  const sum = (of: (result: RunResult) => number): number =>
    all.reduce((total, result) => total + of(result), 0);
  const tokens = {
    input: sum((result) => result.tokens.input),
    output: sum((result) => result.tokens.output),
    calls: sum((result) => result.calls),
  };
  // A run that drops repeated rows decides anew about every row.
  const taken = planned.specification.deduplication ? 0 : all.filter(isDelivered).length;
  const toDo = Math.max(0, request.dataset_rows - taken);
  const each = (total: number): number | null => (all.length === 0 ? null : (total / all.length) * toDo);
  const seconds = each(sum((result) => result.seconds ?? 0));
  const wholeTokens = each(tokens.input + tokens.output);
  return {
    arm,
    ...planned.asked,
    status,
    rows: {
      done: all.length,
      changed: count('changed'),
      kept: count('kept'),
      dropped: count('dropped'),
      failed: count('failed'),
    },
    against_original: scores.size > 0 ? rounded(correctedWinRateOf(verdicts, confidence)) : null,
    harm:
      harm === null
        ? null
        : { rows: round(harm.rows, 2), share: round(harm.share), interval: pair(harm.interval95) },
    characters: {
      before: median(
        [...described.values()].flatMap(({ before }) => (before === null ? [] : [before.length])),
      ),
      after: median([...described.values()].map(({ after }) => after.length)),
    },
    tokens,
    whole_dataset: {
      credits: priceRows(toDo, rowPriceOf(planned.specification)),
      minutes:
        seconds === null ? null : round(seconds / 60 / Math.min(request.model_concurrency, toDo || 1), 1),
      tokens: wholeTokens === null ? null : Math.round(wholeTokens),
    },
  };
}

/** A win rate with the decimals that a sample has. */
function rounded<T extends { win_rate: number | null; interval: [number, number] | null }>(rate: T): T {
  return {
    ...rate,
    win_rate: rate.win_rate === null ? null : round(rate.win_rate),
    interval: rate.interval === null ? null : pair(rate.interval),
  };
}

const round = (value: number, decimals = 3): number => Math.round(value * 10 ** decimals) / 10 ** decimals;
const pair = ([low, high]: readonly [number, number]): [number, number] => [round(low), round(high)];

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return null;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2;
}
