import * as z from 'zod';
import {
  count,
  DatasetId,
  DateTime,
  IntegerText,
  NextCursor,
  RunId,
  text,
} from '#shared/platform/schema/common.ts';

export const LEDGER_PAGE_MAX = 100;
export const USAGE_REPORT_DAYS_MAX = 90;

export const LedgerQuery = z.strictObject({
  limit: IntegerText.pipe(z.int().min(1).max(LEDGER_PAGE_MAX))
    .optional()
    .meta({ description: 'Page size, 1 to 100, default 20' }),
  cursor: z.string().max(2000).optional().describe('`next_cursor` of the previous page.'),
});
export type LedgerQuery = z.infer<typeof LedgerQuery>;

export const LedgerMovement = z
  .object({
    entry_id: text('a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93-settle').describe(
      'Id of the entry, unique in the team.',
    ),
    type: z
      .enum(['grant', 'reserve', 'settle', 'release'])
      .meta({ example: 'settle' })
      .describe(
        '`grant`: credits of the operator. `reserve`: reserved for a run or for answers. `settle`: billed, of what was reserved. `release`: returned, of what was reserved.',
      ),
    purpose: z
      .enum(['grant', 'run', 'answers'])
      .meta({ example: 'run' })
      .describe(
        'What the credits are for: a run or a training, or answers of models, whose credits move in blocks; `grant` for a grant.',
      ),
    credits: count(3).describe('How many credits moved.'),
    run_id: RunId.nullable().describe('Id of the run or training; null if there is none.'),
    dataset_id: DatasetId.nullable().describe(
      'Id of the dataset of the run; null if there is none, or the entry is older than this field.',
    ),
    reason: z
      .string()
      .nullable()
      .describe('Of a grant what the operator noted, of a run that did not succeed the code of its error.'),
    created_at: DateTime.describe('When the credits moved, ISO 8601 in UTC.'),
  })
  .meta({ id: 'LedgerMovement' });
export type LedgerMovement = z.infer<typeof LedgerMovement>;

export const LedgerPage = z.object({
  entries: z.array(LedgerMovement).describe('Entries of this page, newest first.'),
  next_cursor: NextCursor,
});
export type LedgerPage = z.infer<typeof LedgerPage>;

export const UsageQuery = z.strictObject({
  days: IntegerText.pipe(z.int().min(1).max(USAGE_REPORT_DAYS_MAX))
    .optional()
    .meta({ description: 'Days back from today, today included, 1 to 90, default 30' }),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

const ExactCredits = z.number().min(0);

const ofAnswers = {
  answers: count(12).describe('Answers that ended.'),
  input_tokens: count(4200).describe('Tokens that models were sent.'),
  output_tokens: count(1850).describe('Tokens that models answered.'),
  cost_credits: ExactCredits.meta({ example: 0.058 }).describe(
    'Cost at the prices of the models, in credits, exact to a millionth.',
  ),
  billed_credits: ExactCredits.meta({ example: 0.058 }).describe(
    'What was billed of it: less if the credits had run out.',
  ),
};

export const AnswersUsage = z.object(ofAnswers).meta({ id: 'AnswersUsage' });
export type AnswersUsage = z.infer<typeof AnswersUsage>;

export const ModelUsage = z
  .object({ model: text('qwen3-4b').describe('Id of the model.'), ...ofAnswers })
  .meta({ id: 'ModelUsage' });
export type ModelUsage = z.infer<typeof ModelUsage>;

export const RunsUsage = z
  .object({
    runs: count(1).describe('Runs and trainings that ended and were billed.'),
    credits: count(3).describe('Credits that they were billed.'),
  })
  .meta({ id: 'RunsUsage' });
export type RunsUsage = z.infer<typeof RunsUsage>;

export const UsageDay = z
  .object({
    day: z.iso.date().meta({ example: '2026-11-22' }).describe('The day in UTC, such as `2026-03-01`.'),
    runs: RunsUsage.describe('Runs that ended on the day.'),
    answers: AnswersUsage.describe('Answers of the day, of all models.'),
    models: z.array(ModelUsage).describe('The same answers by model.'),
  })
  .meta({ id: 'UsageDay' });
export type UsageDay = z.infer<typeof UsageDay>;

export const CreditUsage = z
  .object({
    days: z.array(UsageDay).describe('Every day of the range, oldest first; today is the last.'),
    total: z
      .object({
        runs: RunsUsage.describe('Runs of all days.'),
        answers: AnswersUsage.describe('Answers of all days.'),
      })
      .describe('Sums over the days.'),
    runs_complete_after: DateTime.nullable()
      .meta({ example: null })
      .describe(
        'Null if all runs of the days are counted. Else the time after which they are, ISO 8601 in UTC: of very many ledger entries the newest 20,000 are read, and runs that were billed at this time or before are not counted. Answers are always counted.',
      ),
  })
  .meta({ id: 'CreditUsage' });
export type CreditUsage = z.infer<typeof CreditUsage>;

const ResponseId = text('resp_0f6f1d5b8a103f0c5a522c0a4c538f4e');

export const AnswerParams = z.strictObject({
  response_id: ResponseId.min(1).max(128).describe('Id of the response, 1 to 128 characters.'),
});

export const AnswerCost = z
  .object({
    response_id: ResponseId.describe('Id of the response.'),
    model: text('qwen3-4b').describe('Id of the model.'),
    input_tokens: ofAnswers.input_tokens,
    output_tokens: ofAnswers.output_tokens,
    cost_credits: ofAnswers.cost_credits.describe(
      'Cost at the price of the model, in credits, exact to a millionth.',
    ),
    billed_credits: ofAnswers.billed_credits,
    answered_at: DateTime.describe('When the answer ended, ISO 8601 in UTC.'),
  })
  .meta({ id: 'AnswerCost' });
export type AnswerCost = z.infer<typeof AnswerCost>;
