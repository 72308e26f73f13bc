import { expect, test } from 'vitest';
import { importOpenAi } from '#bin/import-eval/openai-export.ts';
import { CreateEvalRequest, CreateEvalRunRequest } from '#shared/evals/schema/eval.ts';

/** As `client.evals.retrieve(…).to_json()` writes it. */
const DEFINITION = {
  id: 'eval_67abd54d9b0081909a86353f6fb9317a',
  object: 'eval',
  created_at: 1739314509,
  name: 'Capitals',
  metadata: {},
  data_source_config: {
    type: 'custom',
    schema: {
      type: 'object',
      properties: {
        item: { type: 'object', properties: { answer: { type: 'string' } } },
        sample: { type: 'object' },
      },
      required: ['item', 'sample'],
    },
  },
  testing_criteria: [
    {
      type: 'string_check',
      name: 'is',
      input: '{{ sample.output_text }}',
      reference: '{{ item.answer }}',
      operation: 'eq',
    },
    {
      type: 'label_model',
      name: 'judge',
      model: 'o3-mini',
      input: [
        { type: 'message', role: 'user', content: { type: 'input_text', text: '{{ sample.output_text }}' } },
      ],
      labels: ['good', 'bad'],
      passing_labels: ['good'],
      sampling_params: null,
    },
  ],
};
const RUN = {
  id: 'evalrun_1',
  name: 'nightly',
  data_source: {
    type: 'completions',
    model: 'gpt-4o-mini',
    source: { type: 'file_id', id: 'file-1' },
    input_messages: {
      type: 'template',
      template: [{ type: 'message', role: 'user', content: '{{ item.question }}' }],
    },
    sampling_params: { seed: 42, temperature: 1, top_p: null, max_completion_tokens: null },
  },
};
const ROWS = [{ item: { question: 'Capital of France?', answer: 'Paris' } }];

test('an eval of OpenAI is imported as it was answered, with its rows, what its model is asked, and models of the service', () => {
  const { request, runs } = importOpenAi(DEFINITION, ROWS, RUN, { model: 'qwen3-4b', judge: 'own-judge' });

  expect(CreateEvalRequest.parse(request)).toMatchObject({
    name: 'Capitals',
    data_source_config: {
      type: 'custom',
      item_schema: { properties: { answer: { type: 'string' } } },
      include_sample_schema: true,
    },
    testing_criteria: [{ name: 'is' }, { name: 'judge', model: 'own-judge' }],
  });
  expect(CreateEvalRunRequest.parse(runs[0])).toMatchObject({
    name: 'nightly',
    data_source: {
      type: 'completions',
      model: 'qwen3-4b',
      source: { type: 'file_content', content: ROWS },
      sampling_params: { seed: 42, temperature: 1 },
    },
  });
});

test('output items of a run are rows with their answers', () => {
  const items = [
    {
      object: 'eval.run.output_item',
      datasource_item: { answer: 'Paris' },
      sample: { model: 'gpt-4o', output: [{ role: 'assistant', content: 'Paris' }] },
    },
  ];
  const { runs } = importOpenAi(DEFINITION, items, null, {});

  expect(runs[0]?.data_source).toEqual({
    type: 'jsonl',
    source: {
      type: 'file_content',
      content: [{ item: { answer: 'Paris' }, sample: { output_text: 'Paris', model: 'gpt-4o' } }],
    },
  });
});

test('what cannot be imported is refused in words', () => {
  const unknown = { ...DEFINITION, testing_criteria: [{ type: 'endpoint', name: 'x' }] };

  expect(() => importOpenAi(unknown, ROWS, null, {})).toThrow('testing_criteria.0');
  expect(() => importOpenAi(DEFINITION, [{ question: 'x' }], null, {})).toThrow('Line 1');
  expect(() => importOpenAi(DEFINITION, ROWS, null, { model: 'qwen3-4b' })).toThrow('--run');
});
