import * as z from 'zod';
import {
  count,
  DatasetId,
  DatasetParams,
  DateTime,
  IdempotencyKey,
  IntegerText,
  RunId,
  text,
} from '#shared/platform/schema/common.ts';
import { GRADE, ReviewGrade, ShownAs, VerdictCounts, WitnessRecords, WorthALook } from './review.ts';

/** Verdicts of one request. */
export const VERDICTS_AT_ONCE_MAX = 1000;
/** Characters of a mended text: whatever they are, an item of the table holds them. */
export const MENDED_CHARACTERS_MAX = 100_000;
/** Rows of a dataset that have verdicts. */
export const VERDICT_ROWS_MAX = 100_000;
/** Verdicts of all reviewers: they are read at each request. */
export const VERDICTS_MAX = 200_000;
const REVIEWER_CHARACTERS_MAX = 100;
export const VERDICTS_PAGE_MAX = 1000;

const ContentHash = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be the content_hash of the row as it was shown')
  .meta({ example: '5f2b6c1d9a3e4f708192a3b4c5d6e7f8' });

/** A text that is stored and read back as it is. */
const MendedText = z
  .string()
  .min(1)
  .max(MENDED_CHARACTERS_MAX)
  .regex(/^\P{Cs}*$/u, 'must be Unicode: it has half of a surrogate pair')
  .meta({ example: 'Open Settings, then Security, and choose "Reset password".' });

const Reviewer = z
  .string()
  .min(1)
  .max(REVIEWER_CHARACTERS_MAX)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must be a name without control characters')
  .meta({ example: 'ada' });

export const GivenVerdict = z
  .strictObject({
    row: z.int().min(0).max(999_999_999).meta({ example: 17 }).describe('Number of the row, from 0.'),
    content_hash: ContentHash.optional().describe(
      'The `content_hash` of the row as its reviewer saw it. May be left out with `none` alone.',
    ),
    verdict: z
      .enum(['right', 'wrong', 'mended', 'none'])
      .meta({ example: 'mended' })
      .describe(
        '`right` and `wrong` say what the answer is. `mended` gives its right text. `none` takes the own verdict back.',
      ),
    completion: MendedText.optional().describe(
      'The right text, with `mended` alone: 1 to 100,000 characters that differ from what the row has.',
    ),
    drawn_as: ShownAs.optional().describe(
      'The `drawn_as` of the row as GET /review has shown it. Only rows that were drawn at random tell of others in the `grade`. Default: the reviewer chose the row.',
    ),
  })
  .refine(({ verdict, content_hash: hash }) => verdict === 'none' || hash !== undefined, {
    path: ['content_hash'],
    message: 'is required: send that of the row as GET /review has shown it',
  })
  .refine(({ verdict, completion }) => (verdict === 'mended') === (completion !== undefined), {
    path: ['completion'],
    message: 'goes with the verdict mended, and with no other',
  })
  .meta({ id: 'GivenVerdict' });
export type GivenVerdict = z.infer<typeof GivenVerdict>;

export const VerdictsRequest = z
  .strictObject({
    verdicts: z
      .array(GivenVerdict)
      .min(1)
      .max(VERDICTS_AT_ONCE_MAX)
      .describe('The verdicts, 1 to 1,000, each of another row. Send more in further requests.'),
    reviewer: Reviewer.optional().describe(
      'Who says so, 1 to 100 characters: each reviewer has one verdict about a row. Default: the id of the API key.',
    ),
  })
  .meta({ id: 'VerdictsRequest' });
export type VerdictsRequest = z.infer<typeof VerdictsRequest>;

export const RecordedVerdicts = z
  .object({
    recorded: count(1).describe('Verdicts that were recorded or taken back.'),
    stale: z
      .array(z.int().min(0))
      .meta({ example: [] })
      .describe(
        'Rows that have changed since they were shown, or are no longer delivered. Their verdicts were not recorded: look at them again.',
      ),
    worth_a_look: WorthALook,
    verdicts: VerdictCounts,
    witnesses: WitnessRecords,
    grade: ReviewGrade.nullable().describe(GRADE),
  })
  .meta({ id: 'RecordedVerdicts' });
export type RecordedVerdicts = z.infer<typeof RecordedVerdicts>;

export const StoredVerdict = z
  .object({
    row: count(17).describe('Number of the row, from 0.'),
    reviewer: text('ada').describe('Who said so.'),
    verdict: z.enum(['right', 'wrong', 'mended']).meta({ example: 'mended' }).describe('What was said.'),
    completion: text('Open Settings, then Security, and choose "Reset password".')
      .nullable()
      .describe('The text of a mended row; null with other verdicts.'),
    content_hash: ContentHash.describe('Hash of what the reviewer saw.'),
    status: z
      .enum(['current', 'applied', 'stale'])
      .meta({ example: 'current' })
      .describe(
        '`current`: the row is as the reviewer saw it. `applied`: it has the mended text, or it was called wrong and the dataset no longer has it. `stale`: it has changed otherwise since, and the verdict counts for nothing.',
      ),
    version: z.int().min(1).meta({ example: 2 }).describe('Version of the dataset that was looked at.'),
    recorded_at: DateTime.describe('Time at which it was recorded, ISO 8601 in UTC.'),
  })
  .meta({ id: 'StoredVerdict' });
export type StoredVerdict = z.infer<typeof StoredVerdict>;

export const VerdictsQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,9}(?:\.[^\p{Cc}\p{Cs}]{1,100})?$/u, 'must be the next_after of a page')
    .optional()
    .describe('Only verdicts after this place; `next_after` of the previous page.'),
  limit: IntegerText.pipe(z.int().min(1).max(VERDICTS_PAGE_MAX))
    .optional()
    .meta({ description: 'Verdicts a page, 1 to 1,000, default 100' }),
});
export type VerdictsQuery = z.infer<typeof VerdictsQuery>;

export const VerdictsPage = z
  .object({
    dataset_id: DatasetId,
    verdicts: z
      .array(StoredVerdict)
      .describe('Verdicts by row and reviewer. A page with much text ends early.'),
    next_after: z
      .string()
      .nullable()
      .meta({ example: '17.ada' })
      .describe('Pass it as `after` to get the next page; null on the last page.'),
  })
  .meta({ id: 'VerdictsPage' });
export type VerdictsPage = z.infer<typeof VerdictsPage>;

export const ApplyRequest = z
  .strictObject({
    wrong: z
      .enum(['keep', 'drop'])
      .optional()
      .meta({ example: 'drop' })
      .describe('What becomes of rows that are wrong and not mended. Default: `keep`.'),
    idempotency_key: IdempotencyKey.optional().describe(
      'Key of 1 to 255 characters. A repeated request with the same key starts nothing, and gets the first answer.',
    ),
  })
  .meta({ id: 'ApplyRequest' });
export type ApplyRequest = z.infer<typeof ApplyRequest>;

export const AppliedVerdicts = z
  .object({
    run_id: RunId,
    version: z.int().min(1).meta({ example: 3 }).describe('Version of the dataset that the run makes.'),
    status: z.literal('running').meta({ example: 'running' }).describe('Poll the status of the dataset.'),
  })
  .meta({ id: 'AppliedVerdicts' });
export type AppliedVerdicts = z.infer<typeof AppliedVerdicts>;

export const AlikeParams = DatasetParams.extend({
  row: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the number of a row')
    .meta({ description: 'Number of the mended row, from 0.', example: '17' }),
});

/** Characters of a text in a query, which addresses have room for. */
export const ALIKE_TEXT_CHARACTERS_MAX = 2000;
export const ALIKE_ROWS_MAX = 200;

export const AlikeQuery = z.strictObject({
  completion: z
    .string()
    .min(1)
    .max(ALIKE_TEXT_CHARACTERS_MAX)
    .optional()
    .describe(
      'The text that the row was mended to, 1 to 2,000 characters. Default: that of the stored verdict, the own one first.',
    ),
  reviewer: Reviewer.optional().describe(
    'Whose stored verdict is meant, 1 to 100 characters. Default: the id of the API key.',
  ),
});
export type AlikeQuery = z.infer<typeof AlikeQuery>;

export const AlikeRow = z
  .object({
    row: count(93).describe('Number of the row, from 0.'),
    content_hash: ContentHash.describe('Send it with the verdict.'),
    prompt: text('Where is my invoice?').nullable().describe('Prompt of the row; null without one.'),
    completion: text('As an AI model, I think it is under Billing.').describe('What the row has now.'),
    proposal: text('It is under Billing.').describe(
      'What the same edit makes of it. To accept it, send the verdict `mended` with this text.',
    ),
    why: z
      .enum(['same_label', 'same_text', 'same_doubt'])
      .meta({ example: 'same_text' })
      .describe(
        '`same_label`: it has the label that was exchanged. `same_text`: the text that was removed or replaced occurs in it. `same_doubt`: the same witness says the same of it.',
      ),
  })
  .meta({ id: 'AlikeRow' });
export type AlikeRow = z.infer<typeof AlikeRow>;

export const AlikeRows = z
  .object({
    rows: z.array(AlikeRow).describe('Rows with the same defect, at most 200, the most similar first.'),
    is_complete: z
      .boolean()
      .meta({ example: true })
      .describe('False if there are more rows than were looked at or are shown: accept some, and ask again.'),
  })
  .meta({ id: 'AlikeRows' });
export type AlikeRows = z.infer<typeof AlikeRows>;
