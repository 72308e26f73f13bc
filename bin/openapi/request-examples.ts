import { ids, uploadKeys } from './ids.ts';

export interface RequestExample {
  readonly summary: string;
  readonly value: unknown;
}

const columns = { prompt: 'question', completion: 'answer' };

const findOrder = {
  type: 'function',
  name: 'find_order',
  description: 'Finds an order by its number.',
  parameters: {
    type: 'object',
    properties: { number: { type: 'string' } },
    required: ['number'],
    additionalProperties: false,
  },
};

/**
 * Request bodies of the document, by contract and by name. `test/e2e/document-examples.cloud.test.ts` sends each to a
 * deployed service, with the ids replaced by those of its own datasets.
 */
export const requestExamples: Readonly<Record<string, Readonly<Record<string, RequestExample>>>> = {
  'datasets.create': {
    upload: {
      summary: 'Upload a file',
      value: { source: { name: 'support-answers', file_format: 'csv' } },
    },
    raw: {
      summary: 'Upload a file that is trained on as it is',
      value: {
        source: {
          name: 'support-answers.jsonl',
          processing_mode: 'raw',
          column_mapping: { prompt: 'question', completion: 'answer' },
        },
      },
    },
  },
  'datasets.start-adaption': { start: { summary: 'Start reading a deferred upload', value: {} } },
  'datasets.publish': {
    publish: {
      summary: 'Publish to Hugging Face',
      value: {
        target: 'huggingface',
        target_spec: { repo_name: 'acme/support-answers', license: 'cc-by-4.0' },
      },
    },
    kaggle: {
      summary: 'Publish to Kaggle',
      value: {
        target: 'kaggle',
        target_spec: { repo_name: 'support-answers', title: 'Support answers', license: 'CC-BY-4.0' },
      },
    },
  },
  'datasets.uploads.initiate': {
    initiate: { summary: 'A CSV file', value: { name: 'support-answers', file_format: 'csv' } },
  },
  'datasets.uploads.complete': {
    complete: {
      summary: 'Complete the upload of a CSV file',
      value: {
        s3_key: uploadKeys.single,
        name: 'support-answers',
        file_format: 'csv',
        file_size_bytes: 48_213,
      },
    },
  },
  'datasets.uploads.complete-by-id': {
    complete: { summary: 'Complete the upload of a file', value: { file_size_bytes: 48_213 } },
  },
  'datasets.uploads.initiate-batch': {
    initiate: {
      summary: 'Two CSV files',
      value: {
        name: 'support-answers',
        files: [
          { file_name: 'may.csv', file_format: 'csv', file_size_bytes: 48_213 },
          { file_name: 'june.csv', file_format: 'csv', file_size_bytes: 51_007 },
        ],
      },
    },
  },
  'datasets.uploads.complete-batch': {
    complete: {
      summary: 'Complete the upload of two CSV files',
      value: {
        dataset_id: ids.dataset,
        files: [
          { s3_key: uploadKeys.may, file_name: 'may.csv', file_format: 'csv', file_size_bytes: 48_213 },
          { s3_key: uploadKeys.june, file_name: 'june.csv', file_format: 'csv', file_size_bytes: 51_007 },
        ],
      },
    },
  },
  'datasets.combine.create': {
    combine: {
      summary: 'Merge two datasets',
      value: { dataset_ids: [ids.dataset, ids.secondDataset], name: 'support-answers-all' },
    },
  },
  'datasets.combine.validate': {
    validate: { summary: 'Check two datasets', value: { dataset_ids: [ids.dataset, ids.secondDataset] } },
  },
  'datasets.adapt': {
    estimate: {
      summary: 'Price an adaptation',
      value: { column_mapping: columns, estimate: true },
    },
    run: {
      summary: 'Adapt all rows',
      value: {
        column_mapping: columns,
        recipe_specification: { recipes: { prompt_rephrase: false, deduplication: true } },
        brand_controls: { length: 'concise' },
        job_specification: { idempotency_key: 'support-answers-1' },
      },
    },
    languages: {
      summary: 'Price an adaptation that adds rows in German',
      value: {
        column_mapping: columns,
        language_expansion: { type: 'translate', languages: ['de'], sample_rate: 0.5 },
        estimate: true,
      },
    },
  },
  'datasets.run': {
    estimate: { summary: 'Price an adaptation', value: { column_mapping: columns, estimate: true } },
  },
  'datasets.rows.append': {
    rows: {
      summary: 'Rows of the request',
      value: { rows: [{ question: 'How do I reset my password?', answer: 'Settings, then Reset.' }] },
    },
    file: { summary: 'Where to upload a file', value: { file: { name: 'more.csv' } } },
    uploaded: {
      summary: 'The uploaded file',
      value: { s3_key: uploadKeys.more },
    },
  },
  'datasets.pilots.create': {
    create: {
      summary: 'Compare the default with concise answers',
      value: {
        column_mapping: { prompt: 'question', completion: 'answer' },
        arms: [{ name: 'Default' }, { name: 'Concise', brand_controls: { length: 'concise' } }],
        sample_rows: 2,
        job_specification: { idempotency_key: 'pilot-2026-11-22' },
      },
    },
    estimate: {
      summary: 'Price a pilot of two arms',
      value: {
        column_mapping: { prompt: 'question', completion: 'answer' },
        arms: [{ name: 'As they are' }, { name: 'Concise', brand_controls: { length: 'concise' } }],
        sample_rows: 2,
        estimate: true,
      },
    },
  },
  'datasets.custom-evals.create': {
    create: {
      summary: 'Score answers by their sources',
      value: {
        judge_prompt:
          'Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does.',
        name: 'Sources',
      },
    },
  },
  'datasets.translate': {
    estimate: {
      summary: 'Price translations into two languages',
      value: { languages: ['de', 'zh-Hant'], sample_rate: 0.25, estimate: true },
    },
  },
  'datasets.localize': {
    estimate: {
      summary: 'Price an adaptation to Mexico',
      value: { pairs: [{ country: 'MX', language: 'es' }], sample_rate: 0.25, estimate: true },
    },
  },
  'datasets.extend-trajectories': {
    estimate: { summary: 'Price one more turn of each conversation', value: { estimate: true } },
  },
  'datasets.augment': {
    estimate: {
      summary: 'Price rows of the curated pool',
      value: { domain_rows: 500, general_rows: 100, estimate: true },
    },
  },
  'datasets.invent.create': {
    estimate: {
      summary: 'Price 100 rows on a domain',
      value: {
        rows: 100,
        domains: ['cooking_food'],
        dataset_prompt: 'Questions on baking bread at home',
        estimate: true,
      },
    },
    run: {
      summary: 'Generate ten rows',
      value: { name: 'cooking-questions', rows: 10, domains: ['cooking_food'] },
    },
  },
  'datasets.lint': {
    all: { summary: 'Make all checks', value: { column_mapping: columns } },
  },
  'autoscientist.create': {
    create: {
      summary: 'Train a model with the defaults',
      value: { dataset_id: ids.dataset, idempotency_key: 'first-training' },
    },
  },
  'autoscientist.publish': {
    publish: {
      summary: 'Publish to Hugging Face',
      value: {
        target: 'huggingface',
        target_spec: { repo_name: 'acme/support-model', license: 'apache-2.0' },
      },
    },
  },
  'autoscientist.comparisons.create': {
    compare: {
      summary: 'Train originals and adapted rows with two seeds',
      value: { dataset_id: ids.dataset, seeds: 2, idempotency_key: 'first-comparison' },
    },
    estimate: {
      summary: 'See what would be trained',
      value: { dataset_id: ids.dataset, estimate: true },
    },
  },
  'autoscientist.recommend-hyperparams': {
    recommend: { summary: 'For the model that suits the dataset', value: { dataset_id: ids.dataset } },
  },
  'responses.create': {
    text: {
      summary: 'Ask a model',
      value: { model: 'stack:support', input: 'How do I reset my password?' },
    },
    stored: {
      summary: 'Ask with instructions and keep the response',
      value: {
        model: 'stack:support',
        instructions: 'Answer in one sentence.',
        input: [{ role: 'user', content: 'How do I reset my password?' }],
        max_output_tokens: 200,
        store: true,
      },
    },
    search: {
      summary: 'Ask about the rows of a dataset',
      value: {
        model: 'stack:support',
        input: 'How do customers reset their password?',
        tools: [{ type: 'file_search', dataset_ids: [ids.dataset] }],
      },
    },
    function: {
      summary: 'Ask with a function that you execute',
      value: { model: 'stack:support', input: 'Where is my order 1002?', tools: [findOrder] },
    },
    function_output: {
      summary: 'Send what the function returned',
      value: {
        model: 'stack:support',
        input: [
          { role: 'user', content: 'Where is my order 1002?' },
          {
            type: 'function_call',
            call_id: 'call_1',
            name: 'find_order',
            arguments: '{"number":"1002"}',
          },
          { type: 'function_call_output', call_id: 'call_1', output: '{"state":"shipped"}' },
        ],
        tools: [findOrder],
      },
    },
  },
  'webhooks.create': {
    create: {
      summary: 'Send the ends of runs to a receiver',
      value: {
        url: 'https://hooks.example.com/tunesmith',
        event_types: ['run.ended'],
        description: 'Starts the nightly export',
      },
    },
  },
  'webhooks.update': {
    all: { summary: 'Send all types of events', value: { event_types: null } },
    enable: { summary: 'Enable it again', value: { status: 'enabled' } },
  },
};
