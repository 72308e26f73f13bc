import { type StageHyperparams, TrainingJob } from '#shared/schema/training-job.ts';

export const hyperparams: StageHyperparams = {
  training_type: 'lora',
  n_epochs: 2,
  learning_rate: 0.02,
  batch_size: 2,
  lora_r: 2,
  lora_alpha: 4,
  lora_dropout: 0,
  lora_trainable_modules: 'all-linear',
  lr_scheduler_type: 'cosine',
  min_lr_ratio: 0,
  scheduler_num_cycles: 0.5,
  warmup_ratio: 0.1,
  max_grad_norm: 1,
  weight_decay: 0.01,
  train_on_inputs: null,
  dpo_beta: 0.5,
  dpo_normalize_logratios_by_length: false,
  rpo_alpha: 0,
  simpo_gamma: 0,
};

/** A job of SFT on the objects that `createMemoryBucket` has. */
export function createJob(changes: Partial<TrainingJob> = {}): TrainingJob {
  return TrainingJob.parse({
    version: 1,
    experiment_id: 'experiment',
    iteration: 1,
    attempt: 1,
    task_token: 'token-of-a-task',
    bucket: 'bucket',
    attempt_item: { table: 'table', pk: 'pk', sk: 'sk' },
    heartbeat_seconds: 20,
    model: { id: 'tiny', license: { name: 'Apache-2.0', url: 'https://example.com/licence' } },
    data: {
      format: 'chat',
      train_keys: ['train-0.jsonl', 'train-1.jsonl'],
      train_rows: 5,
      held_out_key: 'held-out.jsonl',
      held_out_rows: 2,
      context_tokens: 64,
    },
    stages: [{ method: 'sft', hyperparams }],
    seed: 7,
    answer_tokens_max: 4,
    checkpoint_steps: 2,
    output_prefix: 'out/1/',
    resume_prefixes: [],
    initial_adapter_key: null,
    batch_order_key: null,
    ...changes,
  });
}
