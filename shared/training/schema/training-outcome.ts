import * as z from 'zod';
import { Hyperparams, TuningMethod } from './training.ts';
import { StageHyperparams, TrainerReport } from './training-job.ts';
import { AnswerPair } from './training-metrics.ts';

const Share = z.number().min(0).max(1);

/** How the tuned model did against its base on the rows that were held out. */
export const WinRate = z.object({
  /** `judge`: blind pairs in both orders; `likelihood`: whose reference the tuned model finds likelier, a token. */
  method: z.enum(['judge', 'likelihood']),
  /** The judge's model id. */
  judge: z.string().nullable(),
  /** Wins and half of the ties, of `n` rows. */
  value: Share,
  n: z.int().min(1),
  wins: z.int().min(0),
  losses: z.int().min(0),
  ties: z.int().min(0),
  interval95: z.tuple([Share, Share]),
  /** Whether there were too few rows to rely on it. */
  is_indicative: z.boolean(),
});
export type WinRate = z.infer<typeof WinRate>;

export const ProposedStage = z.object({ method: TuningMethod, hyperparams: StageHyperparams });
export type ProposedStage = z.infer<typeof ProposedStage>;

/** The hyperparameters of an iteration. */
export const Proposal = z.object({
  stages: z.array(ProposedStage).min(1),
  /** The last stage's as proposed (spec §2.11), with nothing resolved; `shownHyperparams` makes the form for callers. */
  hyperparams: Hyperparams,
  why: z.string(),
});
export type Proposal = z.infer<typeof Proposal>;

/** How the models of two trainings did against each other. */
export const Comparing = z.object({
  win_rate: WinRate.nullable(),
  /** Why the win rate is that of likelihoods; null where it is a judge's, and where there is none. */
  likelihood_reason: z.string().nullable().default(null),
  /** Of the rows that were held out: not the judge's word, but the likelihoods', beside it. */
  likelihood: WinRate.nullable(),
});
export type Comparing = z.infer<typeof Comparing>;

/**
 * How the two sides of a comparison did against each other. `checks`: the checks decided, and nobody where they found no
 * difference; `judge`: a judge decided some of those rows. `undecided` rows are among the ties.
 */
export const ComparingSides = z.object({
  win_rate: WinRate.extend({
    method: z.enum(['checks', 'judge']),
    undecided: z.int().min(0),
    /** Why neither decided them; null where none is undecided. */
    undecided_reason: z.string().nullable().default(null),
  }),
  likelihood: WinRate.nullable(),
});
export type ComparingSides = z.infer<typeof ComparingSides>;

/** The outcome of an iteration, compared with the base model. */
export const IterationOutcome = Proposal.extend({
  iteration: z.int().min(1),
  attempt: z.int().min(1),
  status: z.enum(['completed', 'diverged', 'failed']),
  /** Why it was not completed. */
  reason: z.string().nullable(),
  ...Comparing.shape,
  /** Of the adapted side of a comparison, against the original side of its seed. */
  against_original: ComparingSides.optional(),
  preference_accuracy: z.object({ base: Share, tuned: Share }).nullable(),
  /** Null where the trainer left none that could be read. */
  trainer: TrainerReport.nullable(),
});
export type IterationOutcome = z.infer<typeof IterationOutcome>;

/** Answers of an iteration to a row that was held out, as they are shown. */
export const StoredAnswer = AnswerPair.extend({
  /** Of the adapted side of a comparison: how it did against the original side of its seed. */
  against_original: AnswerPair.shape.verdict.optional(),
});
export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** The training data and the held-out rows. */
export const TrainingData = z.object({
  train_keys: z.array(z.string()),
  train_rows: z.int().min(0),
  /** The adapted side of a comparison: as many rows, of the same prompts in the same order. */
  adapted_keys: z.array(z.string()).optional(),
  held_out_key: z.string(),
  held_out_rows: z.int().min(0),
  /** Rows of the dataset, those of an augmentation counted. */
  rows: z.int().min(0),
  augmented_rows: z.int().min(0),
  /** Examples that the rows make; absent of data that was prepared before they were counted. */
  usable_rows: z.int().min(0).optional(),
  /** Rows that make no example, by why. */
  skipped: z.array(z.object({ reason: z.string(), rows: z.int().min(1) })),
  split: z.string(),
});
export type TrainingData = z.infer<typeof TrainingData>;

/** The report of a training: `run_report.json` of its artifact. */
export const TrainingReport = z.object({
  experiment_id: z.string(),
  dataset_id: z.string(),
  model: z.string(),
  training_method: z.string(),
  target_win_rate: Share,
  /** Why the loop ended. */
  stopped_because: z.string(),
  best_iteration: z.int().min(1).nullable(),
  explanation: z.array(z.string()),
  seed: z.int(),
  data: TrainingData.omit({ train_keys: true, adapted_keys: true, held_out_key: true }),
  iterations: z.array(IterationOutcome),
});
export type TrainingReport = z.infer<typeof TrainingReport>;
