import { adaptRow, type RowWork, rowsToAdapt } from '#shared/adaptation/adapt-row.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import type { Asking } from '#shared/models/decide/ask-model.ts';
import type { WorkerWatch } from '#shared/runs/decide/worker-watch.ts';
import type { RowsJob } from '#shared/runs/run-rows.ts';
import { runSample, type WorkStatus } from '#shared/runs/run-worker.ts';

export interface BatchInTests
  extends RowWork,
    Pick<RowsJob<never>, 'lines' | 'objects' | 'clock' | 'attempt' | 'shouldStop'> {
  readonly callsPerWorker: number;
  readonly outageSecondsMax: number;
  readonly seconds: number;
  readonly watch?: WorkerWatch;
  /** Called with how the model is asked, before each row. */
  readonly onAsking?: (asking: Asking) => void;
}

/** Adapts lines by a program, as a worker does with those of a batch. */
export function adaptBatch({
  lines,
  attempt,
  seconds,
  watch,
  ...batch
}: BatchInTests): Promise<{ status: WorkStatus }> {
  const { program, reuse, shouldStop, onAsking } = batch;
  const invocation = {
    deadlineMs: batch.clock.now() + seconds * 1000,
    attempt,
    ...(watch === undefined ? {} : { watch }),
  };
  return runSample({ ...batch, random: Math.random }, { first_row: 0 }, invocation, async () => ({
    ...rowsToAdapt(lines, reuse, (line, row, asking) => {
      onAsking?.(asking);
      return adaptRow(batch, row, readCells(line, program.columns), asking);
    }),
    shouldStop,
    resultKey: 'results/0.jsonl',
    checkpointPrefix: 'checkpoints/0/',
  }));
}
