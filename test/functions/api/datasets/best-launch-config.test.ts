import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/best-launch-config.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FinetuneJob } from '#shared/training/decide/finetune-job.ts';
import { seedTeam } from '#test/helpers/records.ts';
import {
  bestOf,
  endTrainingNow,
  launchTraining,
  SMALL_MODEL,
  seedTrainable,
} from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
  dataset = await seedTrainable(world, owner);
});

const ask = async (as = owner) => world.call(handler, { as, params: { dataset_id: dataset.dataset_id } });
const best = async () => (await ask()).body.best_job_config;

const saveJob = async (fields: Partial<FinetuneJob> = {}): Promise<FinetuneJob> => {
  const job: FinetuneJob = {
    finetune_job_id: randomUUID(),
    dataset_id: dataset.dataset_id,
    team_id: owner.team_id,
    status: 'succeeded',
    original_model_name: 'Qwen/Qwen3.5-4B',
    trained_model_name: 'tickets-v1',
    training_method: 'sft',
    training_type: 'lora',
    data_format: 'chat',
    hyperparams: { n_epochs: 3 },
    completed_at: '2026-02-01T00:00:00.000Z',
    ...fields,
  };
  await world.store.finetuneJobs.save(job);
  return job;
};

test('a dataset that nothing was trained on has no best job, and another team is not told of it', async () => {
  const stranger = await seedTeam(world.store, 0);

  expect((await ask()).body).toEqual({ best_job_config: null });
  expect((await ask(stranger)).problem.code).toBe('dataset_not_found');
});

describe('of trainings', () => {
  test('the label of the winner is the suffix of its fine-tuning job, where that has one', async () => {
    const fine_tuning = { suffix: 'support', metadata: null, hyperparameters: {} };
    const training = await launchTraining(world, dataset, { fine_tuning });
    await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });

    expect((await best())?.trained_model_name).toBe('support');
  });

  test('the winner of the newest is the best job, once that has ended', async () => {
    const training = await launchTraining(world, dataset, { data_format: 'instruction' });
    await saveJob();
    const winner = bestOf(training.experiment_id);
    await world.store.trainings.recordProgress(training.experiment_id, { best: winner });
    expect(await best()).toBeNull();

    await endTrainingNow(world, training, {});

    expect(await best()).toEqual({
      finetune_job_id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      training_experiment_id: training.experiment_id,
      original_model_name: SMALL_MODEL,
      trained_model_name: 'support-tickets',
      training_method: 'sft',
      training_type: 'lora',
      data_format: 'instruction',
      hyperparams: winner.hyperparams,
    });
    expect(await best()).toEqual(await best());
  });

  test('a training of preferences is one of DPO', async () => {
    const training = await launchTraining(world, dataset, { training_method: 'alignment' });
    await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });

    expect(await best()).toMatchObject({ training_method: 'dpo', data_format: 'preference' });
  });

  test('the winner of an earlier one is, where the newest ended without a model', async () => {
    const won = await launchTraining(world, dataset, { created_at: '2026-02-01T00:00:00.000Z' });
    await endTrainingNow(world, won, { best: bestOf(won.experiment_id) });
    const lost = await launchTraining(world, dataset, { created_at: '2026-02-02T00:00:00.000Z' });
    expect(await best()).toBeNull();

    await endTrainingNow(world, lost, { error: 'run_cancelled' });

    expect(await best()).toMatchObject({ training_experiment_id: won.experiment_id });
  });

  test('one that ended without a model leaves none', async () => {
    await endTrainingNow(world, await launchTraining(world, dataset), { error: 'run_cancelled' });
    await saveJob();

    expect(await best()).toBeNull();
  });

  test('those of another dataset do not count', async () => {
    const other = await seedTrainable(world, owner);
    const training = await launchTraining(world, other);
    await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });

    expect(await best()).toBeNull();
  });
});

describe('without a training', () => {
  test('the newest job that succeeded is the best', async () => {
    await saveJob();
    const newer = await saveJob({ completed_at: '2026-02-02T00:00:00.000Z', training_method: 'dpo' });
    await saveJob({ completed_at: '2026-02-03T00:00:00.000Z', status: 'failed' });

    expect(await best()).toMatchObject({
      finetune_job_id: newer.finetune_job_id,
      training_experiment_id: null,
      original_model_name: 'Qwen/Qwen3.5-4B',
      trained_model_name: 'tickets-v1',
      training_method: 'dpo',
      hyperparams: { n_epochs: 3 },
    });
  });

  test('one whose model has no name is called after the dataset', async () => {
    await saveJob({ trained_model_name: null });

    expect((await best())?.trained_model_name).toBe('support-tickets');
  });

  test('one whose model has no name has none where that of the dataset has no letter and no digit', async () => {
    dataset = await seedTrainable(world, owner, 60, { name: '!?' });
    await saveJob({ trained_model_name: null });

    expect(await best()).toMatchObject({ trained_model_name: null });
  });
});
