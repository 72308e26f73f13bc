import type { Schemas } from 'tunesmith';
import { words } from '../format.ts';
import { type DiffPiece, diffWords, QUICK, sideOf } from '../rows/word-diff.ts';

export type PilotRow = Schemas['PilotRow'];
export type RowAnswer = PilotRow['answers'][number];
type Text = NonNullable<RowAnswer['answer']>;

/** The place in the sample at which the next page of rows begins; null after the last one. */
export function nextOffset(pages: readonly Schemas['PilotRowsPage'][]): number | null {
  const read = pages.reduce((sum, { items }) => sum + items.length, 0);
  const last = pages.at(-1);
  return last !== undefined && last.items.length > 0 && read < last.total ? read : null;
}

const VERDICTS = {
  better: { value: 'succeeded', label: 'better' },
  worse: { value: 'failed', label: 'worse' },
  same: { value: 'pending', label: 'same' },
  undecided: { value: 'pending', label: 'undecided' },
} as const;

const OUTCOMES = {
  changed: { value: 'pending', label: 'not compared' },
  kept: { value: 'kept', label: 'kept' },
  dropped: { value: 'dropped', label: 'dropped' },
  failed: { value: 'failed', label: 'failed' },
} as const;

/** How the answer of an arm compares with the original; of a row that the arm did not change, what it did instead. */
export const stateOf = ({
  outcome,
  verdict,
}: RowAnswer): { readonly value: string; readonly label: string } =>
  outcome === 'changed' && verdict !== null ? VERDICTS[verdict] : OUTCOMES[outcome];

/** Why a row was kept, dropped or failed, as a sentence or a code in words; null for a changed row. */
export const reasonOf = ({ code, message }: RowAnswer): string | null =>
  message ?? (code === null ? null : words(code));

/** Below this share of common text an answer counts as written anew: its marks would cover nearly all of it. */
const COMMON_SHARE_MIN = 0.5;

/**
 * The answer of an arm with the words marked that are not in the original; null where marks would not help: without an
 * original, where a text is cut, and where the arm wrote most of the answer anew.
 */
export function markedAnswer(original: Text | null, answer: Text): DiffPiece[] | null {
  if (original === null || original.truncated || answer.truncated) return null;
  const diff = diffWords(original.text, answer.text, QUICK);
  const common = diff.pieces.reduce((sum, { kind, text }) => sum + (kind === 'both' ? text.length : 0), 0);
  return diff.isByWord && common >= answer.text.length * COMMON_SHARE_MIN ? sideOf(diff, 'after') : null;
}
