import * as z from 'zod';
import { DatasetParams, DateTime } from './common.ts';

export const JUDGE_PROMPT_CHARACTERS_MIN = 20;
export const JUDGE_PROMPT_CHARACTERS_MAX = 20_000;

export const CustomEvalStatus = z.enum(['pending', 'running', 'succeeded', 'failed']);

const Score = z.number().min(0).max(10).nullable();

/** A dataset scored by a rubric of the caller's own; scores are null until it has succeeded. */
export const CustomEval = z
  .object({
    custom_eval_id: z.string(),
    dataset_id: z.string(),
    status: CustomEvalStatus,
    judge_prompt: z.string(),
    name: z.string().nullable(),
    score_before: Score,
    score_after: Score,
    improvement_percent: z.number().nullable(),
    scored_rows: z.int().min(0).nullable(),
    error_message: z.string().nullable(),
    created_at: DateTime,
    completed_at: DateTime.nullable(),
  })
  .meta({ id: 'CustomEval' });
export type CustomEval = z.infer<typeof CustomEval>;

export const CreateCustomEvalRequest = z
  .strictObject({
    judge_prompt: z.string().min(JUDGE_PROMPT_CHARACTERS_MIN).max(JUDGE_PROMPT_CHARACTERS_MAX),
    name: z.string().max(120).optional(),
  })
  .meta({ id: 'CreateCustomEvalRequest' });
export type CreateCustomEvalRequest = z.infer<typeof CreateCustomEvalRequest>;

export const CustomEvalList = z.object({ items: z.array(CustomEval) });

export const CustomEvalParams = DatasetParams.extend({
  custom_eval_id: z.string().min(1).max(200).meta({ description: 'Id of the custom evaluation' }),
});
