import { randomUUID } from 'node:crypto';

/** A query that each endpoint takes, of those that need one. */
export const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'datasets.diff': { from: '1', to: '2' },
};

/** A body that each endpoint takes, of those that take one: every check of shape lets it through. */
export const bodies: Readonly<Record<string, unknown>> = {
  'datasets.create': { source: { name: 'tickets.csv' } },
  'datasets.rows.append': { rows: [{ question: 'Why?' }] },
  'datasets.publish': { target: 'kaggle' },
  'datasets.adapt': { estimate: true },
  'datasets.augment': { domain_rows: 10, estimate: true },
  'datasets.translate': { languages: ['es'], sample_rate: 1, estimate: true },
  'datasets.localize': { pairs: [{ country: 'MX', language: 'es' }], sample_rate: 1, estimate: true },
  'datasets.invent.create': { rows: 10, domains: ['medical'], estimate: true },
  'datasets.extend-trajectories': { estimate: true },
  'datasets.run': { estimate: true },
  'datasets.combine.create': { dataset_ids: [randomUUID(), randomUUID()], name: 'All tickets' },
  'datasets.pilots.create': { column_mapping: { prompt: 'question', completion: 'answer' } },
  'datasets.custom-evals.create': {
    judge_prompt: 'Score from 0 to 10: ten for an answer that names its source, zero for one without.',
  },
  'webhooks.create': { url: 'https://hooks.example.com/tunesmith' },
  'webhooks.update': { event_types: null },
  'datasets.combine.validate': { dataset_ids: [randomUUID()] },
  'responses.create': { model: 'scripted', input: 'Hello' },
  'datasets.lint': { column_mapping: { prompt: 'question' } },
  'datasets.start-adaption': {},
  'datasets.uploads.initiate': { name: 'tickets.csv', file_format: 'csv' },
  'datasets.uploads.initiate-batch': {
    name: 'All tickets',
    files: [{ file_name: 'tickets.csv', file_format: 'csv', file_size_bytes: 10 }],
  },
  'datasets.uploads.complete-batch': {
    dataset_id: randomUUID(),
    files: [{ s3_key: 'x', file_name: 'tickets.csv', file_format: 'csv', file_size_bytes: 10 }],
  },
  'datasets.uploads.complete': {
    s3_key: 'uploads/team/key.csv',
    name: 'tickets.csv',
    file_format: 'csv',
    file_size_bytes: 1,
  },
  'datasets.uploads.complete-by-id': { file_size_bytes: 1 },
  'autoscientist.create': { dataset_id: randomUUID() },
  'autoscientist.publish': { target: 'kaggle' },
  'autoscientist.comparisons.create': { dataset_id: randomUUID() },
  'autoscientist.recommend-hyperparams': { dataset_id: randomUUID() },
};
