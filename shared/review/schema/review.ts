import * as z from 'zod';
import { Grade } from '#shared/datasets/schema/dataset.ts';
import { LookedAt } from '#shared/exports/schema/looked-at.ts';
import { count, DatasetId, decimal, IntegerText, RunId, text } from '#shared/platform/schema/common.ts';
import { Doubt, Doubter } from '#shared/runs/schema/doubt.ts';

/** Rows of one answer. */
export const REVIEW_ROWS_MAX = 50;

const Interval = z
  .tuple([z.number().min(0).max(10), z.number().min(0).max(10)])
  .meta({ example: [7.9, 9.1] });

export const WorthALook = count(23).describe(
  'Rows that are worth looking at and have no verdict: doubtful ones, and as many drawn at random as are missing to 30.',
);

export const VerdictCounts = z
  .object({
    right: count(41).describe('Rows that are right; mended ones whose text was applied are among them.'),
    wrong: count(4).describe('Rows that are wrong, and have no other text yet.'),
    mended: count(12).describe('Rows that have another text, which was not applied yet.'),
    disputed: count(1).describe('Rows of which reviewers say different things.'),
    stale: count(2).describe('Rows that have changed since all of their verdicts.'),
  })
  .meta({ id: 'VerdictCounts' })
  .describe('Rows with verdicts, by what their reviewers say together.');
export type VerdictCounts = z.infer<typeof VerdictCounts>;

export const GRADE =
  'The grade of all rows, from verdicts and witnesses together; null while neither says anything.';

export const ReviewGrade = z
  .object({
    score: decimal(8.6).min(0).max(10).describe('Ten times the share of right rows, 0 to 10.'),
    grade: Grade.meta({ example: 'B' }).describe('The score as a letter.'),
    score_interval: Interval.describe('95 % interval of the score.'),
    verdicts: count(58).describe(
      'Rows whose verdicts it rests on; 0 while they are so few that the witnesses say more, and do not contradict them.',
    ),
    without_verdicts: z
      .object({
        score: decimal(9.2).min(0).max(10).describe('The score by the witnesses alone, 0 to 10.'),
        score_interval: Interval.describe('Its 95 % interval: the witnesses count as much as 20 verdicts.'),
      })
      .nullable()
      .describe('What the witnesses alone say; null where none has said anything.'),
  })
  .meta({ id: 'ReviewGrade' })
  .describe('The grade of all rows, from verdicts and witnesses together; null while neither says anything.');
export type ReviewGrade = z.infer<typeof ReviewGrade>;

const Share = (example: number) => decimal(example).min(0).max(1);

export const WitnessRecord = z
  .object({
    witness: Doubter.meta({ example: 'neighbours' }).describe('Who doubted the rows.'),
    kind: z
      .string()
      .nullable()
      .meta({ example: 'label_contradicted' })
      .describe('What it doubted them for, as in the reasons of a doubt; null for a model.'),
    rows: count(24).describe('Rows with verdicts that it doubted for this.'),
    share_wrong: Share(0.71).describe('Share of them that are wrong, by their verdicts.'),
    share_interval: z
      .tuple([z.number().min(0).max(1), z.number().min(0).max(1)])
      .meta({ example: [0.51, 0.85] })
      .describe('Its 95 % interval (Wilson).'),
    share_stated: Share(0.86).describe(
      'Mean of the probabilities that were stated of them, by measurements on other rows.',
    ),
  })
  .meta({ id: 'WitnessRecord' })
  .describe('How often one witness is right on this dataset.');
export type WitnessRecord = z.infer<typeof WitnessRecord>;

export const WitnessRecords = z
  .array(WitnessRecord)
  .describe('How often each witness is right on this dataset, by the verdicts on rows that it doubted.');

/** Why the review shows a row. */
export const ShownAs = z.enum(['doubtful', 'audit']).meta({ example: 'doubtful' });

export const ReviewRow = z
  .object({
    row: count(17).describe('Number of the row, from 0.'),
    content_hash: text('5f2b6c1d9a3e4f708192a3b4c5d6e7f8').describe(
      'Hash of prompt and completion as shown here. Send it with the verdict.',
    ),
    prompt: text('How do I reset my password?').nullable().describe('Prompt of the row; null without one.'),
    original: text('Setings, then Reset.')
      .nullable()
      .describe('The completion that the row came with; null without one.'),
    completion: text('Settings, then Reset.')
      .nullable()
      .describe('The completion that the version has; null without one.'),
    proposal: z
      .string()
      .nullable()
      .meta({ example: 'Open Settings, then Security, and choose "Reset password".' })
      .describe('The completion that a witness proposes; null without one.'),
    doubt: Doubt.nullable().describe(
      'What the witnesses say of the row; null where they say nothing. Its probability is corrected by the verdicts on other rows that the same witness doubted for the same.',
    ),
    drawn_as: ShownAs.describe(
      '`doubtful`: shown for its doubt. `audit`: drawn at random among the other rows, so that verdicts tell of all rows. Send it with the verdict.',
    ),
  })
  .meta({ id: 'ReviewRow' });
export type ReviewRow = z.infer<typeof ReviewRow>;

export const Review = z
  .object({
    dataset_id: DatasetId,
    run_id: RunId.nullable().describe('The run whose rows these are; null for the rows as they came.'),
    version: z.int().min(1).meta({ example: 2 }).describe('Version of the dataset that these rows are of.'),
    looked_at: LookedAt,
    rows: z
      .array(ReviewRow)
      .describe(
        'Rows without a verdict, those that are most worth a look first; every third is drawn at random. An answer of 1 MiB ends early.',
      ),
    worth_a_look: WorthALook,
    verdicts: VerdictCounts,
    witnesses: WitnessRecords,
    grade: ReviewGrade.nullable().describe(GRADE),
  })
  .meta({ id: 'Review' });
export type Review = z.infer<typeof Review>;

export const ReviewQuery = z.strictObject({
  limit: IntegerText.pipe(z.int().min(1).max(REVIEW_ROWS_MAX))
    .optional()
    .meta({ description: 'Rows, 1 to 50, default 10' }),
});
