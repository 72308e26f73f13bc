import { readCells, type SourceCells } from '#shared/answers/decide/read-cells.ts';
import { AskFailure, type Asking, type CallMeter, newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { RowBatches } from '#shared/models/decide/call-memo.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { type RowReuse, reuseRow, type WorkedRow } from './decide/reuse.ts';
import type { RowProgram } from './decide/row-program.ts';

/** What decides about each row of a batch. */
export interface RowWork {
  readonly program: RowProgram;
  /** Decides a row without a model; null passes it to the program. */
  readonly decided: (row: number, cells: SourceCells) => Pick<RunResult, 'outcome' | 'reason'> | null;
  /** The recorded model calls of the rows; without it every row is adapted anew, and nothing is recorded. */
  readonly reuse?: RowReuse | undefined;
  /** The batches of the run, if it has any. */
  readonly batches?: RowBatches | undefined;
}

/**
 * Runs one row through its program: a result for any outcome.
 * @throws {CallDeferred} if a call waits for a batch
 * @throws {ModelOutage}
 */
export async function adaptRow(
  { program, decided, reuse, batches }: RowWork,
  line: string,
  row: number,
  asking: Asking,
): Promise<WorkedRow> {
  const cells = readCells(line, program.columns);
  const verdict = decided(row, cells);
  if (verdict !== null) {
    const isDropped = verdict.outcome === 'dropped';
    return {
      row,
      ...verdict,
      ...(isDropped ? {} : { cells: program.original(cells) }),
      tokens: { input: 0, output: 0 },
      calls: 0,
    };
  }
  const reusing = reuseRow(reuse, row, batches);
  const meter = newCallMeter();
  try {
    const processed = await program.run(cells, { ...asking, memo: reusing.memo }, meter);
    const result: WorkedRow = { row, ...processed, ...usedBy(meter) };
    if (!isDelivered(processed)) return result;
    if (reusing.isReused()) result.reused = true;
    const calls = reusing.unrecorded();
    if (calls !== null) result.recorded = calls;
    return result;
  } catch (error) {
    if (!(error instanceof AskFailure)) {
      throw error;
    }
    const reason = { code: error.code, message: error.message };
    return { row, outcome: 'failed', reason, cells: program.original(cells), ...usedBy(meter) };
  }
}

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

const isDelivered = ({ outcome }: Pick<RunResult, 'outcome'>): boolean =>
  outcome === 'changed' || outcome === 'kept';
