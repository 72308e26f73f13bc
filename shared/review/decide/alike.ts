import type { Doubt } from '#shared/runs/schema/doubt.ts';
import type { AlikeRow } from '../schema/verdict.ts';
import { applyEdit, type Edit } from './learn-edit.ts';

/** A row that was mended: what was done to it, and what witnesses had said of it. */
export interface MendedRow {
  readonly edit: Edit | null;
  readonly doubt: Doubt | null;
  /** The text that it has now. */
  readonly text: string;
}

/** What the defect of another row has in common with that of the mended one. */
export interface Alike extends Pick<AlikeRow, 'proposal' | 'why'> {
  /** From 0 to 1. */
  readonly similarity: number;
}

/** What a doubt of the same kind adds to an edit that fits. */
const SAME_DOUBT = 0.9;
const OTHER_LABEL = 0.5;

/**
 * Says how alike a row is to a mended one, and what the same edit makes of it: the label is exchanged, or the text occurs in
 * it; or the same witness says the same of it, and proposes a text.
 * @returns null if it has no such defect, or if nothing would change
 */
export function alikeTo(mended: MendedRow, completion: string, doubt: Doubt | null): Alike | null {
  const isSameDoubt = mended.doubt !== null && doubt !== null && sharesReason(mended.doubt, doubt);
  const edited = mended.edit === null ? null : applyEdit(mended.edit, completion);
  if (edited !== null && mended.edit !== null && edited.text !== completion) {
    const isLabel = mended.edit.kind === 'label';
    const isProposed = doubt?.proposal === edited.text;
    return {
      proposal: edited.text,
      why: isLabel ? 'same_label' : 'same_text',
      // A label is right in some rows and wrong in others: what is doubted comes first.
      similarity: isLabel
        ? isProposed
          ? 1
          : OTHER_LABEL + (isSameDoubt ? 0.3 : 0) + 0.1 * (doubt?.probability ?? 0)
        : edited.similarity,
    };
  }
  const proposal = doubt?.proposal;
  if (!isSameDoubt || proposal === undefined || proposal === completion) return null;
  // Each witness proposes another text; that the mended one was taken makes the others more credible.
  const isTaken = mended.doubt?.proposal === mended.text;
  return {
    proposal,
    why: 'same_doubt',
    similarity: SAME_DOUBT * (isTaken ? 1 : 0.5) * (doubt?.probability ?? 0),
  };
}

/** Whether the same witness says the same of two rows. */
function sharesReason(one: Doubt, other: Doubt): boolean {
  return one.reasons.some(({ witness, kind }) =>
    other.reasons.some((each) => each.witness === witness && each.kind === kind),
  );
}
