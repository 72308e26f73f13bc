import { type DatasetEvent, newEvent } from '#shared/events/decide/event.ts';
import type { Ending } from './ledger/repository.ts';
import type { RunRecord } from './record.ts';
import { kindOf } from './run-kinds.ts';

/**
 * What the end of a run says to those who wait for it.
 * @param rows of the dataset, as read before the end
 */
export function endedEvent(run: RunRecord, ending: Ending, rows: number | null): DatasetEvent {
  const { run_id, dataset_id, pipeline } = run;
  const type = kindOf(run).endEvent;
  const { status, billedCredits: billed_credits, endedAt } = ending;
  const about = { datasetId: dataset_id, at: endedAt };
  const error_code = ending.errorData?.code ?? null;
  if (type === 'dataset.read') {
    const row_count = status === 'failed' ? null : (ending.changes.row_count ?? rows);
    return newEvent({ type, data: { run_id, status, row_count, error_code } }, run_id, about);
  }
  if (type === 'pilot.ended') {
    return newEvent({ type, data: { pilot_id: run_id, status, billed_credits, error_code } }, run_id, about);
  }
  const version = status === 'succeeded' ? (run.version ?? null) : null;
  const data = { run_id, kind: pipeline, status, version, billed_credits, error_code };
  return newEvent({ type, data }, run_id, about);
}

/** The progress of an active run that is worth an event. */
export function progressEvent(
  { run_id, dataset_id, pipeline, total_rows }: RunRecord,
  percent: number,
  processedRows: number,
  at: string,
): DatasetEvent {
  return newEvent(
    {
      type: 'run.progressed',
      data: {
        run_id,
        kind: pipeline,
        percent,
        processed_rows: processedRows,
        total_rows: total_rows ?? processedRows,
      },
    },
    `${run_id} ${percent}`,
    { datasetId: dataset_id, at },
  );
}

/** The tenth that a run has reached and not said yet, in percent; null if there is none, or it is the first or last. */
export function reachedTenth(
  { total_rows, told_percent = 0 }: RunRecord,
  processedRows: number,
): number | null {
  if (total_rows === null || total_rows === 0) return null;
  // Rows of a run are said to be done when it has ended.
  const percent = Math.min(90, Math.floor((processedRows * 10) / total_rows) * 10);
  return percent > told_percent ? percent : null;
}
