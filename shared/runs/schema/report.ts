import * as z from 'zod';
import {
  count,
  DatasetId,
  DateTime,
  decimal,
  ErrorData,
  IntegerText,
  NextCursor,
  RunId,
  text,
} from '#shared/platform/schema/common.ts';
import { FileWarning } from '#shared/tabular/schema/rows-manifest.ts';
import { TargetCount } from './expansion.ts';
import { Invention } from './invention.ts';
import { LeftOut } from './left-out.ts';
import { ReportRow } from './report-row.ts';
import { RowCounts } from './row-counts.ts';
import { AnswerEdit } from './run-result.ts';

/** How completions were changed: rows by kind of edit, and the mean share of the original's words that stayed. */
export const EditCount = z
  .object({
    kind: AnswerEdit.shape.kind.describe('What was done to the completions.'),
    evidence: AnswerEdit.shape.evidence.describe('Why the changes were accepted.'),
    rows: z.int().min(1).meta({ example: 24 }).describe('Rows with this kind of edit and evidence.'),
    words_kept: decimal(0.93)
      .min(0)
      .max(1)
      .describe('Mean share of the words of the original that stayed, 0 to 1.'),
  })
  .meta({ id: 'EditCount' });
export type EditCount = z.infer<typeof EditCount>;

/** Which rows of a run are probably wrong, and how many nobody looked at. */
export const DoubtCounts = z
  .object({
    doubted: count(14).describe('Delivered rows with a `doubt`.'),
    doubtful: count(9).describe(
      'Those of them that are wrong with a probability of 0.5 at least. Each has a note `doubtful_answer`.',
    ),
    share_wrong: decimal(0.04)
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'Share of wrong rows before the run, as far as it shows without a model; null where nothing wrong was seen.',
      ),
    looked_at: z
      .object({
        execution: count(0).describe('Rows whose code was run.'),
        neighbours: count(250).describe('Rows that were compared with the other rows.'),
      })
      .describe('Rows that were looked at without a model.'),
    not_looked_at: count(0).describe(
      'Rows of the run that nobody looked at without a model: it has no embedding model, they are beyond the sample of 5,000, the time was over, or they hold no prompt and answer.',
    ),
    not_asked: z
      .int()
      .min(0)
      .optional()
      .describe('Rows that the model was not asked about because of `verification_rows`; absent without it.'),
  })
  .meta({ id: 'DoubtCounts' });
export type DoubtCounts = z.infer<typeof DoubtCounts>;

/** A witness that is a model, and is believed for nothing. */
export const NotBelieved = z
  .object({
    witness: z
      .enum(['judge', 'blind_answers', 'safety_judge'])
      .meta({ example: 'judge' })
      .describe(
        'Whose word does not count: `judge` compares two answers, `blind_answers` says whether answers are true, `safety_judge` scores safety.',
      ),
    model: z.string().nullable().meta({ example: 'qwen3-4b' }).describe('Its model; null without one.'),
    code: z
      .enum(['no_model', 'not_measured', 'wrong_too_often', 'corrects_nothing'])
      .describe('Stable code of the reason.'),
    message: text(
      'The model was right in 68 of 131 known pairs, which is not enough for any kind of pair.',
    ).describe('Why, and what decides instead.'),
  })
  .meta({ id: 'NotBelieved' });
export type NotBelieved = z.infer<typeof NotBelieved>;

/** What became of every row of the dataset's latest run, and of its credits. */
export const RunReport = z
  .object({
    dataset_id: DatasetId,
    run_id: RunId,
    status: z
      .enum(['running', 'succeeded', 'failed'])
      .meta({ example: 'succeeded' })
      .describe('Status of the run.'),
    started_at: DateTime.describe('Time of the start, ISO 8601 in UTC.'),
    ended_at: DateTime.nullable().describe('Time of the end, ISO 8601 in UTC; null while the run is active.'),
    error_data: ErrorData.nullable().describe('Why the run failed; null unless it failed.'),
    warnings: z
      .array(FileWarning)
      .meta({ example: [] })
      .describe(
        'What was read differently, or left out, when the file of the dataset was read, and languages of which the run made less than half of the rows.',
      ),
    rows: RowCounts.nullable().meta({ description: 'Null until the rows have been counted' }),
    reused_rows: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Delivered rows that are unchanged since an earlier run or were taken over from a pilot, for which no model was asked and nothing is billed; absent until the rows are counted.',
      ),
    stages: z
      .array(
        z.object({
          name: text('adapt').describe('Name of the stage.'),
          rows_in: count(250).describe('Rows that came in.'),
          rows_out: count(247).describe('Rows that went out.'),
          started_at: DateTime.nullable().describe(
            'Time of the start, ISO 8601 in UTC; null when it is not known.',
          ),
          ended_at: DateTime.nullable().describe(
            'Time of the end, ISO 8601 in UTC; null when it is not known.',
          ),
        }),
      )
      .describe('Stages of the run in their order.'),
    tokens: z
      .object({
        input: count(91_204).describe('Tokens that the models read.'),
        output: count(12_880).describe('Tokens that the models wrote.'),
        calls: count(402).describe('Requests to models.'),
      })
      .nullable()
      .describe('What the models used; null until the rows are counted.'),
    batched: z
      .object({
        input: z.int().min(0).describe('Tokens that the models read in batch jobs.'),
        output: z.int().min(0).describe('Tokens that the models wrote in batch jobs.'),
        calls: z.int().min(0).describe('Requests that batch jobs answered.'),
      })
      .optional()
      .describe(
        'The part of `tokens` that batch jobs answered, for which providers ask half the price; absent of a run without batch jobs, and until the rows are counted.',
      ),
    edits: z.array(EditCount).meta({
      description:
        'What was done to changed completions, by kind and evidence: mended by the smallest edit, completed, translated, put into the demanded form, corrected, rewritten, or written where there was none',
    }),
    safety_scorers: z.record(z.string(), z.int().min(1)).meta({
      description: 'Rows by who scored their safety; empty where no category was asked for',
      example: {},
    }),
    doubts: DoubtCounts.optional().describe(
      'Which rows are probably wrong; absent with `verification` `off`, for rows without completions, and until the rows are counted.',
    ),
    not_believed: z
      .array(NotBelieved)
      .meta({ example: [] })
      .describe(
        'Models that were asked to judge and are believed for nothing, each with the reason; empty where all are believed for something, and until the rows are counted.',
      ),
    targets: z
      .array(TargetCount)
      .optional()
      .describe(
        'Rows of each language, and country, that were planned and made; absent of a run that adds none in other languages, and until the rows are counted.',
      ),
    invention: Invention.nullable().meta({ description: 'Of an invented dataset, once its rows are there' }),
    credits: z
      .object({
        reserved: count(3).describe('Credits reserved at the start.'),
        settled: count(3).nullable().describe('Credits charged at the end; null while the run is active.'),
      })
      .describe('Credits of the run.'),
    models: z
      .record(z.string(), z.string())
      .meta({ example: { answer: 'qwen3-4b', judge: 'qwen3-4b' } })
      .describe('Model ids by role.'),
    left_out: LeftOut.meta({ example: {} }).describe(
      'What requests to models left out because a model does not take it, by model id: `schema` (JSON was asked for in words), `temperature`, `seed`, `prompt_cache`. Empty where nothing was.',
    ),
    prompt_versions: z
      .record(z.string(), z.string())
      .meta({ example: { answer: '7' } })
      .describe('Versions of the prompts of the service, by name.'),
    reported_rows: z
      .array(ReportRow)
      .describe(
        'Rows of this page: those that were not changed, with the reason, and changed rows with a note.',
      ),
    next_cursor: NextCursor,
  })
  .meta({ id: 'RunReport' });
export type RunReport = z.infer<typeof RunReport>;

export const ReportQuery = z.strictObject({
  cursor: z.string().max(2000).optional().describe('`next_cursor` of the previous page.'),
  limit: IntegerText.pipe(z.int().min(1).max(1000))
    .optional()
    .meta({ description: 'Rows a page, 1 to 1,000, default 100' }),
});
