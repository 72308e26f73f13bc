import * as z from 'zod';
import { count, decimal, text } from '#shared/platform/schema/common.ts';
import { BaseModelId, Hyperparams, TrainingId, TrainingStatus, TuningMethod } from './training.ts';

/** Pairs of answers that are shown of an iteration. */
export const ANSWER_PAIRS_MAX = 20;
/** Characters of a text among them: with ten iterations of escaped text the answer is below the 6 MB of a function. */
export const ANSWER_CHARACTERS_MAX = 1000;

const Share = z.number().min(0).max(1);
const Step = z.int().min(0);

export const TrainingLossPoint = z
  .object({
    step: Step.meta({ example: 90 }).describe('Optimizer step, from 1.'),
    loss: decimal(1.38).describe('Mean loss over the rows of the step.'),
    learning_rate: decimal(0)
      .nullable()
      .describe('Learning rate of the step; null if the training is older than this field.'),
  })
  .meta({ id: 'TrainingLossPoint' });
export type TrainingLossPoint = z.infer<typeof TrainingLossPoint>;

export const HeldOutLossPoint = z
  .object({
    step: Step.meta({ example: 90 }).describe(
      'Optimizer steps that were done: 0 is the model before the stage.',
    ),
    loss: decimal(1.66).describe('Mean loss over up to 50 held-out rows.'),
  })
  .meta({ id: 'HeldOutLossPoint' });
export type HeldOutLossPoint = z.infer<typeof HeldOutLossPoint>;

export const StageMetrics = z
  .object({
    method: TuningMethod.describe('What the stage optimizes. Losses of different methods do not compare.'),
    steps: Step.meta({ example: 90 }).describe('Steps that were done when the curve was written.'),
    steps_planned: Step.nullable()
      .meta({ example: 90 })
      .describe('All steps of the stage; null if that is not known.'),
    seconds: decimal(412.5).min(0).describe('Time that the stage has taken.'),
    training_loss: z
      .array(TrainingLossPoint)
      .describe('Loss on training rows by step. Of more points than fit an evenly spread part is shown.'),
    held_out_loss: z
      .array(HeldOutLossPoint)
      .describe('Loss on held-out rows: before the stage, and after each epoch.'),
  })
  .meta({ id: 'StageMetrics' });
export type StageMetrics = z.infer<typeof StageMetrics>;

export const ShownWinRate = z
  .object({
    value: Share.meta({ example: 0.62 }).describe(
      'Wins and half of the ties, as a share of the compared rows, 0 to 1.',
    ),
    interval95: z
      .tuple([Share, Share])
      .meta({ example: [0.4815, 0.7413] })
      .describe('95 % interval of the win rate (Wilson): lower and upper end.'),
    measure: z
      .enum(['judge', 'likelihood'])
      .describe(
        '`judge`: a calibrated judge compared the answers. `likelihood`: which model finds the reference likelier.',
      ),
    judge: text('qwen3-4b').nullable().describe('Id of the model that judged; null for likelihoods.'),
    rows: z.int().min(1).meta({ example: 50 }).describe('Rows that were compared.'),
    wins: count(28).describe('Rows on which the trained model was better.'),
    losses: count(16).describe('Rows on which the base model was better.'),
    ties: count(6).describe('Rows on which neither was better.'),
    is_indicative: z
      .boolean()
      .meta({ example: false })
      .describe('Whether there were too few rows to rely on it.'),
  })
  .meta({ id: 'ShownWinRate' });
export type ShownWinRate = z.infer<typeof ShownWinRate>;

export const HyperparamChange = z
  .object({
    name: z.string().describe('Name of the hyperparameter.'),
    from: z
      .union([z.string(), z.number(), z.boolean()])
      .nullable()
      .describe('Value in the previous iteration; null if it was not set.'),
    to: z
      .union([z.string(), z.number(), z.boolean()])
      .nullable()
      .describe('Value in this iteration; null if it is not set.'),
  })
  .meta({ id: 'HyperparamChange' });
export type HyperparamChange = z.infer<typeof HyperparamChange>;

export const CutText = z
  .object({
    text: text('Choose "Forgot password" on the sign-in page.').describe(
      'The text, up to 1,000 characters of it.',
    ),
    truncated: z.boolean().meta({ example: false }).describe('Whether the text is longer.'),
  })
  .meta({ id: 'CutText' });
export type CutText = z.infer<typeof CutText>;

export const AnswerPair = z
  .object({
    row: count(17).describe('Index of the row in the download of the dataset, from 0.'),
    prompt: CutText.meta({
      description: 'What both models were asked; several messages with their roles.',
      example: { text: 'How do I reset my password?', truncated: false },
    }),
    reference: CutText.describe('The answer of the dataset.'),
    base: CutText.meta({
      description: 'Answer of the base model.',
      example: { text: 'Passwords are important for security.', truncated: false },
    }),
    trained: CutText.describe('Answer of the trained model.'),
    verdict: z
      .enum(['win', 'loss', 'tie'])
      .nullable()
      .meta({ example: 'win' })
      .describe(
        'How the trained model did on the row, by the measure of the win rate; null if the row was not decided.',
      ),
  })
  .meta({ id: 'AnswerPair' });
export type AnswerPair = z.infer<typeof AnswerPair>;

export const IterationMetrics = z
  .object({
    iteration: z.int().min(1).meta({ example: 1 }).describe('Number of the iteration, from 1.'),
    status: z
      .enum(['running', 'completed', 'diverged', 'failed', 'stopped'])
      .meta({ example: 'completed' })
      .describe(
        '`running`: not done yet. `completed`: it has a model and a win rate. `diverged`: a loss was no number. `failed`: it has no result. `stopped`: the training ended before the iteration did.',
      ),
    phase: z
      .enum(['waiting', 'starting', 'training', 'handing_over', 'answering', 'packing', 'comparing'])
      .nullable()
      .describe('What an iteration that is running does now; null for others.'),
    reason: z
      .string()
      .nullable()
      .describe('Why the iteration has no result; null if it has one or is running.'),
    hyperparams: Hyperparams.describe(
      'Hyperparameters of the iteration; of an alignment, of its second stage.',
    ),
    changes: z
      .array(HyperparamChange)
      .meta({ example: [] })
      .describe('Hyperparameters that differ from the previous iteration; none in the first.'),
    why: text('The recommended values for this model.').describe(
      'Why these hyperparameters: the rule that chose them, and what it saw.',
    ),
    stages: z
      .array(StageMetrics)
      .describe('Curves by stage. Of an iteration that is running those so far; empty if there are none.'),
    win_rate: ShownWinRate.nullable().describe('Comparison with the base model; null if there is none.'),
    likelihood_reason: z
      .string()
      .nullable()
      .describe('Why no judge decided; null if one did, or there is no win rate.'),
    answers: z
      .array(AnswerPair)
      .describe(
        'Answers of base and trained model to up to 20 held-out rows, evenly spread and the same in every iteration; empty until they are compared, and for trainings older than this field. To a key without the scope `datasets:read` each text is empty and `truncated`.',
      ),
  })
  .meta({ id: 'IterationMetrics' });
export type IterationMetrics = z.infer<typeof IterationMetrics>;

export const TrainingMetrics = z
  .object({
    experiment_id: TrainingId,
    status: TrainingStatus.describe('Status of the training.'),
    model: BaseModelId,
    target_win_rate: decimal(0.7).describe('Win rate at which the training ends, 0 to 1.'),
    max_iterations: z.int().min(1).meta({ example: 3 }).describe('The most iterations.'),
    best_iteration: z
      .int()
      .min(1)
      .nullable()
      .meta({ example: 1 })
      .describe('The iteration with the best win rate so far; null until one is done.'),
    iterations: z.array(IterationMetrics).describe('Iterations in order; the last may be running.'),
  })
  .meta({ id: 'TrainingMetrics' });
export type TrainingMetrics = z.infer<typeof TrainingMetrics>;
