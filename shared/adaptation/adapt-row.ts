import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import { type Asking, type CallMeter, newCallMeter, orUnreadable } from '#shared/models/decide/ask-model.ts';
import type { RowBatches } from '#shared/models/decide/call-memo.ts';
import { failureOfRow } from '#shared/runs/decide/abandoned-row.ts';
import { effortOf, isDelivered } from '#shared/runs/decide/outcomes.ts';
import type { OpenRows } from '#shared/runs/run-worker.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { type RowReuse, reuseRow, toRecordable, WorkedRow, withoutCalls } from './decide/reuse.ts';
import { doubtfulReason, type KnownRows, UNKNOWN_ROWS, withDoubt } from './decide/row-doubts.ts';
import type { RowProgram } from './decide/row-program.ts';

/** What the rows of a batch are adapted with. */
export interface RowWork {
  readonly program: RowProgram;
  /** The recorded model calls of the rows; without it every row is adapted anew, and nothing is recorded. */
  readonly reuse?: RowReuse | undefined;
  /** The batches of the run, if it has any. */
  readonly batches?: RowBatches | undefined;
  /** What is known of the rows before they are worked on. */
  readonly known?: KnownRows | undefined;
  /** Whether the rows have columns of doubts. */
  readonly hasDoubtColumns?: boolean | undefined;
  /** Whether rows whose answers are rather wrong than right are dropped. */
  readonly dropsDoubtful?: boolean | undefined;
}

/** The rows of a batch: what is done with one, what it counts for, and what completes them. */
export const rowsToAdapt = (
  lines: readonly string[],
  reuse: RowReuse | undefined,
  work: OpenRows<WorkedRow>['work'],
): OpenRows<WorkedRow> & { readonly complete: NonNullable<OpenRows<WorkedRow>['complete']> } => ({
  lines,
  work,
  parse: (value) => WorkedRow.parse(value),
  effortOf,
  async complete(results) {
    if (reuse?.keepsInResults === true) return results;
    await reuse?.write(toRecordable(results));
    return results.map(withoutCalls);
  },
});

/**
 * Runs one row through its program: a result for any outcome.
 * @throws {CallDeferred} if a call waits for a batch
 * @throws {ModelOutage}
 */
export async function adaptRow(
  { program, reuse, batches, known = UNKNOWN_ROWS, hasDoubtColumns = false, dropsDoubtful = false }: RowWork,
  row: number,
  cells: SourceCells,
  asking: Asking,
): Promise<WorkedRow> {
  const reusing = reuseRow(reuse, row, batches);
  const meter = newCallMeter();
  const begunAtMs = asking.clock.now();
  const before = known(row);
  const given = (result: WorkedRow): WorkedRow => (dropsDoubtful ? withoutDoubtful(result) : result);
  const reason = dropsDoubtful && !before.isAsked ? doubtfulReason(before.doubt) : null;
  if (reason !== null) return { row, outcome: 'dropped', reason, ...usedBy(meter) };
  try {
    // What is around the program, such as safety, reads the row's texts too.
    const { doubt = before.doubt, ...processed } = await orUnreadable(() =>
      program.run(cells, { ...asking, memo: reusing.memo }, meter, before),
    );
    const result = given({
      row,
      ...withDoubt<DoubtedCells>(processed, doubt, hasDoubtColumns),
      ...usedBy(meter),
    });
    if (!isDelivered(result)) return result;
    if (reusing.isReused()) result.reused = true;
    const calls = reusing.unrecorded();
    if (calls !== null) result.recorded = calls;
    return result;
  } catch (error) {
    const { code, message } = failureOfRow(error, begunAtMs, asking, meter);
    const reason = { code, message };
    const failed: DoubtedCells = { outcome: 'failed', reason, cells: program.original(cells) };
    return given({ row, ...withDoubt(failed, before.doubt, hasDoubtColumns), ...usedBy(meter) });
  }
}

/** A row with what it is doubted for; dropped if its answer is rather wrong than right. */
export function withoutDoubtful(result: WorkedRow): WorkedRow {
  const reason = doubtfulReason(result.doubt);
  if (reason === null) return result;
  const { cells: _cells, edit: _edit, sources: _sources, doubt: _doubt, notes: _notes, ...row } = result;
  return { ...row, outcome: 'dropped', reason };
}

type DoubtedCells = Pick<
  RunResult,
  'outcome' | 'reason' | 'notes' | 'edit' | 'sources' | 'cells' | 'safety_scorer'
>;

/** What the calls of a row used. */
function usedBy({
  input_tokens,
  output_tokens,
  calls,
  batched,
  seconds,
}: CallMeter): Pick<WorkedRow, 'tokens' | 'calls' | 'batched' | 'seconds'> {
  const used = {
    tokens: { input: input_tokens, output: output_tokens },
    calls,
    seconds: Math.round(seconds * 1000) / 1000,
  };
  if (batched === undefined) return used;
  const inBatches = {
    input: batched.input_tokens,
    output: batched.output_tokens,
    calls: batched.calls,
  };
  return { ...used, batched: inBatches };
}
