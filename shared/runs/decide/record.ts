import * as z from 'zod';
import { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ProgressStage } from '#shared/datasets/schema/dataset.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { LeftOut } from '../schema/left-out.ts';
import { RowCounts } from '../schema/row-counts.ts';
import { isAppend, RunPipeline } from './run-kinds.ts';

const Timestamp = z.iso.datetime();
const Credits = z.int().min(0);

export const DatasetBefore = DatasetRecord.pick({
  state: true,
  error_data: true,
  configured_column_mapping: true,
  image_column_formats: true,
  language_expansion: true,
});

/** One run as stored. `request_key` names the object with the request. */
export const RunRecord = z.object({
  run_id: z.string(),
  dataset_id: z.uuid(),
  team_id: z.string(),
  organization_id: z.string(),
  user_id: z.uuid(),
  pipeline: RunPipeline,
  status: z.enum(['running', 'succeeded', 'failed']),
  reserved_credits: Credits,
  /** Null while the run is active. */
  settled_credits: Credits.nullable(),
  request_key: z.string().nullable(),
  /** The pilot whose arm the run adapts with. */
  pilot_id: z.string().optional(),
  /** Rows that the run takes over from its pilot; records of earlier versions name a pilot only if there are some. */
  pilot_rows: z.int().min(0).optional(),
  /** Whether batch jobs make its model calls; absent for no. */
  is_batched: z.boolean().optional(),
  /** The version of the dataset that the run makes; of an append only once its rows are there. */
  version: z.int().min(1).optional(),
  /** Object with the manifest of the rows that the run reads, or after an append has; absent: that of the upload. */
  manifest_key: z.string().optional(),
  /** What the run does before its first row is done. */
  stage: ProgressStage.nullable().optional(),
  /** Rows to process; null if only the run itself can determine them. */
  total_rows: z.int().min(0).nullable(),
  counts: RowCounts.nullable(),
  /** Model id by role and version by prompt, as planned. */
  models: z.record(z.string(), z.string()),
  prompt_versions: z.record(z.string(), z.string()),
  error_data: ErrorData.nullable(),
  /** What a launch may change of a dataset that has rows, as it was before: so it is again if the run cannot be started. */
  dataset_before: DatasetBefore.optional(),
  /** Why the run must end before its rows are done; workers check it every few seconds. */
  stop_reason: ErrorData.optional(),
  /** What requests to its models left out, because the models do not take it. */
  left_out: LeftOut.optional(),
  /** When the version that it made was deleted, and its results with it. */
  results_deleted_at: Timestamp.optional(),
  /** The latest tenth of its rows that an event said, in percent. */
  told_percent: z.int().min(0).max(90).optional(),
  /** Set when a repetition of its request is answered with it: it can no longer end as one that was not started. */
  is_answered: z.boolean().optional(),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
});
export type RunRecord = z.infer<typeof RunRecord>;

/** Object with the manifest of the rows that a run reads; of those of the upload without one. */
export function manifestKeyOf(datasetId: string, run: Pick<RunRecord, 'manifest_key'> | null): string {
  return run?.manifest_key ?? objectKeys.manifest(datasetId);
}

/** The run whose results change the source rows; null for an append, whose rows are as they came. */
export function adaptationOf<T extends Pick<RunRecord, 'pipeline'>>(run: T | null): T | null {
  return isAppend(run) ? null : run;
}
