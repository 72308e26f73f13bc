import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { perHundred } from '#shared/platform/schema/row-prices.ts';
import { DomainTaxonomy, InventedDataset, InventRequest } from '../schema/invent.ts';

export const listInventDomains = endpoint({
  id: 'datasets.invent.domains',
  method: 'GET',
  path: '/api/v1/datasets/invent/domains',
  summary: 'List the domains that datasets can be invented of',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Growth',
  scope: 'datasets:read',
  status: 200,
  response: DomainTaxonomy,
  errors: [],
});

export const inventDataset = endpoint({
  id: 'datasets.invent.create',
  method: 'POST',
  path: '/api/v1/datasets/invent',
  summary: 'Generate a dataset from scratch',
  description:
    'Rows are written, judged, and taken while there are fewer than `rows` of them: those that score below 6 of 10 and ' +
    'those that nearly repeat another are left out. For each row at most three are written, and thirty more; what the ' +
    'dataset then holds is what is charged. Without `domains` and `subdomains` they are inferred from `dataset_prompt` ' +
    '(`domain_not_inferred`: it fits none, or its model cannot be reached, as the message says). `preference_pairs` need a ' +
    'judge model (`not_available_yet`), which the run measures first. The rows are those of downloads: `enhanced_prompt` and ' +
    '`enhanced_completion`.',
  data: 'Creates a dataset. With `estimate: true` nothing is created.',
  credits: `${perHundred('invented')}, rows in other languages included, reserved at the start; rows that are missing at the end are released. An estimate is free.`,
  tag: 'Growth',
  scope: 'datasets:write',
  body: InventRequest,
  status: 200,
  response: InventedDataset,
  errors: [
    'domain_unknown',
    'domain_not_inferred',
    'not_available_yet',
    'language_unsupported',
    'credits_insufficient',
    'plan_limit_exceeded',
    'runs_limit_reached',
    'idempotency_mismatch',
  ],
});
