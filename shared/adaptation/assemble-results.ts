import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { own, putOwn } from '#shared/platform/own.ts';
import { readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { isDelivered, lacksPair } from '#shared/runs/decide/outcomes.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { readResults } from '#shared/runs/read-results.ts';
import type { TargetCount } from '#shared/runs/schema/expansion.ts';
import type { EditCount } from '#shared/runs/schema/report.ts';
import type { ReportRow } from '#shared/runs/schema/report-row.ts';
import type { RowCounts } from '#shared/runs/schema/row-counts.ts';
import { BatchPlan } from '#shared/runs/schema/run-context.ts';
import type { AnswerEdit, RowReason, RunResult } from '#shared/runs/schema/run-result.ts';
import { isDoubtful } from '#shared/witnesses/decide/doubtful.ts';
import { assembleExpansion } from './assemble-expansion.ts';
import { WorkedRow, withoutCalls } from './decide/reuse.ts';
import type { RunRequestObject } from './decide/run-request.ts';
import { type CallingRun, recordUnfinishedBatch } from './record-calls.ts';

/** Model usage of a run; `seconds` is the sum of call durations. */
export interface ModelUsage {
  input: number;
  output: number;
  calls: number;
  seconds: number;
}

export interface RunTotals {
  readonly counts: RowCounts;
  readonly tokens: Readonly<ModelUsage>;
  /** The part of it that batch jobs have answered. */
  readonly batched: { readonly input: number; readonly output: number; readonly calls: number };
  /** The edits of changed completions. */
  readonly edits: readonly EditCount[];
  /** Rows by safety scorer. */
  readonly safetyScorers: Readonly<Record<string, number>>;
  /** Delivered rows that are doubted, and those of them that are rather wrong than right. */
  readonly doubted: number;
  readonly doubtful: number;
  /** Rows that have a pair of answers. */
  readonly pairs: number;
  /** For each batch of the plan: the number of rows in its report object. */
  readonly reportedRows: readonly number[];
  /** Selected rows, and rows to add, without a result; a successful run has none. */
  readonly missingRows: number;
  /** Planned rows in other languages. */
  readonly plannedRows: number;
  /** Those of each target, with the rows that were made. */
  readonly targets: readonly TargetCount[];
  /** False where rows in other languages were asked for and none is planned yet. */
  readonly isExpansionPlanned: boolean;
  /** Delivered rows that an earlier run was billed for. */
  readonly reused: number;
  /** Delivered rows of a run for pairs that have none, of the source and in other languages. */
  readonly unpaired: { readonly rows: number; readonly added: number };
  /** Delivered rows of the source, by key of their chunk. */
  readonly delivered: ReadonlyMap<string, number>;
}

/** Batches that are read at once: a run on many appends has thousands of small ones, and each takes several requests. */
const BATCHES_AT_ONCE = 8;

/**
 * Counts the outcomes of all rows of a run and writes, for each batch, the report of rows with a reason or a
 * note. Batches of unfinished workers are completed from their checkpoints, so that paid work is delivered, and so that
 * later runs reuse its model calls; rows without a result are reported as failed. Holds eight batches.
 */
export async function assembleResults(
  objects: Pick<ObjectStore, 'read' | 'write' | 'writeNew' | 'list'>,
  run: CallingRun & Pick<RunRecord, 'run_id'>,
  request: Pick<RunRequestObject, 'specification'>,
  datasetRows: number,
): Promise<RunTotals> {
  const { run_id: runId } = run;
  const tally = newTally(datasetRows);
  const readBatch = async (line: string): Promise<BatchResults> => {
    const batch = BatchPlan.parse(JSON.parse(line));
    const results = await readResults(
      objects,
      batch,
      (value) => WorkedRow.safeParse(value).data ?? null,
      async (worked) => {
        await recordUnfinishedBatch(objects, run, request, batch, worked);
        return worked.map(withoutCalls);
      },
    );
    return { batch, results };
  };
  const countBatch = async (read: BatchResults): Promise<void> => {
    const reported = countRows(tally, read);
    if (reported.length > 0) await writeLines(objects, objectKeys.reportRows(runId, read.batch.n), reported);
  };
  const plan = await readLines(objects, objectKeys.plan(runId));
  for (let at = 0; at < plan.length; at += BATCHES_AT_ONCE) {
    const batches = await forEachAtOnce(plan.slice(at, at + BATCHES_AT_ONCE), readBatch);
    // Each counts before it first waits, so they count in the order of the plan.
    await forEachAtOnce(batches, countBatch);
  }
  const { counts, edits, ...totals } = tally;
  const added = await assembleExpansion(
    objects,
    runId,
    request.specification.expansion?.targets ?? [],
    totals,
  );
  return {
    ...totals,
    counts: { ...counts, expanded: added.expanded, expansion_failed: added.failed },
    edits: editCounts(edits),
    unpaired: { rows: totals.unpaired, added: added.unpaired },
    reportedRows: [...totals.reportedRows, ...added.reportedRows],
    missingRows: totals.missingRows + added.missing,
    plannedRows: added.expanded + added.failed,
    targets: added.targets,
    isExpansionPlanned: added.isPlanned,
  };
}

interface BatchResults {
  readonly batch: BatchPlan;
  readonly results: ReadonlyMap<number, RunResult>;
}

/** Edits of one kind with the same evidence. */
interface EditTally {
  readonly edit: AnswerEdit;
  rows: number;
  wordsKept: number;
}

/** The totals of the batches so far. */
interface RunTally {
  readonly counts: RowCounts;
  readonly tokens: ModelUsage;
  readonly batched: { input: number; output: number; calls: number };
  readonly edits: Map<string, EditTally>;
  readonly safetyScorers: Record<string, number>;
  readonly delivered: Map<string, number>;
  readonly reportedRows: number[];
  pairs: number;
  missingRows: number;
  reused: number;
  /** Those without a pair, of the rows that are not reused. */
  unpaired: number;
  doubted: number;
  doubtful: number;
}

function newTally(datasetRows: number): RunTally {
  return {
    counts: {
      total: datasetRows,
      changed: 0,
      kept: 0,
      dropped: 0,
      failed: 0,
      not_selected: datasetRows,
      expanded: 0,
      expansion_failed: 0,
    },
    tokens: { input: 0, output: 0, calls: 0, seconds: 0 },
    batched: { input: 0, output: 0, calls: 0 },
    edits: new Map(),
    safetyScorers: {},
    delivered: new Map(),
    reportedRows: [],
    pairs: 0,
    missingRows: 0,
    reused: 0,
    unpaired: 0,
    doubted: 0,
    doubtful: 0,
  };
}

/** Counts the selected rows of a batch, and returns their report. */
function countRows(tally: RunTally, { batch, results }: BatchResults): ReportRow[] {
  const reported: ReportRow[] = [];
  const places = batch.selected ?? Array.from({ length: batch.row_count }, (_, place) => place);
  for (const place of places) {
    const row = batch.first_row + place;
    const result = results.get(row);
    tally.counts.not_selected -= 1;
    if (result === undefined) {
      tally.missingRows += 1;
      tally.counts.failed += 1;
      reported.push(interrupted(row));
    } else {
      countRow(tally, batch, result);
      reported.push(...toReportRows(result));
    }
  }
  tally.reportedRows.push(reported.length);
  return reported;
}

function countRow(tally: RunTally, { chunk_key }: BatchPlan, result: RunResult): void {
  const { counts, tokens, batched, delivered, safetyScorers } = tally;
  counts[result.outcome] += 1;
  if (isDelivered(result)) {
    delivered.set(chunk_key, (delivered.get(chunk_key) ?? 0) + 1);
    if (result.reused === true) tally.reused += 1;
    else if (lacksPair(result)) tally.unpaired += 1;
  }
  tokens.input += result.tokens.input;
  tokens.output += result.tokens.output;
  tokens.calls += result.calls;
  tokens.seconds += result.seconds ?? 0;
  batched.input += result.batched?.input ?? 0;
  batched.output += result.batched?.output ?? 0;
  batched.calls += result.batched?.calls ?? 0;
  if (result.safety_scorer !== undefined) {
    putOwn(safetyScorers, result.safety_scorer, (own(safetyScorers, result.safety_scorer) ?? 0) + 1);
  }
  if (result.doubt !== undefined) tally.doubted += 1;
  if (isDoubtful(result.doubt)) tally.doubtful += 1;
  if (result.edit !== undefined) countEdit(tally.edits, result.edit);
  if (result.cells?.chosen != null && result.cells.rejected != null) tally.pairs += 1;
}

function countEdit(edits: Map<string, EditTally>, edit: AnswerEdit): void {
  const key = `${edit.kind} ${edit.evidence}`;
  const counted = edits.get(key) ?? { edit, rows: 0, wordsKept: 0 };
  counted.rows += 1;
  counted.wordsKept += edit.words_kept;
  edits.set(key, counted);
}

function editCounts(edits: ReadonlyMap<string, EditTally>): EditCount[] {
  return [...edits.values()].map(({ edit: { kind, evidence }, rows, wordsKept }) => ({
    kind,
    evidence,
    rows,
    words_kept: Math.round((wordsKept / rows) * 1000) / 1000,
  }));
}

/** The report of a row without a result. */
function interrupted(row: number): ReportRow {
  return {
    row,
    outcome: 'failed',
    code: 'run_interrupted',
    message: 'The run ended before the row was done.',
    similar_to_row: null,
    target: null,
    sources: [],
  };
}

/** Builds the report of a row: why it is not changed, its notes, and its sources. */
function toReportRows({ row, outcome, reason, notes = [], sources = [] }: RunResult): ReportRow[] {
  if (outcome === 'not_selected') return [];
  if (outcome !== 'changed' && reason === undefined) {
    throw new Error(`The result of row ${row} is ${outcome} without a reason.`);
  }
  const why = outcome === 'changed' ? undefined : reason;
  // A reason that is a note too is said once.
  const said = [...(why === undefined ? [] : [why]), ...notes.filter(({ code }) => code !== why?.code)];
  if (sources.length > 0 && said.length === 0) said.push(GROUNDED);
  return said.map(({ code, message, similar_to_row }, index) => ({
    row,
    outcome,
    code,
    message,
    similar_to_row: similar_to_row ?? null,
    target: null,
    sources: index === 0 ? sources : [],
  }));
}

const GROUNDED: RowReason = { code: 'grounded', message: 'The answer rests on these pages' };
