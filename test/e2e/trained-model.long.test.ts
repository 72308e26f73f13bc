import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpModels } from '#local/model/setup.ts';
import { silentProgress } from '#local/progress.ts';
import { TrainingReport } from '#shared/training/schema/training-outcome.ts';
import {
  answersInStyle,
  startTrainingCloud,
  styledRows,
  type TrainingCloud,
  trainedModel,
} from '#test/helpers/trained-model.ts';
import { trainerModelIds } from '#trainer/embedded/models.ts';

let stage: TrainingCloud;

beforeAll(async () => {
  await setUpModels(trainerModelIds, silentProgress);
  stage = await startTrainingCloud('test-trained-pairs');
});
afterAll(() => stage?.[Symbol.asyncDispose]());

test('a model that is trained on this machine learns from pairs which answers are preferred, in two stages under one id', async () => {
  const { run, files } = await stage.train('alignment', {
    rows: styledRows.slice(0, 40),
    source: { column_mapping: { prompt: 'question', chosen: 'salty', rejected: 'plain' } },
    training: {
      model: trainedModel,
      training_method: 'alignment',
      column_mapping: { prompt: 'question', chosen: 'salty', rejected: 'plain' },
      max_iterations: 3,
      target_win_rate: 0.7,
      // Single rows a step: the first stage makes a hundred steps of whatever size.
      hyperparams: { batch_size: 1, n_epochs: 1, learning_rate: 0.00005, lora_r: 8, lora_alpha: 16 },
    },
  });

  expect(run).toMatchObject({ status: 'succeeded', iterations_completed: 1, training_method: 'alignment' });
  expect(run.best_win_rate).toBeGreaterThanOrEqual(0.7);
  const report = TrainingReport.parse(JSON.parse(files.get('run_report.json') ?? ''));
  const [iteration] = report.iterations;
  expect(iteration?.trainer?.stages.map(({ method }) => method)).toEqual(['sft', 'dpo']);
  expect(iteration?.preference_accuracy?.tuned).toBeGreaterThan(iteration?.preference_accuracy?.base ?? 1);
  const { baseUrl, modelId } = await stage.serve(run);
  expect(await answersInStyle(baseUrl, modelId)).toBeGreaterThanOrEqual(4);
}, 1_860_000);
