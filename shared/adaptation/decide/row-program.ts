import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import type { Asking, CallMeter } from '#shared/models/decide/ask-model.ts';
import type { AnswerEdit, RowReason, Source } from '#shared/runs/schema/run-result.ts';

/** The columns that a run produces for a row, as plain text; null for a column without a value. */
export type ProducedCells = Record<string, string | null>;

/** Facts about a row that are kept for every outcome; see `RunResult`. */
export interface RowRemarks {
  readonly notes?: RowReason[];
  readonly sources?: Source[];
  readonly edit?: AnswerEdit;
  readonly safety_scorer?: string;
}

export type ProcessedRow = RowRemarks &
  (
    | { readonly outcome: 'changed'; readonly cells: ProducedCells }
    | {
        readonly outcome: 'kept' | 'failed' | 'dropped';
        readonly reason: RowReason;
        readonly cells: ProducedCells;
      }
  );

/**
 * The processing of one row. Each mode of adapting is one program; the worker has no other differences between
 * modes.
 */
export interface RowProgram {
  /** Columns that the program reads. */
  readonly columns: readonly string[];
  /** The produced columns of an unprocessed row. */
  original(cells: SourceCells): ProducedCells;
  /** @throws {AskFailure} if this row fails, {ModelOutage} if every row would */
  run(cells: SourceCells, asking: Asking, meter: CallMeter): Promise<ProcessedRow>;
}
