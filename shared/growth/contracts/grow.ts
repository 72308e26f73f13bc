import { endpoint } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { perHundred } from '#shared/platform/schema/row-prices.ts';
import {
  ExpansionStarted,
  ExtendTrajectoriesRequest,
  ExtensionQuote,
  LocalizeRequest,
  TranslateRequest,
} from '../schema/grow.ts';

const grow = {
  method: 'POST',
  tag: 'Growth',
  scope: 'datasets:write',
  params: DatasetParams,
  status: 200,
} as const;

/** Fields that both expansions share. */
const expansion = {
  data: 'Creates a dataset; the source stays as it is. With `estimate: true` nothing is created.',
  credits: `${perHundred('text', 'added rows')}, reserved at the start; rows that are left out are released at the end. An estimate is free.`,
} as const;

const launchErrors = [
  'dataset_not_found',
  'dataset_not_ready',
  'dataset_running',
  'column_mapping_required',
  'images_unsupported',
  'nothing_to_add',
  'credits_insufficient',
  'plan_limit_exceeded',
  'runs_limit_reached',
  'idempotency_mismatch',
] as const;

export const translateDataset = endpoint({
  ...grow,
  ...expansion,
  id: 'datasets.translate',
  path: '/api/v1/datasets/{dataset_id}/translate',
  summary: 'Make a dataset with rows in other languages added',
  description:
    'The new dataset has the rows of this one and, for each language, a sample of them translated; this one stays as ' +
    'it is. Rows that cannot be translated, and those that the dataset has already, are left out and not charged.',
  body: TranslateRequest,
  response: ExpansionStarted,
  errors: [...launchErrors, 'language_unsupported'],
});

export const localizeDataset = endpoint({
  ...grow,
  ...expansion,
  id: 'datasets.localize',
  path: '/api/v1/datasets/{dataset_id}/localize',
  summary: 'Make a dataset with rows adapted to countries added',
  description:
    'As `translate`, and each row also takes on what is usual in the country: its currency, dates, units and names.',
  body: LocalizeRequest,
  response: ExpansionStarted,
  errors: [...launchErrors, 'language_unsupported'],
});

export const extendTrajectories = endpoint({
  ...grow,
  id: 'datasets.extend-trajectories',
  path: '/api/v1/datasets/{dataset_id}/extend-trajectories',
  summary: 'Make a dataset in which every conversation goes on',
  description:
    'The new dataset has the rows of this one with a column `extended_prompt`: what the user says next, which only ' +
    'somebody can answer who remembers the conversation. Rows whose conversation cannot go on are left out.',
  data: 'Creates a dataset; the source stays as it is. With `estimate: true` nothing is created.',
  credits: `${perHundred('text')}, reserved at the start; rows that are left out are released at the end. An estimate is free.`,
  body: ExtendTrajectoriesRequest,
  response: ExtensionQuote,
  errors: [...launchErrors, 'column_unknown'],
});
