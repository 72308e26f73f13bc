import * as z from 'zod';
import { ProgressStage, STAGE } from '#shared/datasets/schema/dataset.ts';
import {
  count,
  DatasetId,
  DatasetParams,
  DateTime,
  decimal,
  ErrorData,
  IdempotencyKey,
  IntegerText,
  text,
} from '#shared/platform/schema/common.ts';
import { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { PilotArm } from './arm.ts';

export const ARMS_MAX = 8;
export const SAMPLE_ROWS_DEFAULT = 30;
export const SAMPLE_ROWS_MAX = 200;

const PilotId = text('b7e2d4c6-3a91-4f08-8c5d-2e6f7a9b1c30');

export const PilotRequest = z
  .strictObject({
    column_mapping: ColumnMapping.describe('Which columns hold what; the same for all arms.'),
    arms: z
      .union([z.array(PilotArm).min(1).max(ARMS_MAX), z.literal('auto')])
      .default('auto')
      .describe(
        'The adaptations to compare, 1 to 8, or `auto`: a varied set is proposed from what the columns hold. Default: `auto`.',
      ),
    sample_rows: z
      .int()
      .min(2)
      .max(SAMPLE_ROWS_MAX)
      .optional()
      .meta({ example: 30 })
      .describe(
        'Rows that each arm adapts, 2 to 200, and at most the rows of the dataset; very long rows are left out. The same rows for all arms, stratified by language and length. Default: 30, or all rows of a smaller dataset.',
      ),
    job_specification: z
      .strictObject({
        idempotency_key: IdempotencyKey.optional().describe(
          'Key of 1 to 255 characters. A repeated request with the same key and body returns the first response and starts nothing.',
        ),
      })
      .optional()
      .describe('The idempotency key.'),
    estimate: z
      .boolean()
      .optional()
      .meta({ example: true })
      .describe(
        'If true, validates the request and returns its arms and price; nothing starts and no credits are reserved. Default: false.',
      ),
  })
  .meta({ id: 'PilotRequest' });
export type PilotRequest = z.infer<typeof PilotRequest>;

const Share = z.number().min(0).max(1);
const Interval = z.tuple([Share, Share]);
const Count = z.int().min(0);

/** How the rows of an arm fare against the originals, by the checks and by a judge that is believed. */
export const PilotWinRate = z
  .object({
    rows: count(30).describe('Rows that were compared.'),
    better: count(18).describe('Rows in which the answer is better than the original.'),
    worse: count(1).describe('Rows in which the answer is worse than the original.'),
    same: count(9).describe(
      'Rows whose answers are the same, or that the arm left as they were. Failed and dropped rows are not compared.',
    ),
    undecided: count(2).describe(
      'Rows whose answers differ and of which neither the checks nor a believed judge can say which is better.',
    ),
    win_rate: Share.nullable()
      .meta({ example: 0.947 })
      .describe(
        'Better rows among the better and worse ones, corrected for the known errors of checks and judge; null without a decided row.',
      ),
    interval: Interval.nullable()
      .meta({ example: [0.692, 0.993] })
      .describe(
        'Interval of the win rate (Wilson), so wide that the intervals of all arms hold the true win rates together with a probability of 95 %; null without a decided row.',
      ),
  })
  .meta({ id: 'PilotWinRate' });
export type PilotWinRate = z.infer<typeof PilotWinRate>;

export const PilotArmResult = z
  .object({
    arm: z
      .int()
      .min(1)
      .max(ARMS_MAX)
      .meta({ example: 1 })
      .describe('Number of the arm, from 1 in the order of the request.'),
    ...PilotArm.shape,
    name: text('Concise').describe('Name of the arm.'),
    status: z
      .enum(['running', 'finished', 'interrupted'])
      .meta({ example: 'finished' })
      .describe('`interrupted`: the pilot ended before the arm was done.'),
    rows: z
      .object({
        done: count(30).describe('Rows with an outcome.'),
        changed: count(21).describe('Rows that the arm changed.'),
        kept: count(9).describe('Rows that the arm left as they were.'),
        dropped: count(0).describe('Rows that a check of the recipe drops.'),
        failed: count(0).describe('Rows that could not be adapted; they cost nothing.'),
      })
      .describe('What became of the rows of the sample.'),
    against_original: PilotWinRate.nullable().describe(
      'The answers of the arm against the original ones; null before they are compared, and where there are no originals.',
    ),
    harm: z
      .object({
        rows: z.number().min(0).describe('Expected rows of the sample that got worse.'),
        share: Share.describe('Their share, 0 to 1.'),
        interval: Interval.describe('95 % interval of the share.'),
      })
      .nullable()
      .meta({ example: { rows: 1.2, share: 0.04, interval: [0.004, 0.176] } })
      .describe('Rows that got worse, estimated as in an evaluation; null where nothing is to compare.'),
    characters: z
      .object({
        before: z
          .number()
          .min(0)
          .nullable()
          .describe('Median length of the original answers; null without one.'),
        after: z
          .number()
          .min(0)
          .nullable()
          .describe('Median length of the answers of the arm; null without one.'),
      })
      .meta({ example: { before: 118, after: 41 } })
      .describe('Length of the answers, in characters.'),
    tokens: z
      .object({
        input: count(8410).describe('Tokens that models read.'),
        output: count(2130).describe('Tokens that models wrote.'),
        calls: count(52).describe('Calls of models.'),
      })
      .describe('What adapting the sample took; comparisons are not in it.'),
    whole_dataset: z
      .object({
        credits: Count.describe(
          'Credits for the rows that a run of the arm does not take over, without rows in other languages.',
        ),
        minutes: z.number().min(0).nullable().describe('Expected minutes; null before a row is done.'),
        tokens: z.number().min(0).nullable().describe('Expected tokens; null before a row is done.'),
      })
      .meta({ example: { credits: 3, minutes: 1.4, tokens: 77_300 } })
      .describe('What the adaptation of all rows by this arm takes.'),
  })
  .meta({ id: 'PilotArmResult' });
export type PilotArmResult = z.infer<typeof PilotArmResult>;

export const PilotRecommendation = z
  .object({
    arm: z
      .int()
      .min(1)
      .nullable()
      .meta({ example: 1 })
      .describe('The arm to run; null if no arm is shown to be better than doing nothing.'),
    certainty: z
      .enum(['better_than_original', 'nothing_shown'])
      .meta({ example: 'better_than_original' })
      .describe(
        '`better_than_original`: the arm beats the originals, with the largest net benefit of those that do. `nothing_shown`: no arm is shown to beat the originals.',
      ),
    reason: text('"Concise" is better in 18 of 19 rows that differ.').describe(
      'What the recommendation rests on, in sentences.',
    ),
  })
  .meta({ id: 'PilotRecommendation' });
export type PilotRecommendation = z.infer<typeof PilotRecommendation>;

export const Pilot = z
  .object({
    pilot_id: PilotId.describe('Id of the pilot.'),
    dataset_id: DatasetId,
    status: z
      .enum(['running', 'succeeded', 'failed'])
      .meta({ example: 'succeeded' })
      .describe('Status of the pilot.'),
    sample_rows: count(30).describe('Rows that each arm adapts.'),
    progress: z
      .object({
        rows_done: count(30).describe('Rows that are adapted, over all arms.'),
        rows_total: count(30).describe('Rows to adapt, over all arms.'),
        stage: ProgressStage.nullable().meta({ example: null }).describe(STAGE),
      })
      .describe('How far the pilot is.'),
    column_mapping: ColumnMapping.describe('Which columns hold what.'),
    arms: z.array(PilotArmResult).describe('The arms, in the order of the request.'),
    recommendation: PilotRecommendation.nullable().describe('Null until the pilot has succeeded.'),
    judge: z
      .object({
        model: text('qwen3-4b').nullable().describe('The model that compares answers; null without one.'),
        believed_for: z
          .array(z.string())
          .meta({ example: ['number', 'form'] })
          .describe('Kinds of pairs for which it is believed; where it is not, only the checks decide.'),
      })
      .nullable()
      .describe('Who compares the answers; null before any are compared.'),
    credits_reserved: count(1).describe('Credits that the pilot reserved.'),
    credits_charged: count(1)
      .nullable()
      .describe('Credits that were charged; null while the pilot is active.'),
    error: ErrorData.nullable().describe('Why it failed; null unless it failed.'),
    created_at: DateTime.describe('Time of creation, ISO 8601 in UTC.'),
    ended_at: DateTime.nullable().describe(
      'Time at which it ended, ISO 8601 in UTC; null while it is active.',
    ),
  })
  .meta({ id: 'Pilot' });
export type Pilot = z.infer<typeof Pilot>;

export const PilotLaunch = z
  .object({
    pilot_id: z.string().nullable().describe('Id of the pilot; null for an estimate.'),
    estimate: z.boolean().describe('True when nothing was started.'),
    sample_rows: count(30).describe('Rows that each arm adapts.'),
    arms: z
      .array(PilotArm.required({ name: true }))
      .describe('The arms, as they are compared, without their blueprints.'),
    estimated_credits: count(1).describe(
      'Credits that the pilot reserves: rows × arms. At the end only delivered rows are charged.',
    ),
    estimated_minutes: decimal(0.8).min(0).describe('Expected duration, in minutes.'),
    notes: z
      .array(z.string())
      .meta({ example: [] })
      .describe('What to know of the pilot, one sentence each.'),
  })
  .meta({ id: 'PilotLaunch' });
export type PilotLaunch = z.infer<typeof PilotLaunch>;

export const PilotList = z
  .object({
    items: z
      .array(Pilot)
      .describe('Pilots of the dataset, newest first, at most 40; their arms without settings.'),
  })
  .meta({ id: 'PilotList' });

export const PilotParams = DatasetParams.extend({
  pilot_id: PilotId.min(1).max(200).describe('Id of the pilot, 1 to 200 characters.'),
});

export const PILOT_ROWS_PAGE_MAX = 50;
/** Characters of a text in the rows of a pilot. */
export const PILOT_TEXT_CHARACTERS_MAX = 800;

const PilotText = z.object({
  text: text('Use vinegar.').describe(`The text, up to its first ${PILOT_TEXT_CHARACTERS_MAX} characters.`),
  truncated: z.boolean().meta({ example: false }).describe('True if this is only the beginning of the text.'),
});

export const PilotRow = z
  .object({
    row: count(12).describe('Index of the row in the dataset, from 0.'),
    request: PilotText.nullable()
      .meta({ example: { text: 'how do i descale a kettle', truncated: false } })
      .describe(
        'What the answers are held against: the prompt with its context; null where no arm has answered.',
      ),
    original: PilotText.nullable().describe('The answer that the row has; null without one.'),
    answers: z
      .array(
        z.object({
          arm: z.int().min(1).max(ARMS_MAX).meta({ example: 1 }).describe('Number of the arm.'),
          outcome: z
            .enum(['changed', 'kept', 'dropped', 'failed'])
            .describe('What the arm did with the row.'),
          code: z.string().nullable().describe('Stable code of the reason; null for a changed row.'),
          message: z.string().nullable().describe('The reason as a sentence; null for a changed row.'),
          answer: PilotText.nullable()
            .meta({ example: { text: 'Boil water and vinegar in it, and rinse it.', truncated: false } })
            .describe('The answer of the arm; null where it has none.'),
          verdict: z
            .enum(['better', 'worse', 'same', 'undecided'])
            .nullable()
            .meta({ example: 'better' })
            .describe('The answer against the original; null before they are compared.'),
        }),
      )
      .describe('The answers, by arm; an arm that has not done the row is not among them.'),
  })
  .meta({ id: 'PilotRow' });
export type PilotRow = z.infer<typeof PilotRow>;

export const PilotRowsQuery = z.strictObject({
  offset: IntegerText.pipe(z.int().min(0).max(SAMPLE_ROWS_MAX))
    .optional()
    .meta({ description: 'Place in the sample of the first row of the page, from 0; default 0' }),
  limit: IntegerText.pipe(z.int().min(1).max(PILOT_ROWS_PAGE_MAX))
    .optional()
    .meta({ description: 'Rows a page, 1 to 50, default 20' }),
});

export type PilotRowsQuery = z.infer<typeof PilotRowsQuery>;

export const PilotRowsPage = z
  .object({
    items: z.array(PilotRow).describe('Rows of the sample, in the order in which the arms take them.'),
    total: count(30).describe('Rows of the sample; 0 before it is drawn.'),
  })
  .meta({ id: 'PilotRowsPage' });
export type PilotRowsPage = z.infer<typeof PilotRowsPage>;
