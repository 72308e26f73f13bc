import { own, putOwn } from '#shared/platform/own.ts';
import { linesIn, readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { lacksPair } from '#shared/runs/decide/outcomes.ts';
import { TargetTally } from '#shared/runs/decide/target-counts.ts';
import { readResults } from '#shared/runs/read-results.ts';
import { ExpansionSelection, type ExpansionTarget, type TargetCount } from '#shared/runs/schema/expansion.ts';
import type { ReportRow } from '#shared/runs/schema/report-row.ts';
import { ExpandPlan } from '#shared/runs/schema/run-context.ts';
import { ExpansionResult, type RowReason } from '#shared/runs/schema/run-result.ts';
import type { ModelUsage } from './assemble-results.ts';

export interface AssembledExpansion {
  readonly expanded: number;
  /** Planned rows that were not added, including those without a result. */
  readonly failed: number;
  /** Rows without a result. */
  readonly missing: number;
  /** Added rows of a run for pairs that have none. */
  readonly unpaired: number;
  /** For each batch of the expansion: the number of rows in its report object. */
  readonly reportedRows: readonly number[];
  /** Rows of each target; empty without an expansion. */
  readonly targets: readonly TargetCount[];
  /** Whether the rows are planned; true where no others are asked for. */
  readonly isPlanned: boolean;
}

/** The usage of a run's rows so far; added rows are included. */
interface Effort {
  readonly tokens: ModelUsage;
  readonly safetyScorers: Record<string, number>;
}

const INTERRUPTED: RowReason = {
  code: 'run_interrupted',
  message: 'The run ended before the row was done.',
};

/**
 * Counts the rows that a run added in other languages, and writes the report of those that failed or have notes, under
 * their source row. Holds one batch at a time.
 */
export async function assembleExpansion(
  objects: Pick<ObjectStore, 'read' | 'write' | 'writeNew' | 'list'>,
  runId: string,
  targets: readonly ExpansionTarget[],
  effort: Effort,
): Promise<AssembledExpansion> {
  const plan = await objects.read(objectKeys.expansionPlan(runId));
  const batches = plan === null ? [] : linesIn(plan).map((line) => ExpandPlan.parse(JSON.parse(line)));
  const isPlanned = plan !== null || targets.length === 0;
  const collected = { expanded: 0, failed: 0, missing: 0, unpaired: 0, reportedRows: [] as number[] };
  if (batches.length === 0) return { ...collected, targets: [], isPlanned };
  const tally = new TargetTally(targets);

  for (const batch of batches) {
    const results = await readResults(
      objects,
      batch,
      (value) => ExpansionResult.safeParse(value).data ?? null,
    );
    const reported: ReportRow[] = [];
    for (const [place, line] of (await readLines(objects, batch.selection_key)).entries()) {
      const selection = ExpansionSelection.parse(JSON.parse(line));
      const target = targets[selection.target] ?? null;
      tally.plan(selection.target);
      const result = results.get(batch.first_row + place);
      if (result === undefined) collected.missing += 1;
      else count(effort, result);
      if (result?.outcome === 'expanded') {
        collected.expanded += 1;
        if (lacksPair(result)) collected.unpaired += 1;
        tally.make(selection.target);
        for (const note of result.notes ?? [])
          reported.push(toReportRow(selection.row, target, 'expanded', note));
        continue;
      }
      collected.failed += 1;
      reported.push(toReportRow(selection.row, target, 'expansion_failed', result?.reason ?? INTERRUPTED));
    }
    collected.reportedRows.push(reported.length);
    if (reported.length > 0) await writeLines(objects, objectKeys.reportRows(runId, batch.n), reported);
  }
  return { ...collected, targets: tally.counts(), isPlanned };
}

function count({ tokens, safetyScorers }: Effort, result: ExpansionResult): void {
  tokens.input += result.tokens.input;
  tokens.output += result.tokens.output;
  tokens.calls += result.calls;
  tokens.seconds += result.seconds ?? 0;
  const scorer = result.safety_scorer;
  if (scorer !== undefined) putOwn(safetyScorers, scorer, (own(safetyScorers, scorer) ?? 0) + 1);
}

function toReportRow(
  row: number,
  target: ExpansionTarget | null,
  outcome: 'expanded' | 'expansion_failed',
  { code, message }: RowReason,
): ReportRow {
  return { row, outcome, code, message, similar_to_row: null, target, sources: [] };
}
