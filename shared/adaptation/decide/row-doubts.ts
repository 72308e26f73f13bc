import type { Doubt } from '#shared/runs/schema/doubt.ts';
import type { AnswerEdit, RowReason, RunResult } from '#shared/runs/schema/run-result.ts';
import { isDoubtful } from '#shared/witnesses/decide/doubtful.ts';
import type { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import { type KnownRow, UNKNOWN_ROW } from './row-program.ts';

/** What is known of the rows of a run before they are worked on. */
export type KnownRows = (row: number) => KnownRow;

export const UNKNOWN_ROWS: KnownRows = () => UNKNOWN_ROW;

/**
 * @param doubts null where nobody looked for them
 * @param isBounded whether the request bounds the rows that a model is asked about
 */
export function knownRows(doubts: RunDoubts | null, isBounded: boolean): KnownRows {
  const byRow = new Map(doubts?.rows.map(({ row, ...doubt }) => [row, doubt]));
  // Where nobody could choose, no model is asked: a bound is one of costs.
  const asked = isBounded ? new Set(doubts?.asked) : null;
  return (row) => ({ doubt: byRow.get(row) ?? null, isAsked: asked === null || asked.has(row) });
}

/** Edits after which an answer says something else than the one that was doubted. */
const REPLACING: readonly AnswerEdit['kind'][] = ['corrected', 'rewritten', 'written'];

type Doubted = Pick<RunResult, 'outcome' | 'reason' | 'edit' | 'notes' | 'cells'>;

/** Why a row is dropped whose answer is rather wrong than right; null if it is not. */
export const doubtfulReason = (doubt: Doubt | null | undefined): RowReason | null =>
  doubt && isDoubtful(doubt) ? noteOf(doubt) : null;

const noteOf = ({ probability, reasons }: Doubt): RowReason => ({
  code: 'doubtful_answer',
  message: `The answer is wrong with a probability of about ${Math.round(probability * 100)} %: ${toldOf(reasons)}`,
});

const toldOf = (reasons: Doubt['reasons']): string => reasons.map(({ message }) => message).join(' ');

/**
 * A result with what its row is doubted for, unless it is dropped or has another answer now. A doubtful row has a note, and
 * is not called good.
 *
 * @param hasColumns whether the doubt is in the cells of the row, too
 */
export function withDoubt<T extends Doubted>(
  result: T,
  doubt: Doubt | null,
  hasColumns: boolean,
): T & { doubt?: Doubt } {
  const isGone = result.outcome === 'dropped' || (result.edit && REPLACING.includes(result.edit.kind));
  if (doubt === null || isGone) return result;
  return {
    ...result,
    doubt,
    ...(isDoubtful(doubt) ? { notes: [...(result.notes ?? []), noteOf(doubt)] } : {}),
    ...(isDoubtful(doubt) && result.reason?.code === 'already_good' ? { reason: noteOf(doubt) } : {}),
    ...(hasColumns && result.cells !== undefined
      ? { cells: { ...result.cells, doubt: String(doubt.probability), doubt_reasons: toldOf(doubt.reasons) } }
      : {}),
  };
}
