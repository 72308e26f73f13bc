import * as z from 'zod';
import { count, DatasetId, DatasetParams, DateTime, decimal, text } from '#shared/platform/schema/common.ts';

export const JUDGE_PROMPT_CHARACTERS_MIN = 20;
export const JUDGE_PROMPT_CHARACTERS_MAX = 20_000;

export const CustomEvalStatus = z
  .enum(['pending', 'running', 'succeeded', 'failed'])
  .meta({ example: 'succeeded' });

const Score = z.number().min(0).max(10).nullable();

const JUDGE_PROMPT =
  'Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does.';

const CustomEvalId = text('5b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42');

/** A dataset scored by a rubric of the caller's own; scores are null until it has succeeded. */
export const CustomEval = z
  .object({
    custom_eval_id: CustomEvalId.describe('Id of the custom evaluation.'),
    dataset_id: DatasetId,
    status: CustomEvalStatus.describe('Status of the custom evaluation.'),
    judge_prompt: text(JUDGE_PROMPT).describe('Instructions of the judge, as in the request.'),
    name: text('Sources').nullable().describe('Name, as in the request; null when none was given.'),
    score_before: Score.meta({ example: 2.1 }).describe(
      'Mean score of the source rows, 0 to 10; null until it has succeeded.',
    ),
    score_after: Score.meta({ example: 4.8 }).describe(
      'Mean score of the adapted rows, 0 to 10; null until it has succeeded.',
    ),
    improvement_percent: decimal(128.6)
      .nullable()
      .describe('Relative change of the score in percent; null until it has succeeded.'),
    scored_rows: count(40).nullable().describe('Rows that were scored; null until it has succeeded.'),
    error_message: z.string().nullable().describe('Why it failed; null unless it failed.'),
    created_at: DateTime.describe('Time of creation, ISO 8601 in UTC.'),
    completed_at: DateTime.nullable().describe(
      'Time at which it ended, ISO 8601 in UTC; null while it is active.',
    ),
  })
  .meta({ id: 'CustomEval' });
export type CustomEval = z.infer<typeof CustomEval>;

export const CreateCustomEvalRequest = z
  .strictObject({
    judge_prompt: z
      .string()
      .min(JUDGE_PROMPT_CHARACTERS_MIN)
      .max(JUDGE_PROMPT_CHARACTERS_MAX)
      .meta({ example: JUDGE_PROMPT })
      .describe(
        'Instructions for the judge, 20 to 20,000 characters: integers from 0 to 10, and what earns them.',
      ),
    name: z.string().max(120).optional().meta({ example: 'Sources' }).describe('Name, up to 120 characters.'),
  })
  .meta({ id: 'CreateCustomEvalRequest' });
export type CreateCustomEvalRequest = z.infer<typeof CreateCustomEvalRequest>;

export const CustomEvalList = z.object({
  items: z.array(CustomEval).describe('Custom evaluations, newest first, at most 40.'),
});

export const CustomEvalParams = DatasetParams.extend({
  custom_eval_id: CustomEvalId.min(1).max(200).describe('Id of the custom evaluation, 1 to 200 characters.'),
});
