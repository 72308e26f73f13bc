import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { ExpansionTarget } from '#shared/runs/schema/expansion.ts';
import type { ExpansionResult, RowReason, RunResult } from '#shared/runs/schema/run-result.ts';
import type { LengthChange } from '../../schema/rows.ts';
import type { RowFacts } from './stored-row.ts';

/** Characters of a text whose language is detected: more cost time and hardly change the result. */
const DETECTED_CHARACTERS = 160;
/** Texts whose lengths differ by this share, or less, are of the same length. */
const SAME_LENGTH_SHARE = 0.05;

const INTERRUPTED: RowReason = {
  code: 'run_interrupted',
  message: 'The run ended before the row was done.',
};

const NO_FACTS: RowFacts = {
  source_row: null,
  target: null,
  outcome: null,
  code: null,
  message: null,
  similar_to_row: null,
  language: null,
  length_change: null,
  edit: null,
  doubt: null,
  notes: [],
  sources: [],
};

type Texts = Pick<RowFacts, 'language' | 'length_change'>;

const noteOf = ({ code, message }: RowReason): { code: string; message: string } => ({ code, message });

/** A row that no run has worked on. */
export const uploadedRow = (texts: Texts): RowFacts => ({ ...NO_FACTS, ...texts });

/** A row of the source after a run; `isSelected` says whether the run was to work on it. */
export function sourceRow(result: RunResult | null, isSelected: boolean, texts: Texts): RowFacts {
  if (result === null) {
    return isSelected
      ? { ...NO_FACTS, ...texts, outcome: 'failed', ...noteOf(INTERRUPTED) }
      : { ...NO_FACTS, ...texts, outcome: 'not_selected' };
  }
  const reason = result.outcome === 'changed' ? undefined : result.reason;
  return {
    ...NO_FACTS,
    ...texts,
    outcome: result.outcome,
    code: reason?.code ?? null,
    message: reason?.message ?? null,
    similar_to_row: reason?.similar_to_row ?? null,
    edit: result.outcome === 'changed' ? (result.edit ?? null) : null,
    doubt: result.doubt ?? null,
    notes: (result.notes ?? []).map(noteOf),
    sources: [...(result.sources ?? [])],
  };
}

/** A row that was to be added in another language. */
export function addedRow(
  result: ExpansionResult | null,
  made: { readonly sourceRow: number; readonly target: ExpansionTarget | null },
  texts: Texts,
): RowFacts {
  const isThere = result?.outcome === 'expanded';
  const reason = isThere ? undefined : (result?.reason ?? INTERRUPTED);
  return {
    ...NO_FACTS,
    ...texts,
    source_row: made.sourceRow,
    target: made.target,
    outcome: isThere ? 'expanded' : 'expansion_failed',
    code: reason?.code ?? null,
    message: reason?.message ?? null,
    notes: (result?.notes ?? []).map(noteOf),
  };
}

/** The language of the first text that has one. */
export function languageOf(detect: LanguageDetector, texts: readonly (string | null)[]): string | null {
  const text = texts.find((each) => each !== null && each.trim() !== '');
  return text == null ? null : detect(text.slice(0, DETECTED_CHARACTERS));
}

export function lengthChangeOf(before: string | null, after: string | null): LengthChange | null {
  const from = before?.trim().length ?? 0;
  const to = after?.trim().length ?? 0;
  if (from === 0 || to === 0) return null;
  if (Math.abs(to - from) <= from * SAME_LENGTH_SHARE) return 'same';
  return to < from ? 'shorter' : 'longer';
}
