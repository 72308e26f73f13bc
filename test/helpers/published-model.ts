import { gzipSync } from 'node:zlib';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { tarEntry } from '#shared/training/decide/tar-entry.ts';
import { comparedRate } from '#shared/training/decide/win-rate.ts';
import type { StageHyperparams } from '#shared/training/schema/training-job.ts';
import type { IterationOutcome, TrainingReport } from '#shared/training/schema/training-outcome.ts';
import { bestOf, endTrainingNow, launchTraining, seedTrainable } from './training.ts';
import type { World } from './world.ts';

const HYPERPARAMS: StageHyperparams = {
  training_type: 'lora',
  n_epochs: 2,
  learning_rate: 0.0005,
  batch_size: 4,
  lora_r: 8,
  lora_alpha: 16,
  lora_dropout: 0,
  lora_trainable_modules: 'all-linear',
  lr_scheduler_type: 'cosine',
  min_lr_ratio: 0.1,
  scheduler_num_cycles: 0.5,
  warmup_ratio: 0.1,
  max_grad_norm: 1,
  weight_decay: 0,
  train_on_inputs: null,
  dpo_beta: 0.1,
  dpo_normalize_logratios_by_length: false,
  rpo_alpha: 0,
  simpo_gamma: 0,
};

/** An iteration of two stages, of whose 20 held-out rows the trained model won so many by a judge. */
export function makeOutcome(
  iteration: number,
  wins: number,
  fields: Partial<IterationOutcome> = {},
): IterationOutcome {
  const verdicts = Array.from({ length: 20 }, (_, n) => (n < wins ? ('win' as const) : ('loss' as const)));
  const stage = (first: number, last: number) => ({
    steps: 8,
    seconds: 1,
    train_loss: [],
    held_out_loss: [
      { step: 0, loss: first },
      { step: 8, loss: last },
    ],
  });
  return {
    iteration,
    attempt: 1,
    status: 'completed',
    reason: null,
    stages: [
      { method: 'sft', hyperparams: HYPERPARAMS },
      { method: 'dpo', hyperparams: { ...HYPERPARAMS, learning_rate: 0.00001 } },
    ],
    hyperparams: { training_type: 'lora', lora_r: 8 },
    why: 'Because.',
    win_rate: comparedRate(verdicts, { method: 'judge', judge: 'vendor/judge' }),
    likelihood_reason: null,
    likelihood: comparedRate(verdicts, { method: 'likelihood', judge: null }),
    preference_accuracy: { base: 0.5, tuned: 0.9 },
    trainer: {
      version: 1,
      outcome: 'completed',
      reason: null,
      trainer: { kind: 'gpu', device: 'CPU', versions: { peft: '0.21.2' } },
      stages: [
        { method: 'sft', ...stage(3, 2) },
        { method: 'dpo', ...stage(0.7, 0.5) },
      ],
      rows: { trained: 40, truncated: 1 },
      answers_key: null,
      artifact_key: null,
      artifact_bytes: null,
      gguf_key: null,
    },
    ...fields,
  };
}

/** The report of a training whose second iteration was the best. */
export function makeReport(
  training: TrainingRecord,
  iterations: IterationOutcome[] = [makeOutcome(1, 11), makeOutcome(2, 15)],
): TrainingReport {
  return {
    experiment_id: training.experiment_id,
    dataset_id: training.dataset_id,
    model: training.model,
    training_method: training.training_method,
    target_win_rate: training.target_win_rate,
    stopped_because: 'The target was reached.',
    best_iteration: 2,
    explanation: ['Because.'],
    seed: training.seed,
    data: {
      train_rows: 40,
      held_out_rows: 20,
      rows: 63,
      augmented_rows: 0,
      skipped: [{ reason: 'no answer', rows: 3 }],
      split: 'those with the lowest SHA-256',
    },
    iterations,
  };
}

export const ADAPTER: Readonly<Record<string, string>> = {
  'LICENSE.md': '# Licence of the base model\n',
  'adapter_config.json': '{"peft_type": "LORA"}',
  'adapter_model.safetensors': 'weights',
  'tokenizer.json': '{}',
  'training_report.json': '{"answers_key": "trainings/inside"}',
};

/** An artifact as trainers leave it. */
export function packFiles(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const entries = Object.entries(files).map(([name, body]) => tarEntry(name, Buffer.from(body)));
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

/** An artifact as trainings leave it: two gzip members, the first of which has the report. */
export const withReport = (archive: Buffer): Buffer =>
  Buffer.concat([gzipSync(tarEntry('run_report.json', Buffer.from('{"why": "inside"}'))), archive]);

/** A training of a dataset that has ended, with its report and the artifact of its trainer. */
export async function seedModel(
  world: World,
  owner: Caller,
  archive: Buffer = packFiles(ADAPTER),
  fields: Partial<TrainingRecord> = {},
): Promise<{ dataset: DatasetRecord; training: TrainingRecord }> {
  const dataset = await seedTrainable(world, owner);
  const training = await launchTraining(world, dataset, fields);
  const { experiment_id: id } = training;
  const best = { ...bestOf(id), artifact_key: objectKeys.trainingArtifact(id) };
  await world.objects.write(best.artifact_key, withReport(archive), 'application/gzip');
  await world.objects.write(
    objectKeys.trainingReport(id),
    JSON.stringify(makeReport(training)),
    'application/json',
  );
  await endTrainingNow(world, training, { best });
  return { dataset, training };
}
