import * as z from 'zod';
import { AskFailure, type Asking, type CallMeter, newCallMeter } from '#shared/models/decide/ask-model.ts';
import { RecordedCall, type RowMemo } from '#shared/models/decide/call-memo.ts';
import type { OpenRows } from '#shared/runs/run-worker.ts';
import { type RowComparison, RowScore, SampledRow } from '#shared/runs/schema/row-score.ts';
import type { Arbiter } from './decide/arbiter.ts';
import { isUnproven } from './decide/quality-estimate.ts';
import type { Scorer } from './decide/scorer.ts';

/** The recorded model calls of rows, by the row in the dataset. */
export interface ScoreMemos {
  memoOf(row: number): RowMemo | undefined;
  write(rows: readonly { readonly row: number; readonly calls: readonly RecordedCall[] }[]): Promise<void>;
}

/** What the rows of a sample are scored and compared by. */
export interface Scoring {
  /** Scores each answer alone; null where answers are only compared. */
  readonly scorer: Pick<Scorer, 'score'> | null;
  /** Compares pairs that the checks do not decide; without one, nothing is compared. */
  readonly arbiter?: Pick<Arbiter, 'compare'>;
  /** The recorded model calls of the dataset's rows; without it every row is scored anew, and nothing is recorded. */
  readonly reuse?: ScoreMemos | undefined;
}

/** A score with its calls to record, as checkpoints hold it. */
const WorkedScore = RowScore.extend({ recorded: z.array(RecordedCall).optional() });
type WorkedScore = z.infer<typeof WorkedScore>;

/**
 * The rows of a sample, each a `SampledRow`, to score before and after, each answer alone; the two are compared if the checks
 * leave it open.
 */
export const rowsToScore = (lines: readonly string[], scoring: Scoring): OpenRows<WorkedScore> => ({
  lines,
  work: (line, row, asking) => scoreRow(scoring, line, row, asking),
  parse: (value) => WorkedScore.parse(value),
  complete: (results) => recordCalls(scoring, results),
});

async function scoreRow(scoring: Scoring, line: string, row: number, plain: Asking): Promise<WorkedScore> {
  const sampled = SampledRow.parse(JSON.parse(line));
  const { dataset_row, checks } = sampled;
  const memo = scoring.reuse?.memoOf(dataset_row);
  const asking = { ...plain, memo };
  const meter = newCallMeter();
  const scores = await scoreBoth(scoring, sampled, asking, meter);
  const comparison = await compareBoth(scoring, sampled, asking, meter);
  return {
    row,
    dataset_row,
    ...scores,
    ...(checks === undefined ? {} : { checks }),
    ...(comparison === null ? {} : { comparison }),
    // All of them: the next evaluation reads those of this one alone.
    ...(memo === undefined || scores.reason !== undefined ? {} : { recorded: memo.calls() }),
  };
}

async function scoreBoth(
  { scorer }: Scoring,
  { request, before, after }: SampledRow,
  asking: Asking,
  meter: CallMeter,
): Promise<Pick<RowScore, 'before' | 'after' | 'reason'>> {
  if (scorer === null) return { before: null, after: null };
  const score = (answer: string) => scorer.score({ request, answer }, asking, meter);
  try {
    const scored = await score(after);
    if (before === null) return { before: null, after: scored };
    // An unchanged row keeps its score: a second call would only add noise.
    return { before: before === after ? scored : await score(before), after: scored };
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error;
    return { before: null, after: null, reason: { code: error.code, message: error.message } };
  }
}

async function compareBoth(
  scoring: Scoring,
  sampled: SampledRow,
  asking: Asking,
  meter: CallMeter,
): Promise<RowComparison | null> {
  const { request, before, after } = sampled;
  if (scoring.arbiter === undefined || before === null || !isOpen(sampled)) return null;
  const compared = {
    by: 'judge',
    characters: { before: before.length, after: after.length },
  } as const;
  try {
    const verdict = await scoring.arbiter.compare(
      { request, first: before, second: after, original: 'first' },
      asking,
      meter,
    );
    return verdict.winner === null
      ? { ...compared, winner: null, doubt: verdict.doubt }
      : { ...compared, winner: verdict.winner === 'first' ? 'before' : 'after' };
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error;
    return { ...compared, winner: null, doubt: error.code };
  }
}

/** Records the calls of scored rows, and returns the scores without them. */
async function recordCalls({ reuse }: Scoring, results: readonly WorkedScore[]): Promise<RowScore[]> {
  await reuse?.write(
    results.flatMap(({ dataset_row: row, recorded }) =>
      recorded === undefined ? [] : [{ row, calls: recorded }],
    ),
  );
  return results.map(({ recorded: _, ...score }) => score);
}

/**
 * Whether the checks leave open which answer of a changed row is better. An answer that the judge already preferred is
 * not compared again: it would only repeat its verdict.
 */
function isOpen({ checks }: SampledRow): boolean {
  return (
    checks?.changed === true &&
    (checks.before_defect === null || isUnproven(checks)) &&
    checks.after_defect === null &&
    checks.harm === null &&
    checks.edit?.evidence !== 'judged'
  );
}
