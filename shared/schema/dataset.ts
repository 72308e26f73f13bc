import * as z from 'zod';
import { ConfiguredColumnMapping, RawColumnMapping } from './column-mapping.ts';
import { DateTime, ErrorData, IntegerText, LegacyError } from './common.ts';

export const DatasetKind = z.enum([
  'uploaded',
  'combined',
  'invented',
  'augmented',
  'translated',
  'localized',
  'extended',
]);
export type DatasetKind = z.infer<typeof DatasetKind>;

/** Status of GET /datasets/{id} (spec §3): four values, the strict client refuses a fifth. */
export const DatasetStatus = z.enum(['pending', 'running', 'succeeded', 'failed']);
export type DatasetStatus = z.infer<typeof DatasetStatus>;

/** Status of the list and status endpoints, which also say `awaiting_input`. */
export const DatasetListStatus = z.enum(['pending', 'running', 'awaiting_input', 'succeeded', 'failed']);
export type DatasetListStatus = z.infer<typeof DatasetListStatus>;

export const Grade = z.enum(['A', 'B', 'C', 'D', 'E']);
export type Grade = z.infer<typeof Grade>;

export const EvaluationSummary = z
  .object({
    grade_before: Grade.nullable(),
    grade_after: Grade.nullable(),
    score_before: z.number().nullable(),
    score_after: z.number().nullable(),
    improvement_percent: z.number().nullable(),
  })
  .meta({ id: 'EvaluationSummary' });
export type EvaluationSummary = z.infer<typeof EvaluationSummary>;

export const Progress = z
  .object({
    percent: z.int().min(0).max(100),
    processed_rows: z.int().min(0),
    total_rows: z.int().min(0),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof Progress>;

export const ImageColumnFormat = z.enum(['embedded_bytes', 'url', 'file_reference']);
export type ImageColumnFormat = z.infer<typeof ImageColumnFormat>;

/** Spec §2.1. Every key is always present; `error` is the older shape of `error_data`. */
export const Dataset = z
  .object({
    dataset_id: z.string(),
    kind: DatasetKind,
    source_dataset_id: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    status: DatasetStatus,
    created_at: DateTime,
    created_by_user_id: z.uuid(),
    updated_at: DateTime,
    row_count: z.int().min(0).nullable(),
    configured_column_mapping: ConfiguredColumnMapping.nullable(),
    evaluation_summary: EvaluationSummary.nullable(),
    run_id: z.string().nullable(),
    progress: Progress.nullable(),
    error_data: ErrorData.nullable(),
    error: LegacyError.nullable(),
    image_column_formats: z.record(z.string(), ImageColumnFormat).nullable(),
  })
  .meta({ id: 'Dataset' });
export type Dataset = z.infer<typeof Dataset>;

/** Spec §2.2. */
export const DatasetListItem = z
  .object({
    dataset_id: z.string(),
    name: z.string(),
    status: DatasetListStatus,
    created_at: DateTime,
    updated_at: DateTime,
    row_count: z.int().min(0).nullable(),
    description: z.string().nullable(),
  })
  .meta({ id: 'DatasetListItem' });
export type DatasetListItem = z.infer<typeof DatasetListItem>;

/** Spec §2.3. */
export const DatasetStatusRecord = z
  .object({
    dataset_id: z.string(),
    status: DatasetListStatus,
    row_count: z.int().min(0).nullable(),
    progress: Progress.nullable(),
    error_data: ErrorData.nullable(),
    error: LegacyError.nullable(),
  })
  .meta({ id: 'DatasetStatusRecord' });
export type DatasetStatusRecord = z.infer<typeof DatasetStatusRecord>;

export const DatasetSort = z.enum(['created_at', 'updated_at', 'name']);
export type DatasetSort = z.infer<typeof DatasetSort>;

const listLimit = IntegerText.pipe(z.int().min(1).max(100));

/** Spec §4.3 with the filters that the public client adds. An empty `status` or `type` means no filter. */
export const ListDatasetsQuery = z.strictObject({
  created_after: z.iso.datetime({ offset: true, local: true }).optional(),
  created_before: z.iso.datetime({ offset: true, local: true }).optional(),
  cursor: z.string().max(2000).optional(),
  limit: listLimit.optional().meta({ description: 'Page size, 1 to 100, default 20' }),
  q: z.string().max(255).optional().meta({ description: 'Case-insensitive: the name contains it' }),
  sort: DatasetSort.optional(),
  sort_direction: z.enum(['asc', 'desc']).optional(),
  status: z.union([DatasetListStatus, z.literal('')]).optional(),
  created_by_user_id: z.string().max(100).optional(),
  type: z.union([z.enum(['original', 'combined', 'augmented', 'invented']), z.literal('')]).optional(),
});
export type ListDatasetsQuery = z.infer<typeof ListDatasetsQuery>;

export const DatasetPage = z.object({
  datasets: z.array(DatasetListItem),
  next_cursor: z.string().nullable(),
});
export type DatasetPage = z.infer<typeof DatasetPage>;

export const FileFormat = z.enum([
  'csv',
  'json',
  'jsonl',
  'parquet',
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'html',
  'zip',
  'txt',
]);
export type FileFormat = z.infer<typeof FileFormat>;

/** Spec §4.1. `type` is the discriminator of the older shape: accepted, and checked against the rest. */
export const CreateDatasetSource = z.strictObject({
  type: z.enum(['file', 'huggingface', 'kaggle']).optional(),
  url: z.string().min(1).max(2000).optional(),
  files: z.array(z.string().min(1)).max(1000).optional(),
  sheet_names: z.array(z.string()).max(200).optional(),
  sheet_name: z.string().optional(),
  access: z.enum(['oauth', 'public']).optional(),
  name: z.string().min(1).max(255).optional(),
  file_format: FileFormat.optional(),
  processing_mode: z.enum(['adapt', 'raw']).optional(),
  column_mapping: RawColumnMapping.optional(),
  defer_adaption: z.boolean().optional(),
});
export type CreateDatasetSource = z.infer<typeof CreateDatasetSource>;

export const CreateDatasetRequest = z
  .strictObject({ source: CreateDatasetSource, defer_adaption: z.boolean().optional() })
  .meta({ id: 'CreateDatasetRequest' });
export type CreateDatasetRequest = z.infer<typeof CreateDatasetRequest>;

export const UploadInstructions = z
  .object({ url: z.string(), method: z.literal('PUT'), s3_key: z.string() })
  .meta({ id: 'UploadInstructions' });

export const CreateDatasetResponse = z.object({
  dataset_id: z.string(),
  status: DatasetStatus,
  /** Null for an import, which needs no upload. */
  upload_instructions: UploadInstructions.nullable(),
});

export const Message = z.object({ message: z.string() });

export const DownloadQuery = z.strictObject({
  fileFormat: z.enum(['csv', 'json', 'jsonl', 'parquet']).optional(),
});

export const PublishRequest = z.strictObject({
  target: z.enum(['huggingface', 'kaggle']),
  target_spec: z.record(z.string(), z.json()).optional(),
});

export const PublishJob = z.object({
  publish_id: z.string(),
  status: z.string(),
  message: z.string().optional(),
});

export const ExportLinks = z
  .object({
    huggingface: z.string().nullable(),
    kaggle: z.string().nullable(),
    google_sheets: z.string().nullable(),
  })
  .meta({ id: 'ExportLinks' });

/** Spec §2.14: what a training can be launched with again. */
export const BestLaunchConfig = z
  .object({
    /** Null while a training goes on, and where none has ended with a model. */
    best_job_config: z
      .object({
        finetune_job_id: z.uuid(),
        /** Null of a job that belongs to no experiment. */
        training_experiment_id: z.uuid().nullable(),
        original_model_name: z.string(),
        trained_model_name: z.string().nullable(),
        training_method: z.enum(['sft', 'dpo']),
        training_type: z.enum(['lora', 'full']),
        data_format: z.enum(['chat', 'instruction', 'preference']),
        hyperparams: z.record(z.string(), z.unknown()),
      })
      .nullable(),
  })
  .meta({ id: 'BestLaunchConfig' });
