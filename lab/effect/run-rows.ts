import type { RowProgram } from '#shared/adaptation/decide/row-program.ts';
import { AskFailure, type Asking, type CallMeter, newCallMeter } from '#shared/models/decide/ask-model.ts';
import { checkAnswer } from './check-answer.ts';
import { datasetsOf } from './load-rows.ts';
import { cellsOf, type DatasetReading, type LabModels, programOf, readDataset, seeRow } from './program.ts';
import { inputHash, type LabDataset, type LabResult } from './result.ts';
import type { LabRow } from './row.ts';

export interface RunRowsOptions {
  /** All rows of the half: learning uses the whole dataset, even if only some rows run. */
  readonly rows: readonly LabRow[];
  readonly isDone: (row: LabRow) => boolean;
  readonly models: LabModels;
  readonly asking: Asking;
  /** Concurrent rows. */
  readonly concurrency: number;
  readonly onResult: (result: LabResult | LabDataset) => Promise<void>;
}

/**
 * Adapts rows with the service's own program, one program for each dataset, and checks each answer before and after.
 * @throws {ModelOutage} if the model does not respond; finished results have been reported
 */
export async function runRows(options: RunRowsOptions): Promise<void> {
  const { asking, models, onResult } = options;
  const jobs = [...datasetsOf(options.rows)].flatMap(([, members]) => {
    const open = members.filter((row) => !options.isDone(row));
    let learned: Promise<LearnedDataset> | null = null;
    const learn = async (): Promise<LearnedDataset> => {
      const reading = await readDataset(members);
      return { reading, program: programOf(reading, models) };
    };
    return open.map((row) => async () => {
      learned ??= learn();
      await onResult(await runRow(row, await learned, asking));
    });
  });
  let next = 0;
  let isEnded = false;
  const work = async (): Promise<void> => {
    while (!isEnded) {
      const job = jobs[next];
      next += 1;
      if (job === undefined) return;
      await job();
    }
  };
  const workers = Array.from({ length: options.concurrency }, () =>
    work().catch((error: unknown) => {
      isEnded = true;
      throw error;
    }),
  );
  // All of them end before the first failure is thrown.
  const ends = await Promise.allSettled(workers);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

interface LearnedDataset {
  readonly reading: DatasetReading;
  readonly program: RowProgram;
}

async function runRow(row: LabRow, { reading, program }: LearnedDataset, asking: Asking): Promise<LabResult> {
  const cells = cellsOf(row, program);
  const meter = newCallMeter();
  const verdict = await program.run(cells, asking, meter).catch((error: unknown) => {
    if (!(error instanceof AskFailure)) throw error;
    const reason = { code: error.code, message: error.message };
    return { outcome: 'failed' as const, reason, notes: [], cells: program.original(cells) };
  });
  if (verdict.outcome === 'dropped')
    throw new Error(`The row ${row.id} was dropped, and only a safety filter drops rows.`);
  const delivered = verdict.cells.enhanced_completion ?? '';
  // An unchanged earlier reply is not an answer to the last turn of its conversation.
  const isOriginal = delivered === (program.original(cells).enhanced_completion ?? '');
  const adapted = isOriginal ? row.completion : delivered;
  const edit = ('edit' in verdict ? verdict.edit : undefined) ?? null;
  const [before, after] = await Promise.all([
    checkAnswer(row.check, row.completion),
    checkAnswer(row.check, adapted),
  ]);
  return {
    type: 'row',
    id: row.id,
    kind: row.kind,
    quality: row.quality,
    input_hash: inputHash(row),
    original: row.completion,
    adapted,
    outcome: verdict.outcome,
    reason: verdict.outcome === 'changed' ? null : verdict.reason.code,
    notes: (verdict.notes ?? []).map(({ code }) => code),
    edit,
    ...seeRow(row, { outcome: verdict.outcome, adapted, edit }, reading),
    ...spentOf(meter),
    before_ok: before.ok,
    after_ok: after.ok,
    why: after.why,
  };
}

function spentOf({ calls, input_tokens, output_tokens, seconds }: CallMeter) {
  return { calls, input_tokens, output_tokens, seconds: Math.round(seconds * 1000) / 1000 };
}
