import type { Dataset, DatasetListItem, DatasetStatusRecord, Progress } from '../../schema/dataset.ts';
import type { EvaluationStatus } from '../../schema/evaluation.ts';
import type { RunRecord } from '../runs/record.ts';
import { listStatus, publicStatus } from './lifecycle.ts';
import { type DatasetRecord, type EvaluationRecord, shownRunId } from './record.ts';

/** Progress of the active run (spec §2.1); null when none is active. */
export function toProgress(
  run: Pick<RunRecord, 'total_rows'> | null,
  processedRows: number,
): Progress | null {
  if (run === null) return null;
  const total = run.total_rows ?? 0;
  const processed = Math.min(processedRows, total);
  return {
    percent: total === 0 ? 0 : Math.floor((100 * processed) / total),
    processed_rows: processed,
    total_rows: total,
  };
}

/**
 * Rows of a download. Callers start an adaptation once they see a row count: it is told when the file has been read to
 * its end.
 */
function shownRowCount(dataset: DatasetRecord): number | null {
  return dataset.state === 'ingesting' ? null : (dataset.output_row_count ?? dataset.row_count);
}

/** The `error` of older clients, beside `error_data`. */
function legacyError(dataset: DatasetRecord): { message: string } | null {
  return dataset.error_data === null ? null : { message: dataset.error_data.message };
}

export function toDataset(dataset: DatasetRecord, progress: Progress | null): Dataset {
  return {
    dataset_id: dataset.dataset_id,
    kind: dataset.kind,
    source_dataset_id: dataset.source_dataset_id,
    name: dataset.name,
    description: dataset.description,
    status: publicStatus(dataset.state),
    created_at: dataset.created_at,
    created_by_user_id: dataset.created_by_user_id,
    updated_at: dataset.updated_at,
    row_count: shownRowCount(dataset),
    configured_column_mapping: dataset.configured_column_mapping,
    evaluation_summary: dataset.evaluation_summary,
    run_id: shownRunId(dataset),
    progress,
    error_data: dataset.error_data,
    error: legacyError(dataset),
    image_column_formats: dataset.image_column_formats,
  };
}

export function toDatasetListItem(dataset: DatasetRecord): DatasetListItem {
  return {
    dataset_id: dataset.dataset_id,
    name: dataset.name,
    status: listStatus(dataset.state),
    created_at: dataset.created_at,
    updated_at: dataset.updated_at,
    row_count: shownRowCount(dataset),
    description: dataset.description,
  };
}

export function toDatasetStatus(dataset: DatasetRecord, progress: Progress | null): DatasetStatusRecord {
  return {
    dataset_id: dataset.dataset_id,
    status: listStatus(dataset.state),
    row_count: shownRowCount(dataset),
    progress,
    error_data: dataset.error_data,
    error: legacyError(dataset),
  };
}

/** The status of an evaluation (spec §2.7). One whose run was interrupted meanwhile will never be concluded. */
export function evaluationStatus(
  dataset: Pick<DatasetRecord, 'run_id'>,
  evaluation: Pick<EvaluationRecord, 'run_id' | 'status'>,
): EvaluationStatus {
  const isOpen = evaluation.status === 'pending' || evaluation.status === 'running';
  return isOpen && dataset.run_id !== evaluation.run_id ? 'failed' : evaluation.status;
}
