import * as z from 'zod';
import {
  count,
  DatasetId,
  DateTime,
  decimal,
  ErrorData,
  IntegerText,
  LegacyError,
  NextCursor,
  text,
  UserId,
} from '#shared/platform/schema/common.ts';
import { ExportFormat, FileFormat, ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import { ConfiguredColumnMapping, RawColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { NAMES_TWO_READS, namesOneRead, ReadVersion } from './version.ts';

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

/** What a file is for, as OpenAI's API has it. A dataset that did not come by that API is `user_data`. */
export const FilePurpose = z.enum(['fine-tune', 'evals', 'batch', 'batch_output', 'user_data']);
export type FilePurpose = z.infer<typeof FilePurpose>;

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
    grade_before: Grade.nullable()
      .meta({ example: 'C' })
      .describe('Grade of the source rows, A (best) to E; null without completions.'),
    grade_after: Grade.nullable()
      .meta({ example: 'B' })
      .describe('Grade of the adapted rows, A (best) to E.'),
    score_before: decimal(6)
      .min(0)
      .max(10)
      .nullable()
      .describe('Mean score of the source rows, 0 to 10; null without completions.'),
    score_after: decimal(7.9).min(0).max(10).nullable().describe('Mean score of the adapted rows, 0 to 10.'),
    improvement_percent: decimal(31.7)
      .nullable()
      .describe('Relative change of the score in percent: (after − before) / before × 100.'),
  })
  .meta({ id: 'EvaluationSummary' });
export type EvaluationSummary = z.infer<typeof EvaluationSummary>;

/** What a run does before its first row is done, where that may take minutes. */
export const ProgressStage = z.enum(['measuring_judge', 'looking_at_rows']);
export type ProgressStage = z.infer<typeof ProgressStage>;

export const STAGE =
  'What the work does before its first row is done. `measuring_judge`: how far the judge model can be believed is measured on known questions, once for each model, which takes up to 15 minutes with a slow one. `looking_at_rows`: code of rows is run and rows are compared. Null otherwise.';

export const Progress = z
  .object({
    percent: z
      .int()
      .min(0)
      .max(100)
      .meta({ example: 48 })
      .describe('Share of the work that is done, 0 to 100 percent.'),
    processed_rows: count(120).describe('Rows that are done.'),
    total_rows: count(250).describe('Rows to process.'),
    stage: ProgressStage.nullable().meta({ example: null }).describe(STAGE),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof Progress>;

/** A form in which tools keep rows, and the mapping that follows. */
export const DetectedFormat = z
  .object({
    name: z
      .enum(['openai', 'sharegpt', 'alpaca', 'trl', 'opentelemetry', 'langfuse'])
      .meta({ example: 'alpaca' })
      .describe(
        'Name of the form. Of `opentelemetry` and `langfuse` the calls of models became rows with `messages`.',
      ),
    column_mapping: ConfiguredColumnMapping.describe(
      'What its columns hold: a proposal for a column_mapping.',
    ),
  })
  .meta({ id: 'DetectedFormat' });

/** Spec §2.1. Every key is always present; `error` is the older shape of `error_data`. */
export const Dataset = z
  .object({
    dataset_id: DatasetId,
    kind: DatasetKind.describe('How the dataset came to be.'),
    source_dataset_id: z
      .string()
      .nullable()
      .describe('Dataset from which this one was made; null for `uploaded`, `combined` and `invented`.'),
    name: text('support-answers').describe('Name of the dataset.'),
    description: z
      .string()
      .nullable()
      .describe('Generated description of the contents; null when there is none.'),
    status: DatasetStatus.meta({ example: 'succeeded' }).describe(
      'Status. `pending` also covers a dataset that waits for an adaptation; the status endpoint says `awaiting_input` there.',
    ),
    created_at: DateTime.describe('Time of creation, ISO 8601 in UTC.'),
    created_by_user_id: UserId.describe('Id of the user whose key created the dataset.'),
    updated_at: DateTime.describe('Time of the last change, ISO 8601 in UTC.'),
    row_count: count(250).nullable().describe('Number of rows; null until the file has been read.'),
    configured_column_mapping: ConfiguredColumnMapping.nullable().describe(
      'Column mapping of the latest run; null until one is set.',
    ),
    evaluation_summary: EvaluationSummary.nullable().describe(
      'Grades and scores of the latest run that succeeded; null while a run is active, and where it was not evaluated.',
    ),
    run_id: z.string().nullable().describe('Id of the active run; null when none is active.'),
    progress: Progress.nullable()
      .meta({ example: null })
      .describe('Progress of the active run; null when none is active.'),
    error_data: ErrorData.nullable().describe(
      'Why the dataset failed; of one that did not, a `warning` of what was lost when its file was read, or of languages of which less than half of the rows could be made (`languages_incomplete`), or of a grown dataset with fewer rows than were asked for (`rows_incomplete`); null otherwise.',
    ),
    error: LegacyError.nullable().describe('Older form of `error_data`; null unless the dataset failed.'),
    image_column_formats: z
      .record(z.string(), ImageColumnFormat)
      .nullable()
      .describe(
        'How each image column stores its images, by column name; null when there is no image column.',
      ),
    detected_format: DetectedFormat.nullable().describe(
      'Form of the file, as its columns show; null when it is none of these, and until the file has been read.',
    ),
  })
  .meta({ id: 'Dataset' });
export type Dataset = z.infer<typeof Dataset>;

export const WaitsFor = z.enum(['file', 'start']);
export type WaitsFor = z.infer<typeof WaitsFor>;

const waits_for = WaitsFor.nullable()
  .meta({ example: null })
  .describe(
    'What a `pending` dataset waits for: `file`, its upload and the completion of that, or `start`, the call of `start-adaption`; null where it goes on by itself, and for other states.',
  );

/** Spec §2.2. */
export const DatasetListItem = z
  .object({
    dataset_id: DatasetId,
    name: text('support-answers').describe('Name of the dataset.'),
    status: DatasetListStatus.meta({ example: 'awaiting_input' }).describe(
      'Status. `awaiting_input`: the file has been read, and an adaptation has to be started.',
    ),
    created_at: DateTime.describe('Time of creation, ISO 8601 in UTC.'),
    updated_at: DateTime.describe('Time of the last change, ISO 8601 in UTC.'),
    row_count: Dataset.shape.row_count,
    description: Dataset.shape.description,
    waits_for,
  })
  .meta({ id: 'DatasetListItem' });
export type DatasetListItem = z.infer<typeof DatasetListItem>;

/** Spec §2.3. */
export const DatasetStatusRecord = z
  .object({
    dataset_id: DatasetId,
    status: DatasetListStatus.meta({ example: 'running' }).describe(
      'Status. `pending`: its file is awaited or being read. `running`: a run is active. `awaiting_input`: its rows wait for an adaptation. After an upload, poll until `awaiting_input` (a raw dataset: `succeeded`) or `failed`; after a launch, until `succeeded` or `failed`.',
    ),
    row_count: Dataset.shape.row_count,
    progress: Progress.nullable().describe('Progress of the active run; null when none is active.'),
    error_data: ErrorData.nullable().describe(
      'Why the dataset failed; of one that did not, a `warning` of what was lost when its file was read, or of languages of which less than half of the rows could be made (`languages_incomplete`), or of a grown dataset with fewer rows than were asked for (`rows_incomplete`); null otherwise.',
    ),
    error: LegacyError.nullable().describe('Older form of `error_data`; null unless the dataset failed.'),
    waits_for,
  })
  .meta({ id: 'DatasetStatusRecord' });
export type DatasetStatusRecord = z.infer<typeof DatasetStatusRecord>;

export const DatasetSort = z.enum(['created_at', 'updated_at', 'name']);
export type DatasetSort = z.infer<typeof DatasetSort>;

const listLimit = IntegerText.pipe(z.int().min(1).max(100));

/** Spec §4.3 with the filters that the public client adds. An empty `status` or `type` means no filter. */
export const ListDatasetsQuery = z.strictObject({
  created_after: z.iso
    .datetime({ offset: true, local: true })
    .optional()
    .describe('Only datasets created after this time (ISO 8601).'),
  created_before: z.iso
    .datetime({ offset: true, local: true })
    .optional()
    .describe('Only datasets created before this time (ISO 8601).'),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe('`next_cursor` of the previous page, with the same filters.'),
  limit: listLimit.optional().meta({ description: 'Page size, 1 to 100, default 20' }),
  q: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'Case-insensitive: the name or the description contains it' }),
  sort: DatasetSort.optional().describe('Field to sort by. Default: `created_at`.'),
  sort_direction: z.enum(['asc', 'desc']).optional().describe('Sort direction. Default: `desc`.'),
  status: z
    .union([DatasetListStatus, z.literal('')])
    .optional()
    .describe('Only datasets with this status; empty for all.'),
  created_by_user_id: z
    .string()
    .max(100)
    .optional()
    .describe('Only datasets that this user of the team created.'),
  type: z
    .union([z.enum(['original', 'combined', 'augmented', 'invented']), z.literal('')])
    .optional()
    .describe('Only datasets of this kind, `original` for uploads and imports; empty for all.'),
});
export type ListDatasetsQuery = z.infer<typeof ListDatasetsQuery>;

export const DatasetPage = z.object({
  datasets: z
    .array(DatasetListItem)
    .describe(
      'Datasets of this page. With filters a page may have fewer than `limit`, though there is a next one.',
    ),
  next_cursor: NextCursor,
});
export type DatasetPage = z.infer<typeof DatasetPage>;

/** Which share of the rows of a file may be left out. */
export const UnreadableShare = z
  .number()
  .min(0)
  .max(0.5)
  .optional()
  .meta({ example: 0.01 })
  .describe(
    'Share of the rows of a CSV, JSON or JSON Lines file that may be left out because they cannot be read, 0 to 0.5; `warnings` name the first of them by line and reason. Default: 0, the first such row fails the dataset.',
  );

/** Whether personal data in the rows of a file is replaced. */
export const RedactPersonalData = z
  .boolean()
  .optional()
  .meta({ example: false })
  .describe(
    'If true, texts in the form of an email address, a phone number, a payment card, an IBAN or a US social security number become placeholders such as `[EMAIL_1]` before the rows are stored, the same text of a row the same placeholder; `warnings` count them. Default: false.',
  );

/** Spec §4.1. `type` is the discriminator of the older shape: accepted, and checked against the rest. */
export const CreateDatasetSource = z.strictObject({
  type: z
    .enum(['file', 'huggingface', 'kaggle'])
    .optional()
    .describe('Discriminator of the older request shape. Omit it.'),
  url: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe(
      'URL to import from: Hugging Face, Kaggle, Google Sheets, or one public file on S3 or Cloud Storage. Up to 2,000 characters. If omitted, the response says where to upload a file.',
    ),
  files: z
    .array(z.string().min(1))
    .max(1000)
    .optional()
    .describe('Paths of the files to import, up to 1,000. Required for Hugging Face and Kaggle.'),
  sheet_names: z
    .array(z.string())
    .max(200)
    .optional()
    .describe(
      'Titles of the tabs to import from Google Sheets, up to 200. If omitted or empty, all tabs are imported.',
    ),
  sheet_name: z
    .string()
    .optional()
    .describe('Older form of `sheet_names` for one tab; ignored when `sheet_names` is given.'),
  access: z
    .enum(['oauth', 'public'])
    .optional()
    .describe(
      'Google Sheets only: `public` reads a sheet that is shared by link; `oauth` (default) needs a connected account.',
    ),
  name: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ example: 'support-answers' })
    .describe(
      'Name of the dataset, 1 to 255 characters. Required for uploads; an extension such as `.csv` sets the format.',
    ),
  file_format: FileFormat.optional()
    .meta({ example: 'csv' })
    .describe('Format of the file. Overrides the extension of `name`.'),
  file_size_bytes: z
    .int()
    .min(0)
    .max(2_147_483_648)
    .optional()
    .describe(
      'For uploads: size of the file in bytes, 0 to 2,147,483,648. If given, the URL takes a file of this size only.',
    ),
  processing_mode: z
    .enum(['adapt', 'raw'])
    .optional()
    .describe(
      '`adapt` (default) prepares the dataset for an adaptation; `raw` makes it trainable as it is and needs `column_mapping`.',
    ),
  column_mapping: z
    .union([RawColumnMapping, z.unknown().describe('Anything else, which only `adapt` takes.')])
    .optional()
    .describe('Which columns hold what. Required for `raw`, ignored otherwise, whatever it is.'),
  defer_adaption: z
    .boolean()
    .optional()
    .describe('If true, the file is stored and not read until `start-adaption` is called. Default: false.'),
  max_unreadable_share: UnreadableShare,
  redact_personal_data: RedactPersonalData,
});
export type CreateDatasetSource = z.infer<typeof CreateDatasetSource>;

export const CreateDatasetRequest = z
  .strictObject({
    source: CreateDatasetSource.describe('Where the rows come from.'),
    defer_adaption: z.boolean().optional().describe('The same as `source.defer_adaption`.'),
  })
  .meta({ id: 'CreateDatasetRequest' });
export type CreateDatasetRequest = z.infer<typeof CreateDatasetRequest>;

/** The example of the key of an upload: its team, its dataset and the name of its file. */
const UPLOAD_KEY =
  'uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv';

export const UploadInstructions = z
  .object({
    url: text(`https://tunesmith.s3.amazonaws.com/${UPLOAD_KEY}?X-Amz-Expires=3600`).describe(
      'Pre-signed URL to which the file is sent, valid for one hour. Send the bytes alone, without Authorization; any Content-Type will do.',
    ),
    method: z.literal('PUT').describe('HTTP method to use.'),
    s3_key: text(UPLOAD_KEY).describe('Object key of the file.'),
  })
  .meta({ id: 'UploadInstructions' });

export const CreateDatasetResponse = z.object({
  dataset_id: DatasetId,
  status: DatasetStatus.describe('Status of the dataset.'),
  upload_instructions: UploadInstructions.nullable().describe(
    'Where to send the file; null for an import, which needs no upload.',
  ),
});

export const Message = z.object({
  message: text('The dataset "support-answers" was deleted.').describe('What was done.'),
});

export const DownloadQuery = z
  .strictObject({
    fileFormat: ExportFormat.optional().describe(
      'Format of the file; `parquet` is one Parquet file. `openai`, `sharegpt`, `alpaca` and `trl` are JSON Lines as these tools read them; `dataset_info` (LLaMA-Factory) and `axolotl` are the files that tell those how. Default: the format of the upload, JSONL for documents.',
    ),
    run_id: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'Adaptation whose rows are wanted, as its start answered it. Default: the latest that succeeded, or the latest where none has.',
      ),
    version: ReadVersion,
  })
  .refine(namesOneRead, NAMES_TWO_READS);

export const ExportLinks = z
  .object({
    huggingface: z
      .string()
      .nullable()
      .describe('URL of the export to Hugging Face; null when there is none.'),
    kaggle: z.string().nullable().describe('URL of the export to Kaggle; null when there is none.'),
    google_sheets: z
      .string()
      .nullable()
      .describe('URL of the export to Google Sheets; null when there is none.'),
  })
  .meta({ id: 'ExportLinks' });

/** Spec §2.14: what a training can be launched with again. */
export const BestLaunchConfig = z
  .object({
    best_job_config: z
      .object({
        finetune_job_id: z
          .uuid()
          .meta({ example: 'e4b0c9d8-1f2a-4b3c-8d5e-6f7a8b9c0d1e' })
          .describe('Id of the training job.'),
        training_experiment_id: z
          .uuid()
          .nullable()
          .meta({ example: '8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40' })
          .describe('Id of the training run; null for a job without one.'),
        original_model_name: text('Qwen/Qwen3.5-0.8B').describe('Base model that was trained.'),
        trained_model_name: text('support-answers')
          .nullable()
          .describe('Name of the trained model; null when none is known.'),
        training_method: z
          .enum(['sft', 'dpo'])
          .describe('`sft` trains on completions, `dpo` on preference pairs.'),
        training_type: z.enum(['lora', 'full']).describe('`lora` trains an adapter, `full` all weights.'),
        data_format: z.enum(['chat', 'instruction', 'preference']).describe('Format of the training rows.'),
        hyperparams: z
          .record(z.string(), z.unknown())
          .meta({ example: { n_epochs: 3, learning_rate: 0.0001 } })
          .describe('Hyperparameters by name, as in `Hyperparams`.'),
      })
      .nullable()
      .describe(
        'Settings of the best training job; null while a training is active and when no training produced a model.',
      ),
  })
  .meta({ id: 'BestLaunchConfig' });
