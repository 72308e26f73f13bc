import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ModelCardFacts, modelCard } from '#shared/publishing/decide/model-card.ts';
import { comparedRate } from '#shared/training/decide/win-rate.ts';
import { makeOutcome, makeReport } from '#test/helpers/published-model.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';
import { makeTraining } from '#test/helpers/training.ts';

const training = makeTraining(makeDataset(makeCaller()), { dataset_version: 3, source_run_id: 'run-1' });

const factsOf = (fields: Partial<ModelCardFacts> = {}): ModelCardFacts => ({
  form: 'adapter',
  datasetName: 'tickets',
  license: 'apache-2.0',
  training,
  report: makeReport(training),
  ...fields,
});
const cardOf = (fields: Partial<ModelCardFacts> = {}) => modelCard(factsOf(fields));
const frontMatter = (card: string) => parse(card.split('---\n')[1] ?? '');

test('an adapter names its base, its library, its license and its methods to the hub', () => {
  expect(frontMatter(cardOf())).toEqual({
    base_model: 'HuggingFaceTB/SmolLM2-135M-Instruct',
    base_model_relation: 'adapter',
    library_name: 'peft',
    pipeline_tag: 'text-generation',
    license: 'apache-2.0',
    tags: ['tunesmith', 'lora', 'sft', 'dpo'],
  });
});

test('a checkpoint is one of transformers, and a license that nobody gave is not claimed', () => {
  const card = cardOf({ form: 'checkpoint', license: null });

  expect(frontMatter(card)).toMatchObject({ base_model_relation: 'finetune', library_name: 'transformers' });
  expect(frontMatter(card)).not.toHaveProperty('license');
  expect(card).not.toMatch(/PeftModel|lora_/);
});

test('the card says how the model is loaded, from what it was made, and how', () => {
  const card = cardOf();

  expect(card).toContain(
    'base = AutoModelForCausalLM.from_pretrained("HuggingFaceTB/SmolLM2-135M-Instruct")',
  );
  expect(card).toContain(`Training \`${training.experiment_id}\` of a Tunesmith service, iteration 2 of 2.`);
  expect(card).toContain(`Dataset \`${training.dataset_id}\`, version 3, rows of the run \`run-1\`.`);
  expect(card).toContain('with the seed 7');
  expect(card).toContain('One adapter went through all stages');
  expect(card).toContain('Trainer: gpu, `peft 0.21.2`.');
  expect(card).toContain('| trained on | 40 |');
  expect(card).toContain('| held out | 20 |');
  expect(card).toContain('| of these, cut to the context of the model | 1 |');
  expect(card).toContain('| skipped, without a prompt or an answer | 3 |');
  expect(card).toContain('Stage 1 of 2: SFT. Its loss on held-out rows went from 3.0000 to 2.0000.');
  expect(card).toContain('Stage 2 of 2: DPO. Its loss on held-out rows went from 0.7000 to 0.5000.');
  expect(card).toContain('| `learning_rate` | `0.0005` |');
  expect(card).toContain('| `learning_rate` | `0.00001` |');
  expect(card.match(/`dpo_beta`/g)).toHaveLength(1);
});

test('win rates of all iterations have their interval and who measured them, and that of the published one is marked', () => {
  const card = cardOf();

  expect(card).toContain('| 1 | 55.0 % | 34.2 % to 74.2 % | judge `vendor/judge` | 20 | 11 | 0 | 9 |');
  expect(card).toContain(
    '| 2, published | 75.0 % | 53.1 % to 88.8 % | judge `vendor/judge` | 20 | 15 | 0 | 5 |',
  );
  expect(card).toContain('| 2, published | 75.0 % | 53.1 % to 88.8 % | likelihood | 20 | 15 | 0 | 5 |');
  expect(card).toContain('in 50.0 % of the held-out pairs for the base, and in 90.0 % for the trained model');
  expect(card).toContain('A judge is a model, and can be wrong.');
  expect(card).toContain('The best iteration was chosen by these held-out rows');
});

test('a win rate of likelihoods, or of few rows, is said to be one', () => {
  const rate = comparedRate(['win', 'loss', 'win'], { method: 'likelihood', judge: null });
  const iterations = [
    makeOutcome(2, 0, {
      win_rate: rate,
      likelihood: rate,
      likelihood_reason: 'no judge is right often enough',
    }),
  ];
  const card = cardOf({ report: makeReport(training, iterations) });

  expect(card).toContain('| 2, published | 66.7 % |');
  expect(card.match(/\| likelihood \|/g)).toHaveLength(1);
  expect(card).toContain('The win rate rests on 3 rows: it is a hint and no more.');
  expect(card).toContain('No judge decided (no judge is right often enough)');
  expect(card).not.toContain('A judge is a model');
  expect(card).not.toContain('The best iteration was chosen');
});

test('iterations that failed, or that nothing was measured of, claim no win rate', () => {
  const failed = makeOutcome(1, 0, {
    status: 'failed',
    win_rate: null,
    reason: 'secret text',
    trainer: null,
  });
  const card = cardOf({ report: makeReport(training, [failed, makeOutcome(2, 20)]) });
  const none = cardOf({ report: makeReport(training, [makeOutcome(2, 0, { win_rate: null })]) });

  expect(card).toContain('| 2, published | 100.0 % |');
  expect(card).not.toMatch(/^\| 1 \||secret text/m);
  expect(none).toContain('The model was not compared with its base.');
});

test('limits name the terms of the base, and that the model may repeat rows', () => {
  const card = cardOf();

  expect(card).toContain('<https://www.apache.org/licenses/LICENSE-2.0>');
  expect(card).toContain('The model can repeat texts of the rows that it was trained on.');
});

test('a name of a dataset is no markup', () => {
  const card = cardOf({ datasetName: '# <script>\n---\n[x](y)' });

  expect(card).toContain('trained on \\# \\<script\\> \\-\\-\\- \\[x\\]\\(y\\)');
  expect(Object.keys(frontMatter(card))).toContain('base_model');
});
