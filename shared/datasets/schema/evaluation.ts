import * as z from 'zod';
import { DatasetId, DateTime, decimal, RunId } from '#shared/platform/schema/common.ts';
import { EvaluationSummary } from './dataset.ts';

export const EvaluationStatus = z.enum(['pending', 'running', 'succeeded', 'failed', 'skipped']);
export type EvaluationStatus = z.infer<typeof EvaluationStatus>;

export const Quality = z
  .object({
    ...EvaluationSummary.shape,
    percentile_after: decimal(92.3)
      .min(0)
      .max(100)
      .nullable()
      .describe(
        'Share of the evaluated datasets of this installation that score lower, ties counting half, 0 to 100 percent; null for the first.',
      ),
  })
  .meta({ id: 'Quality' });
export type Quality = z.infer<typeof Quality>;

/** Spec §2.7. `quality` and `raw_results` are null until it completes. */
export const Evaluation = z
  .object({
    dataset_id: DatasetId,
    status: EvaluationStatus.meta({ example: 'succeeded' }).describe(
      'Status of the evaluation of the active run, or else of the latest one that succeeded; `pending` until the rows of ' +
        'the active run are done, and before the first. `skipped` also for a dataset that has ended and that no ' +
        'adaptation has made.',
    ),
    quality: Quality.nullable().describe('Grades and scores; null until the evaluation has ended.'),
    raw_results: z
      .record(z.string(), z.json())
      .nullable()
      .meta({ example: { sample: { sampled: 40 } } })
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
          run_id: RunId,
          status: EvaluationStatus.describe('Status of its evaluation.'),
          quality: Quality.nullable().describe('Its grades and scores; null where there are none.'),
          started_at: DateTime.describe('Time of the start, ISO 8601 in UTC.'),
        }),
      )
      .meta({ example: [] })
      .describe('Evaluations of the other runs, the latest first.'),
  })
  .meta({ id: 'Evaluation' });
export type Evaluation = z.infer<typeof Evaluation>;
