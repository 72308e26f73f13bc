import { type CheckRates, EditKind } from '#shared/judging/decide/known-check-rates.ts';
import type { AnswerEdit } from '#shared/runs/schema/run-result.ts';
import type { LabResult, LabRun } from './result.ts';
import type { LabRow } from './row.ts';
import { isScripted } from './scripted-answers.ts';

/** The properties of a row for the rates; its checker determines what is right. */
export interface MeasuredRow {
  readonly original: string;
  readonly outcome: 'changed' | 'kept' | 'failed';
  readonly edit?: AnswerEdit | null | undefined;
  readonly before_ok: boolean;
  readonly after_ok: boolean;
  /** The defect of the original by the checks; absent if not checked. */
  readonly defect?: string | null | undefined;
}

/** Why a run may not be used for rates; null if it may. */
export function rateRefusal({ half, model }: Pick<LabRun, 'half' | 'model'>): string | null {
  if (half !== 'development') {
    return `Rates are made with the half development: ${half} tells whether they hold.`;
  }
  return isScripted(model) ? `${model} knows the rows: its edits say nothing of those of a model.` : null;
}

/** What is missing in the results of a half for the rates; null if complete. */
export function missingForRates(
  rows: readonly LabRow[],
  results: ReadonlyMap<string, LabResult>,
): string | null {
  const open = rows.filter(({ id }) => !results.has(id)).length;
  if (open > 0) return `${open} of ${rows.length} rows have no result.`;
  const untold = [...results.values()].filter(({ edit }) => edit === undefined).length;
  return untold > 0 ? `${untold} results do not tell how their rows were edited: run them anew.` : null;
}

/**
 * The contents of `known-check-rates.json`. Empty originals are excluded, because the checks always find them; a
 * changed row without an edit has its own completion with a new prompt.
 */
export function checkRatesOf(modelId: string, rows: readonly MeasuredRow[]): CheckRates {
  const checked = rows.filter(({ original, defect }) => original.trim() !== '' && defect !== undefined);
  const [wrong, right] = [false, true].map((isRight) => checked.filter((row) => row.before_ok === isRight));
  const count = (some: readonly MeasuredRow[] = [], seen: boolean): { hits: number; of: number } => ({
    hits: some.filter(({ defect }) => (defect !== null) === seen).length,
    of: some.length,
  });
  const edits = EditKind.options.map((kind) => {
    const edited = rows.filter(({ outcome, edit }) => outcome === 'changed' && edit?.kind === kind);
    return [kind, { right: edited.filter((row) => row.after_ok).length, of: edited.length }] as const;
  });
  return {
    measured: { model_id: modelId, rows: rows.length },
    sensitivity: count(wrong, true),
    specificity: count(right, false),
    edits: Object.fromEntries(edits) as CheckRates['edits'],
  };
}
