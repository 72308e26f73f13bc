import * as z from 'zod';
import { Grade } from './dataset.ts';

export const EvaluationStatus = z.enum(['pending', 'running', 'succeeded', 'failed', 'skipped']);
export type EvaluationStatus = z.infer<typeof EvaluationStatus>;

export const Quality = z
  .object({
    grade_before: Grade.nullable(),
    grade_after: Grade.nullable(),
    score_before: z.number().min(0).max(10).nullable(),
    score_after: z.number().min(0).max(10).nullable(),
    percentile_after: z.number().min(0).max(100).nullable(),
    improvement_percent: z.number().nullable(),
  })
  .meta({ id: 'Quality' });
export type Quality = z.infer<typeof Quality>;

/** Spec §2.7. `status` is null before a run has started; `quality` and `raw_results` until it completes. */
export const Evaluation = z
  .object({
    dataset_id: z.string(),
    status: EvaluationStatus.nullable(),
    quality: Quality.nullable(),
    raw_results: z.record(z.string(), z.json()).nullable(),
  })
  .meta({ id: 'Evaluation' });
export type Evaluation = z.infer<typeof Evaluation>;
