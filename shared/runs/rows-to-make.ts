import {
  type AskFailure,
  type Asking,
  type CallMeter,
  newCallMeter,
  orUnreadable,
} from '#shared/models/decide/ask-model.ts';
import { failureOfRow } from './decide/abandoned-row.ts';
import type { RunBudget } from './decide/budget.ts';
import { effortOf } from './decide/outcomes.ts';
import type { RunRows } from './run-worker.ts';
import type { RowReason } from './schema/run-result.ts';

/** The outcome of generating a row, and its usage. */
interface GeneratedRow {
  readonly row: number;
  readonly outcome: string;
  readonly reason?: RowReason | undefined;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly calls: number;
  readonly seconds?: number | undefined;
}

export interface RowMaking<T extends GeneratedRow, Known> {
  /** The source of each row. */
  readonly lines: readonly string[];
  readonly budget: RunBudget;
  /** The known fields of a row, for any outcome. */
  readonly known: (line: string, row: number) => Known;
  /** An `AskFailure` marks the row as failed. */
  readonly make: (
    line: string,
    row: number,
    asking: Asking,
    meter: CallMeter,
  ) => Promise<Omit<T, 'row' | 'tokens' | 'calls' | 'seconds' | keyof Known>>;
  /** Parses a stored result. */
  readonly parse: (value: unknown) => T;
}

/** New rows to generate, one result for each, for any outcome. */
export const rowsToMake = <T extends GeneratedRow, Known extends object>({
  lines,
  budget,
  known,
  make,
  parse,
}: RowMaking<T, Known>): RunRows<T> => ({
  lines,
  budget,
  parse,
  async work(line, row, asking) {
    const meter = newCallMeter();
    const begunAtMs = asking.clock.now();
    const made = await orUnreadable(() => make(line, row, asking, meter)).catch((error: unknown) =>
      failureOf(failureOfRow(error, begunAtMs, asking, meter)),
    );
    const result = {
      row,
      ...known(line, row),
      ...made,
      tokens: { input: meter.input_tokens, output: meter.output_tokens },
      calls: meter.calls,
      seconds: Math.round(meter.seconds * 1000) / 1000,
    };
    // The parts of a T. What a checkpoint holds of it is parsed when it is read.
    return result as object as T;
  },
  effortOf,
});

const failureOf = ({ code, message }: AskFailure): { outcome: 'failed'; reason: RowReason } => ({
  outcome: 'failed',
  reason: { code, message },
});
