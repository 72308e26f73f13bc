import { fileWarning } from '#shared/datasets/decide/file-warnings.ts';
import {
  adaptedRunId,
  type DatasetRecord,
  type Delivering,
  type EvaluationRecord,
  shownRunId,
} from '#shared/datasets/decide/record.ts';
import { listStatus, publicStatus, waitsFor } from '#shared/datasets/decide/states.ts';
import { currentVersion, rowsVersion } from '#shared/datasets/decide/versions.ts';
import type {
  Dataset,
  DatasetListItem,
  DatasetStatusRecord,
  Progress,
} from '#shared/datasets/schema/dataset.ts';
import type { EvaluationStatus } from '#shared/datasets/schema/evaluation.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { findForm } from '#shared/tabular/decide/forms/known-form.ts';
import type { RunRecord } from './record.ts';

/** Progress of the active run (spec §2.1); null if none is active. */
export function toProgress(
  run: Pick<RunRecord, 'total_rows' | 'stage'> | null,
  processedRows: number,
): Progress | null {
  if (run === null) return null;
  const total = run.total_rows ?? 0;
  const processed = Math.min(processedRows, total);
  return {
    percent: total === 0 ? 0 : Math.floor((100 * processed) / total),
    processed_rows: processed,
    total_rows: total,
    stage: stageOf(run, processedRows),
  };
}

/** What a run does before its first row is done. */
export const stageOf = ({ stage = null }: Pick<RunRecord, 'stage'>, processedRows: number) =>
  processedRows === 0 ? stage : null;

/**
 * Rows of a download. Callers start an adaptation when they see a row count, so it is shown only after the whole file
 * was read.
 */
function shownRowCount(dataset: DatasetRecord): number | null {
  if (dataset.state === 'ingesting') return null;
  // Rows that came since the latest success count at once: they are what the next run reads.
  if (rowsVersion(dataset) > currentVersion(dataset)) return dataset.row_count;
  return dataset.output_row_count ?? dataset.row_count;
}

/** Why the dataset failed, or what its latest success did not make, and the data lost while reading its file. */
function shownError({ error_data, result, state, warnings = [] }: DatasetRecord): ErrorData | null {
  const ofResult = state === 'running' ? [] : (result?.warnings ?? []);
  return error_data ?? fileWarning([...ofResult, ...warnings]);
}

/** The `error` field for older clients, in addition to `error_data`; it has no warnings. */
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
    // Hidden until an active run has ended.
    evaluation_summary: dataset.state === 'running' ? null : dataset.evaluation_summary,
    run_id: shownRunId(dataset),
    progress,
    error_data: shownError(dataset),
    error: legacyError(dataset),
    image_column_formats: dataset.image_column_formats,
    detected_format: findForm(dataset.columns ?? []),
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
    waits_for: waitsFor(dataset.state),
  };
}

export function toDatasetStatus(dataset: DatasetRecord, progress: Progress | null): DatasetStatusRecord {
  return {
    dataset_id: dataset.dataset_id,
    status: listStatus(dataset.state),
    row_count: shownRowCount(dataset),
    progress,
    error_data: shownError(dataset),
    error: legacyError(dataset),
    waits_for: waitsFor(dataset.state),
  };
}

/** The run whose evaluation is shown: the active one, else the one whose rows the dataset has. */
export function evaluatedRunId(dataset: Pick<DatasetRecord, 'state' | 'run_id'> & Delivering): string | null {
  return shownRunId(dataset) ?? adaptedRunId(dataset);
}

/**
 * The status of an evaluation (spec §2.7), terminal for every dataset that has ended. An evaluation whose run was
 * interrupted, or that was not started during its run, is terminal too.
 */
export function evaluationStatus(
  dataset: Pick<DatasetRecord, 'state' | 'run_id'>,
  evaluation: Pick<EvaluationRecord, 'run_id' | 'status'> | null,
): EvaluationStatus {
  if (evaluation === null) {
    return dataset.state === 'succeeded' || dataset.state === 'failed' ? 'skipped' : 'pending';
  }
  const isOpen = evaluation.status === 'pending' || evaluation.status === 'running';
  return isOpen && dataset.run_id !== evaluation.run_id ? 'failed' : evaluation.status;
}
