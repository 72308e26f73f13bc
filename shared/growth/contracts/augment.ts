import { endpoint } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { perHundred } from '#shared/platform/schema/row-prices.ts';
import { AugmentationStarted, AugmentRequest } from '../schema/augment.ts';

export const augmentDataset = endpoint({
  id: 'datasets.augment',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/augment',
  summary: 'Make a dataset with rows of the curated pool added',
  description:
    'The new dataset has the rows of this one, rows of the pool on its topics (`domain_rows`) and on others ' +
    '(`general_rows`), and rows that a model writes in its style (`similar_rows`); this one stays as it is. No row is ' +
    'added whose question the dataset has already, exactly or nearly; rows that are not added are not charged. Without ' +
    'counts, an estimate is that of the recommended rows, and a run is refused with what they are and cost.',
  data: 'Creates a dataset; the source stays as it is. With `estimate: true` nothing is created.',
  credits: `${perHundred('augmented', 'added rows')}, reserved at the start; rows that are not added are released at the end. An estimate is free.`,
  tag: 'Growth',
  scope: 'datasets:write',
  params: DatasetParams,
  body: AugmentRequest,
  status: 200,
  response: AugmentationStarted,
  errors: [
    'dataset_not_found',
    'dataset_not_ready',
    'dataset_running',
    'column_mapping_required',
    'images_unsupported',
    'topics_unknown',
    'nothing_to_add',
    'not_available_yet',
    'credits_insufficient',
    'plan_limit_exceeded',
    'runs_limit_reached',
    'idempotency_mismatch',
  ],
});
