import * as z from 'zod';
import { ErrorData } from '../../schema/common.ts';
import { RowCounts } from '../../schema/report.ts';

const Timestamp = z.iso.datetime();
const Credits = z.int().min(0);

/** Pipelines that run on their own, each execution being one run. */
export const RunPipeline = z.enum([
  'ingest',
  'import',
  'adapt',
  'combine',
  'expand',
  'invent',
  'augment',
  'train',
]);
export type RunPipeline = z.infer<typeof RunPipeline>;

/** One run as it is stored. `request_key` names the object that holds the request. */
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
  /** Rows that the run is to process; null where only the run itself finds out. */
  total_rows: z.int().min(0).nullable(),
  counts: RowCounts.nullable(),
  /** Model id by role and version by prompt, as planned. */
  models: z.record(z.string(), z.string()),
  prompt_versions: z.record(z.string(), z.string()),
  error_data: ErrorData.nullable(),
  /** Why the run is to end before its rows are done; workers look at it every few seconds. */
  stop_reason: ErrorData.optional(),
  /** Set when the results of the run are being counted; later results do not belong to it. */
  is_closed: z.boolean().optional(),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
});
export type RunRecord = z.infer<typeof RunRecord>;

/** Whether a run makes the rows of a dataset, instead of working on those that it has. */
export function makesRows(pipeline: RunPipeline): boolean {
  return pipeline !== 'adapt' && pipeline !== 'train';
}

/** Whether a run moves its dataset; a training reads the rows, and leaves the dataset as it is. */
export function movesDataset(pipeline: RunPipeline): boolean {
  return pipeline !== 'train';
}

/** Whether a run reads files that its caller named, whose columns nobody has looked at. */
export function readsFiles(pipeline: RunPipeline): boolean {
  return pipeline === 'ingest' || pipeline === 'import';
}

/** Whether a run makes a dataset that is paid for by the rows that the run puts into it. */
export function growsDataset(pipeline: RunPipeline): boolean {
  return pipeline === 'expand' || pipeline === 'invent' || pipeline === 'augment';
}

/** Runs that only bring rows in cost nothing and are not held against the runs that a plan allows at once. */
export function countsAgainstPlan(pipeline: RunPipeline): boolean {
  return !makesRows(pipeline) || growsDataset(pipeline);
}
