import { randomUUID } from 'node:crypto';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { NO_BUDGET } from '#shared/runs/decide/budget.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { seedRows } from './combining.ts';
import { makeRun, NOW } from './records.ts';
import type { World } from './world.ts';

export const SMALL_MODEL = 'HuggingFaceTB/SmolLM2-135M-Instruct';

/** A raw dataset of questions and answers that the smallest model can be trained on. */
export function seedTrainable(
  world: World,
  caller: Caller,
  rows = 60,
  fields: Partial<DatasetRecord> = {},
): Promise<DatasetRecord> {
  const lines = Array.from({ length: rows }, (_, n) =>
    JSON.stringify({ question: `q${n}`, answer: `a${n}`, worse: `w${n}`, thought: `t${n}` }),
  );
  return seedRows(
    world,
    caller,
    { question: 'VARCHAR', answer: 'VARCHAR', worse: 'VARCHAR', thought: 'VARCHAR' },
    lines,
    fields,
  );
}

/** A training of `dataset` that was just asked for. */
export function makeTraining(
  dataset: Pick<DatasetRecord, 'dataset_id' | 'team_id' | 'organization_id' | 'created_by_user_id'>,
  fields: Partial<TrainingRecord> = {},
): TrainingRecord {
  return {
    experiment_id: randomUUID(),
    dataset_id: dataset.dataset_id,
    team_id: dataset.team_id,
    organization_id: dataset.organization_id,
    user_id: dataset.created_by_user_id,
    source_run_id: null,
    source_rows: 60,
    model: SMALL_MODEL,
    trainer: 'gpu',
    status: 'pending',
    training_method: 'instruction',
    data_format: 'chat',
    column_mapping: null,
    columns: {
      prompt: 'question',
      completion: 'answer',
      reasoning_trace: null,
      context: [],
      chosen: null,
      rejected: null,
    },
    overrides: {},
    recommended: [{ method: 'sft', hyperparams: { n_epochs: 2, batch_size: 'max' } }],
    explanation: ['Because.'],
    max_iterations: 3,
    target_win_rate: 0.7,
    augmentation_domain_rows: 0,
    augmentation_general_rows: 0,
    augmentation_budget: NO_BUDGET,
    augmented: null,
    voucher: null,
    discount_percent: 0,
    seed: 7,
    idempotency_key_hash: null,
    iterations_completed: 0,
    iterations_failed: 0,
    best: null,
    attempt: null,
    error: null,
    created_at: new Date(NOW).toISOString(),
    completed_at: null,
    ...fields,
  };
}

export const bestOf = (experimentId: string): NonNullable<TrainingRecord['best']> => ({
  iteration: 2,
  win_rate: 0.75,
  method: 'judge',
  hyperparams: { training_type: 'lora', n_epochs: 2, lr_scheduler_type: 'cosine', batch_size: 2 },
  artifact_key: `trainings/${experimentId}/iterations/2/attempts/1/artifact.tar.gz`,
  artifact_bytes: 3,
  gguf_key: null,
});

/** Launches a training as its endpoint does; the dataset has to be there. */
export async function launchTraining(
  world: World,
  dataset: DatasetRecord,
  fields: Partial<TrainingRecord> = {},
  reserved_credits = 0,
): Promise<TrainingRecord> {
  const training = makeTraining(dataset, fields);
  await world.store.ledger.launch({
    run: makeRun(dataset, {
      run_id: training.experiment_id,
      pipeline: 'train',
      reserved_credits,
      started_at: training.created_at,
    }),
    changes: {},
    runsAtOnce: 100,
    idempotency: null,
    companion: training,
  });
  await world.executions.start('train', { ...training, run_id: training.experiment_id });
  return training;
}

/** Ends a training that goes on, with a model where `best` is given. */
export async function endTrainingNow(
  world: World,
  training: TrainingRecord,
  ended: {
    readonly best?: TrainingRecord['best'];
    readonly error?: string;
    readonly now?: number;
    readonly billedCredits?: number;
  },
): Promise<void> {
  const { experiment_id: run_id, dataset_id } = training;
  if (ended.best !== undefined) await world.store.trainings.recordProgress(run_id, { best: ended.best });
  await world.endRun({
    dataset_id,
    run_id,
    error: ended.error === undefined ? null : { code: ended.error, message: 'It ended so.', level: 'error' },
    billedCredits: ended.billedCredits ?? 0,
    now: ended.now ?? NOW,
  });
}
