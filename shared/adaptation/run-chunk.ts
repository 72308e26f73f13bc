import { AskFailure, type Asking, newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { RowBatches } from '#shared/models/decide/call-memo.ts';
import type { RowEffort } from '#shared/runs/run-rows.ts';
import { askingOf, type ModelRowsJob, runRowsOnModel } from '#shared/runs/run-worker.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import {
  type ReusingRow,
  type RowReuse,
  reuseRow,
  toRecordable,
  WorkedRow,
  withoutCalls,
} from './decide/reuse.ts';
import { type RowProgram, readCells, type SourceCells } from './decide/row-program.ts';

/** The counts add up to `total`, the finished rows. */
export interface ChunkCounts {
  total: number;
  changed: number;
  kept: number;
  failed: number;
  dropped: number;
  not_selected: number;
  input_tokens: number;
  output_tokens: number;
  calls: number;
}

export type ChunkEnd =
  | { readonly status: 'finished'; readonly counts: ChunkCounts }
  | { readonly status: 'unfinished' | 'stopped'; readonly rowsDone: number; readonly rowsTotal: number };

/** What decides about each row of a chunk. */
export interface RowWork {
  readonly program: RowProgram;
  /** Decides a row without a model; null passes it to the program. */
  readonly decided: (row: number, cells: SourceCells) => Pick<RunResult, 'outcome' | 'reason'> | null;
  /** The recorded model calls of the rows; without it every row is adapted anew, and nothing is recorded. */
  readonly reuse?: RowReuse | undefined;
  /** The batches of the run, if it has any. */
  readonly batches?: RowBatches | undefined;
}

export interface AdaptChunk extends ModelRowsJob, RowWork {}

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
  const spent = () => ({
    tokens: { input: meter.input_tokens, output: meter.output_tokens },
    calls: meter.calls,
    ...(meter.batched === undefined
      ? {}
      : {
          batched: {
            input: meter.batched.input_tokens,
            output: meter.batched.output_tokens,
            calls: meter.batched.calls,
          },
        }),
    seconds: Math.round(meter.seconds * 1000) / 1000,
  });
  try {
    const verdict = await program.run(cells, { ...asking, memo: reusing.memo }, meter);
    return { row, ...verdict, ...spent(), ...(isDelivered(verdict) ? reused(reusing) : {}) };
  } catch (error) {
    if (!(error instanceof AskFailure)) {
      throw error;
    }
    const reason = { code: error.code, message: error.message };
    return { row, outcome: 'failed', reason, cells: program.original(cells), ...spent() };
  }
}

/** Runs a chunk's rows through a program: one result a row, for any outcome. */
export async function runChunk(chunk: AdaptChunk): Promise<ChunkEnd> {
  const { reuse } = chunk;

  async function complete(results: readonly WorkedRow[]): Promise<readonly RunResult[]> {
    if (reuse?.keepsInResults === true) return results;
    await reuse?.write(toRecordable(results));
    return results.map(withoutCalls);
  }

  const end = await runRowsOnModel<WorkedRow>({
    ...chunk,
    process: (line, row, signal) => adaptRow(chunk, line, row, askingOf(chunk, signal)),
    parse: (value) => WorkedRow.parse(value),
    complete,
    effortOf,
  });
  return end.status === 'finished'
    ? { status: 'finished', counts: countResults(end.results) }
    : { status: end.status, ...end.progress };
}

/** What a row counts for in the limits of its run. Tokens of batch jobs count when a job is recorded. */
export const effortOf = ({ tokens, batched, outcome }: RunResult): RowEffort => ({
  tokens: tokens.input + tokens.output - (batched?.input ?? 0) - (batched?.output ?? 0),
  isFailed: outcome === 'failed',
});

const isDelivered = ({ outcome }: Pick<RunResult, 'outcome'>): boolean =>
  outcome === 'changed' || outcome === 'kept';

function reused({ isReused, unrecorded }: ReusingRow): Pick<WorkedRow, 'reused' | 'recorded'> {
  const calls = unrecorded();
  return { ...(isReused() ? { reused: true } : {}), ...(calls === null ? {} : { recorded: calls }) };
}

function countResults(results: readonly RunResult[]): ChunkCounts {
  const counts: ChunkCounts = {
    total: results.length,
    changed: 0,
    kept: 0,
    failed: 0,
    dropped: 0,
    not_selected: 0,
    input_tokens: 0,
    output_tokens: 0,
    calls: 0,
  };
  for (const { outcome, tokens, calls } of results) {
    counts[outcome] += 1;
    counts.input_tokens += tokens.input;
    counts.output_tokens += tokens.output;
    counts.calls += calls;
  }
  return counts;
}
