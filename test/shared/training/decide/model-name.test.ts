import { expect, test } from 'vitest';
import { fineTunedModelOf, trainingIdOfModel } from '#shared/training/decide/model-name.ts';

const ID = '8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40';
const training = { experiment_id: ID, model: 'Qwen/Qwen3.5-0.8B', team_id: 'acme' };

test('the name of a trained model has base, team, suffix and the digits of its training, and no slash', () => {
  const fine_tuning = { suffix: 'support', metadata: null, hyperparameters: {} };

  expect(fineTunedModelOf({ ...training, fine_tuning })).toBe(
    'ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40',
  );
  expect(fineTunedModelOf(training)).toBe('ft:Qwen3.5-0.8B:acme::8b1c6f0e6d534e589a3b6f2d1c5b7a40');
});

test('the name of a trained model leads back to its training, as the id of the training does', () => {
  expect(trainingIdOfModel(fineTunedModelOf(training))).toBe(ID);
  expect(trainingIdOfModel(ID.toUpperCase())).toBe(ID);
});

test.each([
  'gpt-4o-mini',
  'ft:',
  'ft:gpt-4o-mini:acme::7p4lURel',
  `ft:a:b::${'0'.repeat(32)}:ckpt-iteration-1`,
  '',
])('the name %j is that of no training', (name) => {
  expect(trainingIdOfModel(name)).toBeNull();
});
