import { vi } from 'vitest';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { attemptSecret } from '#shared/training/decide/attempt-secret.ts';
import type { AttemptId } from '#shared/training/decide/repository.ts';
import type { LaunchReply } from '#shared/training/decide/training-jobs.ts';
import type { StageHyperparams, TrainerAttempt, TrainingJob } from '#shared/training/schema/training-job.ts';
import { createMemoryObjects } from './memory-objects.ts';

export const TOKEN = 'token-of-a-task';

/** Steep enough for a tiny network to learn in a few steps. */
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

/** The job of an attempt, as far as what stands around trainers reads it. */
export function makeJob({ experiment_id, iteration, attempt }: AttemptId): TrainingJob {
  const output = objectKeys.trainerOutput(experiment_id, iteration, attempt);
  return {
    version: 1,
    experiment_id,
    iteration,
    attempt,
    task_token: TOKEN,
    bucket: 'data',
    attempt_item: { table: 'table', pk: 'pk', sk: 'sk' },
    heartbeat_seconds: 20,
    model: { id: 'tiny', license: { name: 'Apache-2.0', url: 'https://licence.example' } },
    data: {
      format: 'chat',
      train_keys: ['rows.jsonl'],
      train_rows: 60,
      held_out_key: 'held-out.jsonl',
      held_out_rows: 20,
      context_tokens: 512,
    },
    stages: [{ method: 'sft', hyperparams }],
    seed: 7,
    answer_tokens_max: 64,
    checkpoint_steps: 25,
    output_prefix: output,
    resume_prefixes: [],
    initial_adapter_key: null,
    batch_order_key: null,
  };
}

/** What stands around a training job: the attempt's item in a state (null: none), its job, and SageMaker. */
export async function aroundTrainingJob(
  id: AttemptId,
  state: TrainerAttempt['state'] | null,
  answer: LaunchReply = { outcome: 'launched' },
) {
  const job_key = objectKeys.trainingJob(id.experiment_id, id.iteration, id.attempt);
  const objects = createMemoryObjects();
  await objects.write(job_key, JSON.stringify(makeJob(id)), 'application/json');
  let attempt: TrainerAttempt | null =
    state === null ? null : { state, job_key, queued_at: '2026-03-01T12:00:00.000Z' };
  const isOpen = (): boolean => attempt?.state === 'queued' || attempt?.state === 'claimed';
  return {
    objects,
    message: { bucket: 'data', job_key, lender: 'lender', secret: attemptSecret(TOKEN) },
    attempt: () => attempt,
    trainings: {
      findAttempt: async () => attempt,
      excuseAttempt: async (_id: AttemptId, until: string) => {
        if (attempt === null || !isOpen()) return false;
        attempt = { ...attempt, waits_until: until };
        return true;
      },
      revokeAttempt: async () => {
        if (attempt !== null && isOpen()) attempt = { ...attempt, state: 'revoked' };
      },
    },
    tokens: { fail: vi.fn(async () => true) },
    jobs: { launch: vi.fn(async () => answer), stop: vi.fn(async () => undefined) },
  };
}
