import * as z from 'zod';
import {
  count,
  DatasetId,
  DatasetParams,
  DateTime,
  decimal,
  NextCursor,
  RunId,
} from '#shared/platform/schema/common.ts';
import {
  BaseModelId,
  CreateTrainingRequest,
  Hyperparams,
  ListTrainingsQuery,
  TrainingColumnMapping,
  TrainingMethod,
  TrainingStatus,
} from './training.ts';
import { CutText, IterationMetrics, ShownWinRate, StageMetrics } from './training-metrics.ts';

export const SEEDS_MAX = 5;

const Seed = z.int().min(1).max(SEEDS_MAX).meta({ example: 1 });
const ComparisonId = z
  .string()
  .meta({ description: 'Id of the comparison.', example: '2f9c4b7d-51e8-4a06-9d3c-7b8e0f1a2c65' });

export const CreateComparisonRequest = z
  .strictObject({
    dataset_id: DatasetParams.shape.dataset_id.describe(
      'Id of the dataset, 1 to 200 characters. Its latest adaptation has to be successful.',
    ),
    model: CreateTrainingRequest.shape.model,
    training_method: TrainingMethod.optional().describe(
      '`instruction` trains on completions. The originals have no preference pairs, so `alignment` becomes `instruction`.',
    ),
    hyperparams: CreateTrainingRequest.shape.hyperparams.describe(
      'Hyperparameters that replace the derived ones, the same for all trainings.',
    ),
    column_mapping: TrainingColumnMapping.pick({ prompt: true, completion: true })
      .required()
      .strict()
      .optional()
      .describe(
        'Which columns hold the original prompts and answers. If omitted, those that the adaptation mapped.',
      ),
    seeds: Seed.optional().describe(
      'Seeds, 1 to 5. Each trains both sides once more. Default: 1, which does not show how much seeds differ.',
    ),
    idempotency_key: CreateTrainingRequest.shape.idempotency_key.describe(
      'Key of 1 to 255 characters, per dataset. While the comparison that was started with it is active, a repeated request returns that comparison.',
    ),
    estimate: z
      .boolean()
      .optional()
      .meta({ example: true })
      .describe(
        'If true, validates the request and returns what would be trained; nothing starts. Default: false.',
      ),
  })
  .meta({ id: 'CreateComparisonRequest' });
export type CreateComparisonRequest = z.infer<typeof CreateComparisonRequest>;

export const ComparisonLaunch = z
  .object({
    comparison_id: z.string().nullable().describe('Id of the comparison; null for an estimate.'),
    estimate: z.boolean().describe('True when nothing was started.'),
    dataset_id: DatasetId,
    model: BaseModelId.describe('Id of the base model, also when it was selected by the service.'),
    training_method: TrainingMethod.describe('Method that is used.'),
    hyperparams: Hyperparams.describe('Hyperparameters of all trainings.'),
    seeds: Seed.describe('Seeds.'),
    trainings: count(2).describe('Trainings: two for each seed.'),
    rows: count(500).describe('Rows of the adaptation, without rows that it added in other languages.'),
    held_out_rows: count(50).describe(
      'Rows that are held out at most, by the rows that both sides can be trained on: prompts that neither is trained on.',
    ),
    estimated_credits: count(0).describe('Credits that the comparison reserves.'),
    notes: z
      .array(z.string())
      .meta({ example: ['The model is trained on the answers (SFT).'] })
      .describe('Why this model and these hyperparameters, one sentence each.'),
  })
  .meta({ id: 'ComparisonLaunch' });
export type ComparisonLaunch = z.infer<typeof ComparisonLaunch>;

export const ComparisonParams = z.strictObject({
  comparison_id: ComparisonId.min(1).max(200).describe('Id of the comparison, 1 to 200 characters.'),
});

export const ListComparisonsQuery = ListTrainingsQuery.extend({
  dataset_id: DatasetParams.shape.dataset_id.optional().describe('Only comparisons of this dataset.'),
});

export const TrainingSide = z.enum(['original', 'adapted']);
export type TrainingSide = z.infer<typeof TrainingSide>;

const summary = {
  comparison_id: ComparisonId,
  dataset_id: DatasetId,
  run_id: RunId.describe('Id of the adaptation whose rows are compared with the originals.'),
  model: BaseModelId,
  training_method: TrainingMethod.describe('Method that is used.'),
  hyperparams: Hyperparams.describe('Hyperparameters of all trainings.'),
  seeds: Seed.describe('Seeds.'),
  status: TrainingStatus.describe(
    'Status of the comparison. Poll until `succeeded`, `failed` or `cancelled`.',
  ),
  trainings_completed: count(2).describe('Trainings that are done and compared.'),
  trainings_total: count(2).describe('All trainings: two for each seed.'),
  created_at: DateTime.describe('Time of creation, ISO 8601 in UTC.'),
  completed_at: DateTime.nullable().describe(
    'Time of the end, ISO 8601 in UTC; null while the comparison is active.',
  ),
  error: z.string().nullable().describe('Why the comparison failed; null unless it failed.'),
};

export const ComparisonSummary = z.object(summary).meta({ id: 'ComparisonSummary' });
export type ComparisonSummary = z.infer<typeof ComparisonSummary>;

const Share = z.number().min(0).max(1);

export const ComparisonWinRate = z
  .object({
    value: Share.meta({ example: 0.62 }).describe(
      'Mean of the win rates of the seeds, 0 to 1. Half of the ties count as wins.',
    ),
    interval95: z
      .tuple([Share, Share])
      .meta({ example: [0.4815, 0.7413] })
      .describe(
        '95 % interval of the effect (Wilson): for other prompts, and with several seeds for other seeds. With one seed it is that of these two models.',
      ),
    seed_spread: z
      .number()
      .min(0)
      .nullable()
      .describe('Standard deviation of the win rates over seeds; null for a single seed.'),
    measure: z
      .enum(['checks', 'judge', 'likelihood'])
      .meta({ example: 'judge' })
      .describe(
        'Between the two sides: `checks`, which know defects such as a broken form, a repetition or the wrong language, or `judge`, where a calibrated judge decided rows that the checks left open. Against the base: `judge`, where one compared the answers of every seed, or `likelihood`: which model finds the original answer likelier.',
      ),
    rows: z
      .int()
      .min(1)
      .meta({ example: 50 })
      .describe('Prompts that were compared: of the seeds, the fewest.'),
    is_indicative: z
      .boolean()
      .meta({ example: false })
      .describe('Whether there were too few rows to rely on it.'),
    by_seed: z
      .array(
        z.object({
          seed: Seed.describe('Number of the seed, from 1.'),
          value: ShownWinRate.shape.value,
          interval95: ShownWinRate.shape.interval95,
          wins: count(28).describe('Rows on which the first side was better.'),
          losses: count(16).describe('Rows on which the second side was better.'),
          ties: ShownWinRate.shape.ties,
          undecided: count(0).describe(
            'Ties that neither the checks nor a judge decided, rows to which a side left no answer among them.',
          ),
          undecided_reason: z
            .string()
            .nullable()
            .describe('Why neither decided them; null where none is undecided, and in older comparisons.'),
          likelihood_reason: IterationMetrics.shape.likelihood_reason,
        }),
      )
      .describe('The win rate of each seed, with the interval of its rows alone.'),
  })
  .meta({ id: 'ComparisonWinRate' });
export type ComparisonWinRate = z.infer<typeof ComparisonWinRate>;

export const ComparisonTraining = z
  .object({
    side: TrainingSide.describe('The rows that are trained on: `original` or `adapted`.'),
    seed: Seed.describe('Number of the seed, from 1.'),
    status: IterationMetrics.shape.status,
    phase: IterationMetrics.shape.phase,
    reason: IterationMetrics.shape.reason,
    rows: count(430).nullable().describe('Rows that were trained on; null until the training is done.'),
    training_loss: decimal(1.38)
      .nullable()
      .describe('Loss of the last step; null before one. The sides learn other texts: it does not compare.'),
    held_out_loss: z
      .object({
        before: decimal(2.35).describe('Loss of the base model.'),
        after: decimal(1.66).describe('Loss after the last epoch that is done.'),
      })
      .nullable()
      .describe('Loss on the original answers to held-out prompts; null before it is measured.'),
    stages: z.array(StageMetrics).describe('Curves by stage, those so far while it is running.'),
  })
  .meta({ id: 'ComparisonTraining' });
export type ComparisonTraining = z.infer<typeof ComparisonTraining>;

export const ComparedAnswers = z
  .object({
    row: count(17).describe('Index of the row in the download of the dataset, from 0.'),
    prompt: CutText.meta({
      description: 'The original prompt; several messages with their roles.',
      example: { text: 'How do I reset my password?', truncated: false },
    }),
    reference: CutText.describe('The original answer.'),
    base: CutText.meta({
      description: 'Answer of the base model.',
      example: { text: 'Passwords are important for security.', truncated: false },
    }),
    by_seed: z
      .array(
        z.object({
          seed: Seed.describe('Number of the seed, from 1.'),
          original: CutText.meta({
            description: 'Answer of the model that was trained on the original rows.',
            example: { text: 'Use the sign-in page.', truncated: false },
          }),
          adapted: CutText.nullable().describe(
            'Answer of the model that was trained on the adapted rows; null until it is trained.',
          ),
          better: z
            .enum(['original', 'adapted', 'tie'])
            .nullable()
            .meta({ example: 'adapted' })
            .describe('Which of the two is better, by the measure of the seed; null if nothing decided it.'),
        }),
      )
      .describe('The answers of the trained models.'),
  })
  .meta({ id: 'ComparedAnswers' });
export type ComparedAnswers = z.infer<typeof ComparedAnswers>;

const rate = (of: string) =>
  ComparisonWinRate.nullable().describe(`${of}; null until a seed has been compared.`);

export const Comparison = z
  .object({
    ...summary,
    win_rates: z
      .object({
        adapted_against_base: rate('The model trained on the adapted rows against the base model'),
        original_against_base: rate('The model trained on the original rows against the base model'),
        adapted_against_original: rate(
          'The model trained on the adapted rows against the model trained on the original rows',
        ),
      })
      .describe('Win rates, each of the first against the second.'),
    trainings: z
      .array(ComparisonTraining)
      .describe('Trainings in order; the last may be running. Those that have not begun are missing.'),
    answers: z
      .array(ComparedAnswers)
      .describe(
        'Answers to up to 20 held-out prompts, evenly spread; empty until they are compared. To a key without the scope `datasets:read` each text is empty and `truncated`.',
      ),
  })
  .meta({ id: 'Comparison' });
export type Comparison = z.infer<typeof Comparison>;

export const ComparisonPage = z.object({
  items: z.array(ComparisonSummary).describe('Comparisons of this page, newest first.'),
  next_cursor: NextCursor,
});
