import { ALREADY_GOOD } from '#shared/adaptation/decide/improve-sound.ts';
import { withDoubt } from '#shared/adaptation/decide/row-doubts.ts';
import { wordsKept } from '#shared/adaptation/decide/treat-answer.ts';
import type { RowTexts } from '#shared/exports/decide/row-texts.ts';
import { safetyCell } from '#shared/judging/decide/safety/safety-scores.ts';
import { isDelivered } from '#shared/runs/decide/outcomes.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';
import type { RowReason, RunResult } from '#shared/runs/schema/run-result.ts';
import type { RowOpinion } from './judge-rows.ts';
import type { WrongRows } from './review-request.ts';

/** A row of the version that was reviewed. */
export interface BaseRow {
  readonly row: number;
  /** What the run has made of it; null if it was not among its rows, or if no run has worked on the rows. */
  readonly result: RunResult | null;
  /** What the row came with. */
  readonly own: {
    readonly prompt: string | null;
    readonly completion: string | null;
    /** Its cells of an earlier run that stay as they are called, by column. */
    readonly carried?: Readonly<Record<string, string | null>>;
  };
  /** What a row as it came is doubted for; that of a run's row is in its result. */
  readonly doubt?: Doubt | null;
}

export interface MendingRules {
  /** How the version came about: by a run that succeeded or failed, or as rows came. */
  readonly base: 'succeeded' | 'failed' | 'source';
  readonly wrong: WrongRows;
  /** Whether no column of the source has the prompt of a row: each row's result then holds it. */
  readonly writesPrompts: boolean;
  /** Whether the version has scores of the safety of its texts. */
  readonly scoresSafety: boolean;
}

export interface MendedResult {
  readonly result: RunResult;
  /** Whether the row has another text than before, or is dropped. */
  readonly isChanged: boolean;
}

type Cells = NonNullable<RunResult['cells']>;

const UNREVIEWED: RowReason = { code: 'unchanged', message: 'No verdict changes the row.' };
const UNFINISHED: RowReason = {
  code: 'run_interrupted',
  message: 'The run ended before the row was done; it stays as it came.',
};
const LEFT_OUT: RowReason = { code: 'not_selected', message: 'The run before did not work on the row.' };
const RESTORED: RowReason = { code: 'reviewed', message: 'A reviewer has put the original back.' };
const DROPPED: RowReason = { code: 'said_wrong', message: 'Its reviewers say that it is wrong.' };

/** What the report says of rows whose verdicts change nothing. */
const NOTES: Readonly<Partial<Record<RowOpinion['says'], RowReason>>> = {
  wrong: { code: 'said_wrong', message: 'Its reviewers say that it is wrong, and give no other text.' },
  disputed: {
    code: 'verdicts_disagree',
    message: 'Its reviewers say different things, so it stays as it is.',
  },
  stale: {
    code: 'verdict_stale',
    message: 'It has changed since its reviewers saw it, so their verdicts do not count.',
  },
};

/** The text of a verdict is gone with it. */
const REPLACED: RowReason = {
  code: 'verdict_stale',
  message:
    'Its verdict was replaced or taken back while the verdicts were applied, so it stays as it is. Apply them again.',
};

const UNUSED = { tokens: { input: 0, output: 0 }, calls: 0 };

/**
 * The result of a row after its review: that of the version before, with the text that its reviewers give; or dropped, if they
 * say that it is wrong and ask for that.
 * @param text of a row whose opinion is `mended`; null if its verdict is no longer there
 */
export function mendRow(
  base: BaseRow,
  opinion: RowOpinion | null,
  text: string | null,
  rules: MendingRules,
): MendedResult {
  const before = resultBefore(base, rules);
  if (opinion?.says === 'mended' && text !== null)
    return { result: mended(base, before, text, rules), isChanged: true };
  if (opinion?.says === 'wrong' && rules.wrong === 'drop') {
    return { result: { row: base.row, outcome: 'dropped', reason: DROPPED, ...UNUSED }, isChanged: true };
  }
  if (opinion?.says === 'right') return { result: undoubted(before), isChanged: false };
  const note = opinion === null ? undefined : opinion.says === 'mended' ? REPLACED : NOTES[opinion.says];
  return { result: note === undefined ? before : withNote(base, before, note), isChanged: false };
}

/** The result of the version before; its models were paid for by the run that asked them. */
function resultBefore(
  { row, result, own, doubt = null }: BaseRow,
  { base, writesPrompts }: MendingRules,
): RunResult {
  if (result !== null) {
    const { tokens: _, calls: __, seconds: ___, batched: ____, reused: _____, ...rest } = result;
    return { ...rest, ...UNUSED };
  }
  if (base === 'source') {
    const kept = { row, outcome: 'kept', reason: UNREVIEWED, cells: cellsOf(own), ...UNUSED } as const;
    return withDoubt(kept, doubt, false);
  }
  if (base === 'failed') return { row, outcome: 'failed', reason: UNFINISHED, ...UNUSED };
  return {
    row,
    outcome: 'not_selected',
    reason: LEFT_OUT,
    ...(writesPrompts ? { cells: cellsOf(own) } : {}),
    ...UNUSED,
  };
}

const cellsOf = ({ prompt, completion, carried }: BaseRow['own']): Cells => ({
  enhanced_prompt: prompt,
  enhanced_completion: completion,
  ...carried,
});

/** The texts that a version has of a row. */
export function textsOf({ own, result }: BaseRow): RowTexts {
  const cells = result !== null && isDelivered(result) ? result.cells : undefined;
  if (cells === undefined)
    return { prompt: own.prompt, original: own.completion, completion: own.completion };
  return {
    prompt: cells.enhanced_prompt ?? null,
    original: own.completion,
    completion: cells.enhanced_completion ?? null,
  };
}

/** The row with another text. What was said of the text before is left out. */
function mended(
  { row, own }: BaseRow,
  before: RunResult,
  text: string,
  { scoresSafety }: MendingRules,
): RunResult {
  const {
    response_safety_issues: issues,
    doubt: _,
    doubt_reasons: __,
    ...cells
  }: Cells = isDelivered(before) ? (before.cells ?? {}) : { ...before.cells, ...cellsOf(own) };
  const written: Cells = {
    ...cells,
    enhanced_completion: text,
    ...(issues === undefined && !scoresSafety ? {} : { response_safety_issues: safetyCell('reviewed') }),
    // A trace leads to the answer that it was written for.
    ...('reasoning_trace' in cells ? { reasoning_trace: null } : {}),
    ...pairOf(cells, text),
  };
  const isRestored = text === own.completion && (written.enhanced_prompt ?? null) === own.prompt;
  return {
    row,
    ...(isRestored
      ? { outcome: 'kept', reason: RESTORED }
      : {
          outcome: 'changed',
          edit: { kind: 'reviewed', evidence: 'reviewed', words_kept: wordsKept(own.completion ?? '', text) },
        }),
    // What was said of the original, such as the steps to it, holds again.
    cells: isRestored ? { ...written, ...own.carried } : written,
    ...UNUSED,
  };
}

/** The pair of a row with another text: that is chosen, and what was chosen before is rejected. */
function pairOf(cells: Cells, text: string): Cells {
  const { chosen = null, rejected = null } = cells;
  if (chosen === null || rejected === null) return {};
  return { chosen: text, rejected: chosen === text ? rejected : chosen };
}

/** A row that its reviewers call right is doubted no longer. */
function undoubted({ doubt: _, cells, notes, ...result }: RunResult): RunResult {
  const others = notes?.filter(({ code }) => code !== 'doubtful_answer') ?? [];
  return {
    ...result,
    ...(result.outcome === 'kept' && result.reason?.code === 'doubtful_answer'
      ? { reason: ALREADY_GOOD }
      : {}),
    ...(cells === undefined ? {} : { cells: { ...cells, ...noDoubt(cells) } }),
    ...(others.length === 0 ? {} : { notes: others }),
  };
}

const noDoubt = (cells: Cells): Cells => ('doubt' in cells ? { doubt: null, doubt_reasons: null } : {});

/** The row with a note for the report, which says nothing of rows that are not selected. */
function withNote({ own }: BaseRow, before: RunResult, note: RowReason): RunResult {
  const result: RunResult =
    before.outcome === 'not_selected' ? { ...before, outcome: 'kept', cells: cellsOf(own) } : before;
  const notes = (result.notes ?? []).filter(({ code }) => code !== note.code);
  return { ...result, notes: [...notes, note] };
}
