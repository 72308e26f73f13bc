import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  creditsOf,
  EMPTY_LAUNCH,
  requestOf,
  SETTINGS,
  settingsFor,
} from '../../../console/src/training/launch.ts';

const EMPTY = { ...EMPTY_LAUNCH, dataset: 'dataset-1' };

test('a request leaves out what is left empty', () => {
  expect(requestOf({ ...EMPTY, voucher: '  ', hyperparams: { n_epochs: ' ' } })).toEqual({
    dataset_id: 'dataset-1',
    training_method: 'instruction',
  });
});

test('a request has what was typed, with the types that the service takes', () => {
  expect(
    requestOf({
      dataset: 'dataset-1',
      model: 'Qwen/Qwen3.5-0.8B',
      method: 'alignment',
      maxIterations: '5',
      targetWinRate: '70.1',
      columns: { prompt: 'question', completion: '', chosen: ' padded ' },
      domainRows: '1000',
      generalRows: '0',
      voucher: ' SPRING ',
      hyperparams: {
        n_epochs: '2.5',
        learning_rate: '1e-4',
        batch_size: 'max',
        training_type: 'lora',
        dpo_beta: '0.2',
        lora_trainable_modules: ' q_proj,v_proj ',
        train_on_inputs: 'false',
        dpo_normalize_logratios_by_length: 'true',
        min_lr_ratio: '0.1',
      },
    }),
  ).toEqual({
    dataset_id: 'dataset-1',
    training_method: 'alignment',
    model: 'Qwen/Qwen3.5-0.8B',
    max_iterations: 5,
    target_win_rate: 0.701,
    augmentation_domain_rows: 1000,
    augmentation_general_rows: 0,
    voucher: 'SPRING',
    hyperparams: {
      n_epochs: 2.5,
      learning_rate: 0.0001,
      batch_size: 'max',
      training_type: 'lora',
      dpo_beta: 0.2,
      lora_trainable_modules: 'q_proj,v_proj',
      train_on_inputs: false,
      dpo_normalize_logratios_by_length: true,
      min_lr_ratio: 0.1,
    },
    // Spaces belong to the name of a column.
    column_mapping: { prompt: 'question', chosen: ' padded ' },
  });
  expect(requestOf({ ...EMPTY, hyperparams: { batch_size: '8' } }).hyperparams).toEqual({ batch_size: 8 });
});

test('a value of preference training is left out of a training on answers', () => {
  expect(requestOf({ ...EMPTY, hyperparams: { dpo_beta: '0.2' } })).not.toHaveProperty('hyperparams');
});

test.each([
  ['', '', 0],
  ['1', '', 10],
  ['1000', '', 100],
  ['50', '51', 20],
])('%s and %s added rows cost %s credits', (domainRows, generalRows, credits) => {
  expect(creditsOf({ domainRows, generalRows })).toBe(credits);
});

test('every hyperparameter of the document can be set, and has one place in the form', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const { hyperparams } = document.components.schemas.CreateTrainingRequest.properties;

  const shown = [false, true].flatMap((isRare) => settingsFor('alignment', { isRare }));

  expect(shown.map(({ name }) => name).sort()).toEqual(
    // Of earlier requests: the service does not read it.
    Object.keys(hyperparams.properties)
      .filter((name) => name !== 'base_model_size')
      .sort(),
  );
  expect(shown).toHaveLength(SETTINGS.length);
});
