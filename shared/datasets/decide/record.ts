import * as z from 'zod';
import { LanguageExpansion } from '#shared/languages/schema/language-expansion.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { FileFormat, ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import { ConfiguredColumnMapping, RawColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { FileWarning, RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { DatasetKind, EvaluationSummary, FilePurpose } from '../schema/dataset.ts';
import { EvaluationStatus, Quality } from '../schema/evaluation.ts';
import { DatasetState } from './states.ts';

const Timestamp = z.iso.datetime();

/** A dataset as stored. Its rows are objects of the data bucket, not part of the record. */
export const DatasetRecord = z.object({
  dataset_id: z.uuid(),
  team_id: z.string(),
  organization_id: z.string(),
  created_by_user_id: z.uuid(),
  name: z.string(),
  kind: DatasetKind,
  /** Null also of a merge, whose sources are in the request of its run. */
  source_dataset_id: z.string().nullable(),
  state: DatasetState,
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Rows of the file, the input of every run. */
  row_count: z.int().min(0).nullable(),
  /** Rows that an adaptation delivered; absent or null without a successful or partly finished run. */
  output_row_count: z.int().min(0).nullable().optional(),
  description: z.string().nullable(),
  file_format: FileFormat,
  file_name: z.string(),
  /** Object that the caller uploads to; it expires. */
  s3_key: z.string(),
  /** Bytes of the file, and what it is for in OpenAI's API; absent where it did not come by that. */
  file_bytes: z.int().min(0).optional(),
  file_purpose: FilePurpose.optional(),
  /** Object with the source of the import; absent for an upload. */
  import_key: z.string().optional(),
  /** Object with the list of files of a batch, from its completion on; absent for other datasets. */
  batch_key: z.string().optional(),
  /** Object with the uploaded file; null until the upload is completed. */
  raw_key: z.string().nullable(),
  /** SHA-256 from the caller, in lower-case hexadecimal; compared when the file is read. */
  expected_sha256: z.string().nullable(),
  processing_mode: z.enum(['adapt', 'raw']),
  raw_column_mapping: RawColumnMapping.nullable(),
  /** Share of a file's rows that may be left out; absent where none may. */
  max_unreadable_share: z.number().optional(),
  /** Whether personal data in texts of its files became placeholders; absent where it stays. */
  redact_personal_data: z.boolean().optional(),
  configured_column_mapping: ConfiguredColumnMapping.nullable(),
  defer_adaption: z.boolean(),
  /** Columns of the file in order; null until it is read, like `manifest_key` and `row_count`. */
  columns: z.array(RowsColumn).nullable(),
  manifest_key: z.string().nullable(),
  /** Number of its latest version, also while that is being made; absent: 1, as soon as it has rows. */
  latest_version: z.int().min(1).optional(),
  /** Version whose rows are the input of the next run; absent: 1. */
  rows_version: z.int().min(1).optional(),
  /** The append that made these rows; absent without one. */
  rows_run_id: z.string().optional(),
  /** Appends that were accepted, and whose rows are not there yet. */
  pending_appends: z.int().min(0).optional(),
  /** Warnings of the file reader, or of the run that made its rows. */
  warnings: z.array(FileWarning).optional(),
  /** The active run, including ingests; see `shownRunId`. */
  run_id: z.string().nullable(),
  /** The latest run that ended, except ingests; use `deliveredRunId` to read rows. */
  last_run_id: z.string().nullable(),
  /** The latest success, which stays when a later run fails; absent without a successful run. */
  result: z
    .object({
      /** Null if the rows are those of the upload. */
      run_id: z.string().nullable(),
      /** Absent: 1. */
      version: z.int().min(1).optional(),
      configured_column_mapping: ConfiguredColumnMapping.nullable(),
      /** What its run did not make of what was asked for; absent where nothing is to be said. */
      warnings: z.array(FileWarning).optional(),
    })
    .optional(),
  /** The run that generated the rows of a grown dataset, once it has ended; `VersionRecord.run_id` names those of all versions. */
  made_by_run_id: z.string().optional(),
  evaluation_summary: EvaluationSummary.nullable(),
  error_data: ErrorData.nullable(),
  image_column_formats: z.record(z.string(), ImageColumnFormat).nullable(),
  language_expansion: LanguageExpansion.nullable(),
});
export type DatasetRecord = z.infer<typeof DatasetRecord>;

/** Fields that can be set with a transition; identity, state and run belong to the transition itself. */
export type DatasetChanges = Partial<
  Pick<
    DatasetRecord,
    | 'name'
    | 'max_unreadable_share'
    | 'redact_personal_data'
    | 'row_count'
    | 'description'
    | 'raw_key'
    | 'expected_sha256'
    | 'configured_column_mapping'
    | 'columns'
    | 'manifest_key'
    | 'warnings'
    | 'evaluation_summary'
    | 'image_column_formats'
    | 'language_expansion'
  >
>;

/** The run id that callers see: that of an adaptation, not of the ingest. */
export function shownRunId(dataset: Pick<DatasetRecord, 'state' | 'run_id'>): string | null {
  return dataset.state === 'running' ? dataset.run_id : null;
}

/** What tells which rows a dataset delivers. */
export type Delivering = Pick<DatasetRecord, 'result' | 'last_run_id' | 'rows_run_id'>;

/**
 * The run whose rows the dataset has: the latest success, else the latest that ended, else the latest append; null for
 * the rows of the upload.
 */
export function deliveredRunId({ result, last_run_id, rows_run_id }: Delivering): string | null {
  return result === undefined ? (last_run_id ?? rows_run_id ?? null) : result.run_id;
}

/** The same where that run is an adaptation; null if the rows are as they came. */
export function adaptedRunId(dataset: Delivering): string | null {
  const delivered = deliveredRunId(dataset);
  return delivered === dataset.rows_run_id ? null : delivered;
}

/** Whether the rows of the dataset come from a success; also true if a later run failed, or rows came to them since. */
export function hasResult({ state, result }: Pick<DatasetRecord, 'state' | 'result'>): boolean {
  return (
    state === 'succeeded' || ((state === 'failed' || state === 'awaiting_input') && result !== undefined)
  );
}

/** The same error for a dataset that is missing, deleted or another team's: it reveals nothing about other teams. */
export function datasetNotFound(): ServiceError {
  return new ServiceError(
    'dataset_not_found',
    'There is no dataset with this id in your team. Check the id, or list your datasets.',
  );
}

/** The error for deleting a dataset during a training on it. */
export function trainingActive(): ServiceError {
  return new ServiceError(
    'training_running',
    'A training of this dataset has not ended. Wait until it has, or cancel it, then delete the dataset.',
  );
}

/** The error for deleting a dataset during a pilot on it. */
export function pilotActive(): ServiceError {
  return new ServiceError(
    'pilot_running',
    'A pilot of this dataset has not ended. Wait until it has, or cancel it, then delete the dataset.',
  );
}

/** The evaluation of a run; `results_key` names the object with its `raw_results`. */
export const EvaluationRecord = z.object({
  dataset_id: z.uuid(),
  run_id: z.string(),
  status: EvaluationStatus,
  quality: Quality.nullable(),
  results_key: z.string().nullable(),
  started_at: Timestamp,
  updated_at: Timestamp,
});
export type EvaluationRecord = z.infer<typeof EvaluationRecord>;
