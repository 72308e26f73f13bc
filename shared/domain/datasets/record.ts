import * as z from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import { LanguageExpansion } from '../../schema/adaptation.ts';
import { ConfiguredColumnMapping, RawColumnMapping } from '../../schema/column-mapping.ts';
import { ErrorData } from '../../schema/common.ts';
import { DatasetKind, EvaluationSummary, FileFormat, ImageColumnFormat } from '../../schema/dataset.ts';
import { EvaluationStatus, Quality } from '../../schema/evaluation.ts';
import { RowsColumn } from '../../schema/rows-manifest.ts';
import { DatasetState } from './lifecycle.ts';

const Timestamp = z.iso.datetime();

/** A dataset as it is stored. Its rows are objects of the data bucket, never here. */
export const DatasetRecord = z.object({
  dataset_id: z.uuid(),
  team_id: z.string(),
  organization_id: z.string(),
  created_by_user_id: z.uuid(),
  name: z.string(),
  kind: DatasetKind,
  source_dataset_id: z.string().nullable(),
  state: DatasetState,
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Rows of the file, which every run starts from. */
  row_count: z.int().min(0).nullable(),
  /** Rows that the latest run delivered; absent or null where it failed, and where there was none. */
  output_row_count: z.int().min(0).nullable().optional(),
  description: z.string().nullable(),
  file_format: FileFormat,
  file_name: z.string(),
  /** Object that the caller uploads to; it expires. */
  s3_key: z.string(),
  /** Object that says what the dataset is imported from; absent of one that is uploaded. */
  import_key: z.string().optional(),
  /** Object that says which files a batch has, from its completion on; absent of one that is no batch. */
  batch_key: z.string().optional(),
  /** Object that keeps the file as it was uploaded; null until the upload is completed. */
  raw_key: z.string().nullable(),
  /** SHA-256 that the caller gave for the file, in lower-case hexadecimal; compared when the file is read. */
  expected_sha256: z.string().nullable(),
  processing_mode: z.enum(['adapt', 'raw']),
  raw_column_mapping: RawColumnMapping.nullable(),
  configured_column_mapping: ConfiguredColumnMapping.nullable(),
  defer_adaption: z.boolean(),
  /** Columns of the file in its order; null until it is read, like `manifest_key` and `row_count`. */
  columns: z.array(RowsColumn).nullable(),
  manifest_key: z.string().nullable(),
  /** The active run, also that of an ingest; see `shownRunId`. */
  run_id: z.string().nullable(),
  /** The latest run that ended, ingests apart. */
  last_run_id: z.string().nullable(),
  /** The run that made its rows, where that is one of which callers see a report. */
  made_by_run_id: z.string().optional(),
  evaluation_summary: EvaluationSummary.nullable(),
  error_data: ErrorData.nullable(),
  image_column_formats: z.record(z.string(), ImageColumnFormat).nullable(),
  language_expansion: LanguageExpansion.nullable(),
});
export type DatasetRecord = z.infer<typeof DatasetRecord>;

/** Fields that can be set together with a transition; identity, state and run belong to the transition itself. */
export type DatasetChanges = Partial<
  Pick<
    DatasetRecord,
    | 'row_count'
    | 'description'
    | 'raw_key'
    | 'expected_sha256'
    | 'configured_column_mapping'
    | 'columns'
    | 'manifest_key'
    | 'evaluation_summary'
    | 'image_column_formats'
    | 'language_expansion'
  >
>;

/** The run id that callers see: that of an adaptation, not that of the ingest. */
export function shownRunId(dataset: Pick<DatasetRecord, 'state' | 'run_id'>): string | null {
  return dataset.state === 'running' ? dataset.run_id : null;
}

/** The one answer for a dataset that is missing, deleted or another team's: it tells nothing of other teams. */
export function datasetNotFound(): ServiceError {
  return new ServiceError(
    'dataset_not_found',
    'There is no dataset with this id in your team. Check the id, or list your datasets.',
  );
}

/** The answer to who would delete a dataset that is being trained on. */
export function trainingActive(): ServiceError {
  return new ServiceError(
    'training_running',
    'A training of this dataset has not ended. Wait until it has, or cancel it, then delete the dataset.',
  );
}

/** The latest evaluation of a dataset; `results_key` names the object with its `raw_results`. */
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
