import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { creditsPerHundredRows, perHundred } from '#shared/platform/schema/row-prices.ts';
import { PairVerdictsRequest, ReviewedPilot } from './schema/pair-verdicts.ts';
import {
  Pilot,
  PilotLaunch,
  PilotList,
  PilotParams,
  PilotRequest,
  PilotRowsPage,
  PilotRowsQuery,
} from './schema/pilot.ts';

export const createPilot = endpoint({
  id: 'datasets.pilots.create',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/pilots',
  summary: 'Compare adaptations on a sample, or price that',
  description:
    'Adapts the same sample of rows by up to eight arms, and compares their answers blind and in both orders with the ' +
    'originals. The answer is a recommendation with its uncertainty: that no arm is better than doing nothing is one. ' +
    'Returns at once: poll the pilot. `/adapt` with `pilot_id` runs the arm and takes over the rows that are done.',
  data: 'Adapts a sample beside the dataset; changes no rows.',
  credits:
    `${perHundred('text', 'rows × arms')}, ${creditsPerHundredRows.image_context} when images are mapped; a part of a hundred counts as a hundred, once. At the end ` +
    'delivered rows are charged and the rest is released. An estimate is free.',
  tag: 'Adaptation',
  scope: 'datasets:write',
  params: DatasetParams,
  body: PilotRequest,
  status: 202,
  response: PilotLaunch,
  errors: [
    'dataset_not_found',
    'dataset_not_ready',
    'dataset_running',
    'pilot_running',
    'column_unknown',
    'model_cannot_see',
    'credits_insufficient',
    'plan_limit_exceeded',
    'runs_limit_reached',
    'idempotency_mismatch',
    'not_available_yet',
  ],
});

export const listPilots = endpoint({
  id: 'datasets.pilots.list',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/pilots',
  summary: 'List the pilots of a dataset',
  description: 'The newest forty, newest first.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Adaptation',
  scope: 'datasets:read',
  params: DatasetParams,
  status: 200,
  response: PilotList,
  errors: ['dataset_not_found'],
});

export const getPilot = endpoint({
  id: 'datasets.pilots.get',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/pilots/{pilot_id}',
  summary: 'Get a pilot: its arms, their comparison and the recommendation',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Adaptation',
  scope: 'datasets:read',
  params: PilotParams,
  status: 200,
  response: Pilot,
  errors: ['dataset_not_found', 'pilot_not_found'],
});

export const getPilotRows = endpoint({
  id: 'datasets.pilots.rows',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/pilots/{pilot_id}/rows',
  summary: 'Get the rows of a pilot: the answers of its arms side by side',
  description:
    'What each arm did with each row, why, and how its answer fares against the original. Grows while the pilot runs.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Adaptation',
  scope: 'datasets:read',
  params: PilotParams,
  query: PilotRowsQuery,
  status: 200,
  response: PilotRowsPage,
  errors: ['dataset_not_found', 'pilot_not_found'],
});

export const reviewPilot = endpoint({
  id: 'datasets.pilots.verdicts',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/pilots/{pilot_id}/verdicts',
  summary: 'Get the win rates of a pilot by what people say of its answers',
  description:
    'Send what people say of pairs: the answer of an arm against the original. Verdicts on few pairs correct what checks and ' +
    'judge say of all (prediction-powered), from 30 verdicts on that were drawn at random: `next` names the pairs to look at, in ' +
    'that order. Begin with an empty list. Nothing is stored: send all verdicts each time, and keep them.',
  data: 'Reads the answers of the pilot; stores nothing.',
  credits: FREE,
  tag: 'Adaptation',
  scope: 'datasets:read',
  params: PilotParams,
  body: PairVerdictsRequest,
  status: 200,
  response: ReviewedPilot,
  errors: ['dataset_not_found', 'pilot_not_found', 'pilot_running'],
});

export const cancelPilot = endpoint({
  id: 'datasets.pilots.cancel',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/pilots/{pilot_id}/cancel',
  summary: 'Cancel a pilot',
  description:
    'Returns at once. The workers get a few seconds to store what they have finished; then the pilot is `failed` with ' +
    '`run_cancelled`, and shows what is done. A repeated request changes nothing.',
  data: 'Ends the pilot; what is done is kept and shown.',
  credits: 'Finished rows are charged; the other reserved credits are released.',
  tag: 'Adaptation',
  scope: 'datasets:write',
  params: PilotParams,
  status: 202,
  response: Pilot,
  errors: ['dataset_not_found', 'pilot_not_found', 'dataset_not_ready'],
});
