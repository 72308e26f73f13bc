import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import {
  type Asking,
  type CallMeter,
  orUnreadable,
  unlessAllRefused,
} from '#shared/models/decide/ask-model.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';
import type { AnswerEdit, RowReason, Source } from '#shared/runs/schema/run-result.ts';

/** The columns that a run produces for a row, as plain text; null for a column without a value. */
export type ProducedCells = Record<string, string | null>;

/** Facts about a row that are kept for every outcome; see `RunResult`. */
export interface RowRemarks {
  readonly notes?: RowReason[];
  readonly sources?: Source[];
  readonly edit?: AnswerEdit;
  readonly safety_scorer?: string;
  /** Why the answer is probably wrong; null if it is doubted no longer. */
  readonly doubt?: Doubt | null;
}

/** What is known of a row before it is worked on. */
export interface KnownRow {
  /** Why its answer is probably wrong. */
  readonly doubt: Doubt | null;
  /** Whether a model is asked about its answer, where the run has answers verified. */
  readonly isAsked: boolean;
}

export const UNKNOWN_ROW: KnownRow = { doubt: null, isAsked: true };

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
  run(cells: SourceCells, asking: Asking, meter: CallMeter, known?: KnownRow): Promise<ProcessedRow>;
}

/**
 * The program whose rows fail if the provider refused all that it was asked, also where they can do without, and if a text of
 * theirs cannot be worked on.
 */
export const failingAlone = (program: RowProgram): RowProgram => ({
  ...program,
  run: (cells, asking, meter, known) =>
    unlessAllRefused(meter, () => orUnreadable(() => program.run(cells, asking, meter, known))),
});
