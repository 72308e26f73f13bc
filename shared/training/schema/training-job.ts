import * as z from 'zod';
import { TuningMethod, TuningType } from './training.ts';

/** How prompts and completions become the text that is trained on. */
export const DataFormat = z.enum(['chat', 'instruction']);
export type DataFormat = z.infer<typeof DataFormat>;

/** A call of a tool in a message of the assistant. */
const MessageCall = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().min(1),
    /** JSON text of an object. */
    arguments: z.string().min(2),
  }),
});

export const ChatMessage = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  /** Empty in a message of calls alone, and of a tool that returns nothing. */
  content: z.string(),
  tool_calls: z.array(MessageCall).min(1).optional(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** An answer that calls tools, with the text before the calls. */
const CallingAnswer = z.object({ content: z.string(), tool_calls: z.array(MessageCall).min(1) });
export type CallingAnswer = z.infer<typeof CallingAnswer>;

/** An answer: a text, or calls of tools. */
const TrainedAnswer = z.union([z.string().min(1), CallingAnswer]);
export type TrainedAnswer = z.infer<typeof TrainedAnswer>;

/**
 * One line of a training's data, of the rows that are trained on as of those that are held out. Either `completion`, or
 * `chosen` and `rejected`; where a stage of SFT trains on pairs, it takes what was chosen.
 */
export const TrainingExample = z.object({
  /** Index of the row among those of the dataset's download. */
  row: z.int().min(0),
  messages: z.array(ChatMessage).min(1),
  completion: TrainedAnswer.optional(),
  reasoning: z.string().min(1).optional(),
  chosen: TrainedAnswer.optional(),
  rejected: TrainedAnswer.optional(),
  /** The tools that the assistant may call, as chat-completion APIs declare them. */
  tools: z
    .array(z.object({ type: z.literal('function'), function: z.looseObject({ name: z.string().min(1) }) }))
    .min(1)
    .optional(),
});
export type TrainingExample = z.infer<typeof TrainingExample>;

/** The hyperparameters (spec §2.11) of one stage with nothing left to derive. */
export const StageHyperparams = z.object({
  training_type: TuningType,
  n_epochs: z.number().positive(),
  learning_rate: z.number().positive(),
  /** Examples, or pairs, of one step of the optimiser. */
  batch_size: z.int().min(1),
  lora_r: z.int().min(1),
  lora_alpha: z.number().positive(),
  lora_dropout: z.number().min(0).max(1),
  lora_trainable_modules: z.string(),
  lr_scheduler_type: z.enum(['linear', 'cosine', 'constant']),
  min_lr_ratio: z.number().min(0).max(1),
  scheduler_num_cycles: z.number().min(0),
  warmup_ratio: z.number().min(0).max(1),
  /** 0 leaves gradients as they are. */
  max_grad_norm: z.number().min(0),
  weight_decay: z.number().min(0),
  /** Null: over the completion, and over the whole text where the prompt is empty. */
  train_on_inputs: z.boolean().nullable(),
  dpo_beta: z.number().positive(),
  dpo_normalize_logratios_by_length: z.boolean(),
  rpo_alpha: z.number().min(0),
  simpo_gamma: z.number().min(0),
});
export type StageHyperparams = z.infer<typeof StageHyperparams>;

/**
 * A job of a trainer: the JSON object that the message in its queue names. `docs/training.md` describes the
 * protocol; `trainer/gpu/` and `trainer/embedded/` implement it.
 */
export const TrainingJob = z.object({
  version: z.literal(1),
  experiment_id: z.string(),
  /** Both from 1. */
  iteration: z.int().min(1),
  attempt: z.int().min(1),
  task_token: z.string(),
  bucket: z.string(),
  /** What the trainer claims, and keeps alive by its heartbeats. */
  attempt_item: z.object({ table: z.string(), pk: z.string(), sk: z.string() }),
  heartbeat_seconds: z.int().min(1),
  model: z.object({
    id: z.string(),
    /** SPDX identifier or name of the licence that the base model comes under, and where it can be read. */
    license: z.object({ name: z.string(), url: z.url() }),
  }),
  data: z.object({
    format: DataFormat,
    train_keys: z.array(z.string()),
    train_rows: z.int().min(0),
    held_out_key: z.string(),
    held_out_rows: z.int().min(0),
    /** Tokens of a text; what is longer is cut: the prompt at its beginning, then the completion at its end. */
    context_tokens: z.int().min(1),
  }),
  /** In order; a later one goes on from the model that the earlier one leaves, which is its reference too. */
  stages: z.array(z.object({ method: TuningMethod, hyperparams: StageHyperparams })).min(1),
  seed: z.int().min(0),
  answer_tokens_max: z.int().min(1),
  /** Optimiser steps between checkpoints. */
  checkpoint_steps: z.int().min(1),
  /** Everything that the attempt leaves lies below this. */
  output_prefix: z.string(),
  /** Output prefixes of earlier attempts of the iteration, newest first: it goes on from their last checkpoint. */
  resume_prefixes: z.array(z.string()),
  /** PEFT adapter to begin with, instead of a random one. */
  initial_adapter_key: z.string().nullable(),
  /** JSON array of steps, each an array of places in the data (0-based); instead of a shuffle by the seed. */
  batch_order_key: z.string().nullable(),
});
export type TrainingJob = z.infer<typeof TrainingJob>;

/** The message in a trainer's queue: the job, and what lets the trainer read it. */
export const TrainerMessage = z.object({
  bucket: z.string(),
  job_key: z.string(),
  /** Name of the function that lends credentials for the attempt. */
  lender: z.string(),
  /** What that function is to be shown. It opens this attempt alone, until it ends. */
  secret: z.string(),
});
export type TrainerMessage = z.infer<typeof TrainerMessage>;

/** What the function that lends credentials is asked with. */
export const LendCredentialsInput = TrainerMessage.pick({ job_key: true, secret: true });
export type LendCredentialsInput = z.infer<typeof LendCredentialsInput>;

/** Temporary credentials that open the objects and the item of one attempt. */
export const LentCredentials = z.object({
  access_key_id: z.string(),
  secret_access_key: z.string(),
  session_token: z.string(),
  expires_at: z.iso.datetime(),
});
export type LentCredentials = z.infer<typeof LentCredentials>;

/** Its answer: null where the attempt has ended, or where the secret is not the attempt's. */
export const LendCredentialsReply = z.object({ credentials: LentCredentials.nullable() });
export type LendCredentialsReply = z.infer<typeof LendCredentialsReply>;

/** The phase of a trainer; during a handover between stages it cannot be cancelled. */
export const TrainerPhase = z.enum(['starting', 'training', 'handing_over', 'answering', 'packing']);
export type TrainerPhase = z.infer<typeof TrainerPhase>;

/** The item of an attempt: written when it is queued, then by the trainer that claims it. */
export const TrainerAttempt = z.object({
  state: z.enum(['queued', 'claimed', 'ended', 'revoked']),
  job_key: z.string(),
  queued_at: z.iso.datetime(),
  /** Unique to the process that claimed it. */
  claimed_by: z.string().optional(),
  heartbeat_at: z.iso.datetime().optional(),
  phase: TrainerPhase.optional(),
  method: TuningMethod.optional(),
  step: z.int().min(0).optional(),
  steps: z.int().min(0).optional(),
  /** Until then silence is no fault of the trainer's: SageMaker looks for a machine, or starts one. */
  waits_until: z.iso.datetime().optional(),
});
export type TrainerAttempt = z.infer<typeof TrainerAttempt>;

const Finite = z.number();
const CurvePoint = z.object({ step: z.int().min(0), loss: Finite });

/** Points of the training losses of a report, and of its losses on held-out rows; its stages share them equally. */
export const CURVE_POINTS_MAX = 500;

/** `report.json` of an attempt. Every number is finite: a loss that is not ends the attempt as `diverged`. */
export const TrainerReport = z.object({
  version: z.literal(1),
  outcome: z.enum(['completed', 'diverged']),
  /** Why it diverged. */
  reason: z.string().nullable(),
  trainer: z.object({
    kind: z.enum(['embedded', 'gpu']),
    device: z.string(),
    versions: z.record(z.string(), z.string()),
  }),
  stages: z.array(
    z.object({
      method: TuningMethod,
      steps: z.int().min(0),
      /** All steps of the stage; absent in reports that are older than this field. */
      steps_planned: z.int().min(0).optional(),
      seconds: Finite.min(0),
      /**
       * Mean over the batch at that step, from 1, and the learning rate of the step, which older reports lack. Of more
       * steps than points an evenly spread part, the first and the last included.
       */
      train_loss: z.array(CurvePoint.extend({ learning_rate: Finite.min(0).optional() })),
      /** Mean over the rows that are held out (at most 50 of them), at step 0 and at the end of each epoch. */
      held_out_loss: z.array(CurvePoint),
    }),
  ),
  rows: z.object({
    trained: z.int().min(0),
    /** Longer than the context, so cut. */
    truncated: z.int().min(0),
  }),
  /** Null where it diverged. */
  answers_key: z.string().nullable(),
  artifact_key: z.string().nullable(),
  artifact_bytes: z.int().min(1).nullable(),
  /** The adapter as llama.cpp takes it; null for trainers and models that make none. */
  gguf_key: z.string().nullable(),
});
export type TrainerReport = z.infer<typeof TrainerReport>;

/**
 * `curve.json` of an attempt: the stages of its report so far. The trainer renews it as a stage begins and ends, and
 * about as often as it sends heartbeats in between.
 */
export const TrainerCurve = TrainerReport.pick({ version: true, stages: true });
export type TrainerCurve = z.infer<typeof TrainerCurve>;

const Answered = z.object({
  answer: z.string(),
  /** Mean log-likelihood of a token of the reference, in nats; null where it has no token left after the cut. */
  reference_logprob: z.number().max(0).nullable(),
  /** The same of the rejected answer; absent where there is none. */
  rejected_logprob: z.number().max(0).nullable().optional(),
});

/** One line of `answers.jsonl` of an attempt: a row that was held out, in the order of the data. */
export const HeldOutAnswer = z.object({
  row: z.int().min(0),
  messages: z.array(ChatMessage).min(1),
  /** The completion, or what was chosen; calls as the model writes them. */
  reference: z.string(),
  base: Answered,
  tuned: Answered,
});
export type HeldOutAnswer = z.infer<typeof HeldOutAnswer>;

/**
 * The callback of a trainer to the state machine. A failure is `trainer_refused` if another attempt would fail
 * alike (unknown model, batch too large), else `trainer_failed`.
 */
export const TrainerOutcome = z.object({ report_key: z.string() });
export type TrainerOutcome = z.infer<typeof TrainerOutcome>;

/** Hours that a training job of SageMaker may run: the most that an operator can set. */
export const TRAINING_HOURS_MAX = 24;

/**
 * What SageMaker says of a training job in the event `SageMaker Training Job State Change`:
 * https://docs.aws.amazon.com/sagemaker/latest/dg/automating-sagemaker-with-eventbridge.html
 */
export const TrainingJobState = z.looseObject({
  TrainingJobName: z.string(),
  TrainingJobStatus: z.string(),
  SecondaryStatus: z.string(),
  FailureReason: z.string().nullish(),
  /** As they were given: every value is JSON. */
  HyperParameters: z.looseObject({ job_key: z.string() }),
});
export type TrainingJobState = z.infer<typeof TrainingJobState>;

/**
 * All attributes of an attempt's item that trainers name in an update: keys, what they set, and what they set it on the
 * condition of. The role of the attempts allows no others.
 */
export const ATTEMPT_ATTRIBUTES = [
  'pk',
  'sk',
  'state',
  'claimed_by',
  'heartbeat_at',
  'phase',
  'method',
  'step',
  'steps',
] as const;
