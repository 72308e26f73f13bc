import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { own, putOwn } from '#shared/platform/own.ts';
import { readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { readResults } from '#shared/runs/read-results.ts';
import type { EditCount, ReportRow, RowCounts } from '#shared/runs/schema/report.ts';
import { BatchPlan } from '#shared/runs/schema/run-context.ts';
import type { AnswerEdit, RowReason, RunResult } from '#shared/runs/schema/run-result.ts';
import { collectExpansion } from './collect-expansion.ts';
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
  /** Rows that have a pair of answers. */
  readonly pairs: number;
  /** For each batch of the plan: the number of rows in its report object. */
  readonly reportedRows: readonly number[];
  /** Selected rows, and rows to add, without a result; a successful run has none. */
  readonly missingRows: number;
  /** Planned rows in other languages. */
  readonly plannedRows: number;
  /** Delivered rows that an earlier run was billed for. */
  readonly reused: number;
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
export async function collectRun(
  objects: Pick<ObjectStore, 'read' | 'write' | 'list'>,
  run: CallingRun & Pick<RunRecord, 'run_id'>,
  request: Pick<RunRequestObject, 'specification'>,
  datasetRows: number,
): Promise<RunTotals> {
  const { run_id: runId } = run;
  const counts = {
    total: datasetRows,
    changed: 0,
    kept: 0,
    dropped: 0,
    failed: 0,
    not_selected: datasetRows,
    expanded: 0,
    expansion_failed: 0,
  };
  const tokens: ModelUsage = { input: 0, output: 0, calls: 0, seconds: 0 };
  const batched = { input: 0, output: 0, calls: 0 };
  const safetyScorers: Record<string, number> = {};
  const edits = new Map<string, { edit: AnswerEdit; rows: number; wordsKept: number }>();
  let missingRows = 0;
  let pairs = 0;
  let reused = 0;
  const delivered = new Map<string, number>();
  const reportedRows: number[] = [];
  const readBatch = async (line: string) => {
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
  const countBatch = async ({ batch, results }: Awaited<ReturnType<typeof readBatch>>): Promise<void> => {
    const reported: ReportRow[] = [];
    const places = batch.selected ?? Array.from({ length: batch.row_count }, (_, place) => place);
    for (const place of places) {
      const row = batch.first_row + place;
      const result = results.get(row);
      counts.not_selected -= 1;
      if (result === undefined) {
        missingRows += 1;
        counts.failed += 1;
        reported.push({
          row,
          outcome: 'failed',
          code: 'run_interrupted',
          message: 'The run ended before the row was done.',
          similar_to_row: null,
          target: null,
          sources: [],
        });
        continue;
      }
      counts[result.outcome] += 1;
      if (result.outcome === 'changed' || result.outcome === 'kept') {
        delivered.set(batch.chunk_key, (delivered.get(batch.chunk_key) ?? 0) + 1);
        if (result.reused === true) reused += 1;
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
      if (result.edit !== undefined) countEdit(edits, result.edit);
      if (result.cells?.chosen != null && result.cells.rejected != null) pairs += 1;
      reported.push(...toReportRows(result));
    }
    reportedRows.push(reported.length);
    if (reported.length > 0) await writeLines(objects, objectKeys.reportRows(runId, batch.n), reported);
  };
  const plan = await readLines(objects, objectKeys.plan(runId));
  for (let at = 0; at < plan.length; at += BATCHES_AT_ONCE) {
    const batches = await forEachAtOnce(plan.slice(at, at + BATCHES_AT_ONCE), readBatch);
    // Each counts before it first waits, so they count in the order of the plan.
    await forEachAtOnce(batches, countBatch);
  }
  const added = await collectExpansion(objects, runId, { tokens, safetyScorers });
  counts.expanded = added.expanded;
  counts.expansion_failed = added.failed;
  reportedRows.push(...added.reportedRows);
  missingRows += added.missing;
  const plannedRows = added.expanded + added.failed;
  const editCounts = [...edits.values()].map(({ edit: { kind, evidence }, rows, wordsKept }) => ({
    kind,
    evidence,
    rows,
    words_kept: Math.round((wordsKept / rows) * 1000) / 1000,
  }));
  return {
    counts,
    tokens,
    batched,
    edits: editCounts,
    safetyScorers,
    pairs,
    reportedRows,
    missingRows,
    plannedRows,
    reused,
    delivered,
  };
}

function countEdit(
  edits: Map<string, { edit: AnswerEdit; rows: number; wordsKept: number }>,
  edit: AnswerEdit,
): void {
  const key = `${edit.kind} ${edit.evidence}`;
  const counted = edits.get(key) ?? { edit, rows: 0, wordsKept: 0 };
  counted.rows += 1;
  counted.wordsKept += edit.words_kept;
  edits.set(key, counted);
}

/** Builds the report of a row: why it is not changed, its notes, and its sources. */
function toReportRows({ row, outcome, reason, notes = [], sources = [] }: RunResult): ReportRow[] {
  if (outcome === 'not_selected') return [];
  if (outcome !== 'changed' && reason === undefined) {
    throw new Error(`The result of row ${row} is ${outcome} without a reason.`);
  }
  const said = [...(reason === undefined || outcome === 'changed' ? [] : [reason]), ...notes];
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
