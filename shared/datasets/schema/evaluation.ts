import * as z from 'zod';
import { DateTime } from '#shared/platform/schema/common.ts';
import { Grade } from './dataset.ts';

export const EvaluationStatus = z.enum(['pending', 'running', 'succeeded', 'failed', 'skipped']);
export type EvaluationStatus = z.infer<typeof EvaluationStatus>;

export const Quality = z
  .object({
    grade_before: Grade.nullable().describe(
      'Grade of the source rows, A (best) to E; null without completions.',
    ),
    grade_after: Grade.nullable().describe('Grade of the adapted rows, A (best) to E.'),
    score_before: z
      .number()
      .min(0)
      .max(10)
      .nullable()
      .describe('Mean score of the source rows, 0 to 10; null without completions.'),
    score_after: z.number().min(0).max(10).nullable().describe('Mean score of the adapted rows, 0 to 10.'),
    percentile_after: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe(
        'Share of the evaluated datasets of this installation that score lower, ties counting half, 0 to 100 percent; null for the first.',
      ),
    improvement_percent: z
      .number()
      .nullable()
      .describe('Relative change of the score in percent: (after − before) / before × 100.'),
  })
  .meta({ id: 'Quality' });
export type Quality = z.infer<typeof Quality>;

/** Spec §2.7. `status` is null before a run has started; `quality` and `raw_results` until it completes. */
export const Evaluation = z
  .object({
    dataset_id: z.string().describe('Id of the dataset.'),
    status: EvaluationStatus.nullable().describe(
      'Status of the evaluation of the active run, or else of the latest one that succeeded; null until the rows of ' +
        'the active run are done, and before the first. `skipped` also for a dataset that has ended and that no ' +
        'adaptation has made.',
    ),
    quality: Quality.nullable().describe('Grades and scores; null until the evaluation has ended.'),
    raw_results: z
      .record(z.string(), z.json())
      .nullable()
      .describe(
        'How the scores came about; null until the evaluation has ended. `rows`: completions of the sample that changed or not. ' +
          '`score_interval_before`, `score_interval_after`: 95 % intervals of the scores. `share_got_worse`: estimated share of ' +
          'rows whose completion got worse. `rates`: how often the checks and each kind of edit are right, and with which model ' +
          'that was measured. `judge`: who compared and graded, and how well it is calibrated. `before`, `after`, `difference`: ' +
          "the judge's or the metrics' own scores of single answers, which do not make the grade. `rates.same_model`: whether the " +
          'judge is the model that wrote the answers.',
      ),
    history: z
      .array(
        z.object({
          run_id: z.string().describe('Id of the run.'),
          status: EvaluationStatus.nullable().describe('Status of its evaluation.'),
          quality: Quality.nullable().describe('Its grades and scores; null where there are none.'),
          started_at: DateTime.describe('Time of the start, ISO 8601 in UTC.'),
        }),
      )
      .describe('Evaluations of the other runs, the latest first.'),
  })
  .meta({ id: 'Evaluation' });
export type Evaluation = z.infer<typeof Evaluation>;
