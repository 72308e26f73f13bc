import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DownloadLink } from '#shared/platform/schema/common.ts';
import { perHundred } from '#shared/platform/schema/row-prices.ts';
import {
  Comparison,
  ComparisonLaunch,
  ComparisonPage,
  ComparisonParams,
  CreateComparisonRequest,
  ListComparisonsQuery,
} from './schema/comparison.ts';
import {
  BaseModels,
  CreateTrainingRequest,
  ListTrainingsQuery,
  RecommendedHyperparams,
  RecommendHyperparamsRequest,
  TrainingPage,
  TrainingParams,
  TrainingRun,
} from './schema/training.ts';
import { TrainingMetrics } from './schema/training-metrics.ts';

const listing = {
  method: 'GET',
  tag: 'Training',
  scope: 'training',
  status: 200,
  response: BaseModels,
  errors: [],
} as const;

export const listBaseModels = endpoint({
  ...listing,
  id: 'autoscientist.models',
  path: '/api/v1/autoscientist/models',
  summary: 'List the models that can be trained',
  data: READS_ONLY,
  credits: FREE,
});

export const listTrainingModels = endpoint({
  ...listing,
  id: 'training-models.list',
  path: '/api/v1/training-models',
  summary: 'List the models that can be trained (use /autoscientist/models)',
  data: READS_ONLY,
  credits: FREE,
  successor: '/api/v1/autoscientist/models',
});

export const recommendHyperparams = endpoint({
  id: 'autoscientist.recommend-hyperparams',
  counts: { use: 'scans_per_hour' },
  // Rows are read, up to 16 MiB: the share of a processor follows the memory.
  memoryMb: 2048,
  method: 'POST',
  path: '/api/v1/autoscientist/recommend-hyperparams',
  summary: 'Recommend a model and hyperparameters for a dataset',
  description:
    'Launches nothing. Without a model, that which a training of the dataset would take by its own columns; a training ' +
    'whose column_mapping names a reasoning_trace may take another. Rows that cannot be trained on are not counted; of a large ' +
    'dataset the first 16 MiB are read.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  body: RecommendHyperparamsRequest,
  status: 200,
  response: RecommendedHyperparams,
  errors: ['dataset_not_found', 'dataset_untrainable', 'model_unsupported'],
});

export const createTraining = endpoint({
  id: 'autoscientist.create',
  counts: { use: 'scans_per_hour' },
  // Rows are read, up to 16 MiB: the share of a processor follows the memory.
  memoryMb: 2048,
  method: 'POST',
  path: '/api/v1/autoscientist',
  summary: 'Train a model on a dataset',
  description:
    'Trains, compares with the base model on rows that were held out, and tries again with other hyperparameters, until ' +
    'target_win_rate is reached or max_iterations are done. What is left out is resolved, and answered. Only rows that ' +
    'are added cost credits. With an idempotency_key, a repetition answers the training as long as it is active.',
  data: 'Trains a model on a copy of the rows; the dataset stays as it is. Rows that are added form a dataset of their own, which is listed.',
  credits: `The training costs no credits. Rows that \`augmentation_domain_rows\` and \`augmentation_general_rows\` add cost ${perHundred('training_augmented', '')}, reserved at the start.`,
  tag: 'Training',
  scope: 'training',
  body: CreateTrainingRequest,
  status: 202,
  response: TrainingRun,
  errors: [
    'column_unknown',
    'column_mapping_required',
    'voucher_invalid',
    'credits_insufficient',
    'plan_limit_exceeded',
    'dataset_not_found',
    'version_not_found',
    'training_running',
    'dataset_untrainable',
    'model_unsupported',
    'idempotency_mismatch',
    'runs_limit_reached',
  ],
});

export const listTrainings = endpoint({
  id: 'autoscientist.list',
  method: 'GET',
  path: '/api/v1/autoscientist',
  summary: 'List the trainings of the team',
  description: 'Newest first.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  query: ListTrainingsQuery,
  status: 200,
  response: TrainingPage,
  errors: ['cursor_invalid'],
});

export const getTraining = endpoint({
  id: 'autoscientist.get',
  method: 'GET',
  path: '/api/v1/autoscientist/{experiment_id}',
  summary: 'Get a training',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: TrainingParams,
  status: 200,
  response: TrainingRun,
  errors: ['training_not_found'],
});

export const getTrainingMetrics = endpoint({
  id: 'autoscientist.metrics',
  method: 'GET',
  path: '/api/v1/autoscientist/{experiment_id}/metrics',
  summary: 'Get the metrics of a training',
  description:
    'By iteration: loss curves and learning rate, the win rate with its interval, hyperparameters and why they were ' +
    'changed, and answers of base and trained model side by side, whose texts need the scope `datasets:read`. An iteration that is running shows its curves so far.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: TrainingParams,
  status: 200,
  response: TrainingMetrics,
  errors: ['training_not_found'],
});

export const cancelTraining = endpoint({
  id: 'autoscientist.cancel',
  method: 'POST',
  path: '/api/v1/autoscientist/{experiment_id}/cancel',
  summary: 'Cancel a training',
  description:
    'Ends it at once; one that has ended is answered as it is. Between the two stages of an alignment it is refused for ' +
    'a moment; while its rows are being added, the plan limits cancellations in an hour.',
  data: 'Ends the training. A training that was cancelled has no model and no files to download; what was measured stays in its metrics.',
  credits: 'Rows that were added are charged; the other reserved credits are released.',
  tag: 'Training',
  scope: 'training',
  params: TrainingParams,
  status: 200,
  response: TrainingRun,
  errors: ['training_not_found', 'training_handing_over'],
});

export const linkTrainingDownload = endpoint({
  id: 'autoscientist.download-link',
  method: 'GET',
  path: '/api/v1/autoscientist/{experiment_id}/download-link',
  summary: 'Get a link to the best model of a training',
  description:
    'The file that `/download` redirects to, as a link that needs no key: for web pages, which cannot follow that redirect.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: TrainingParams,
  status: 200,
  response: DownloadLink,
  errors: ['training_not_found', 'no_artifact'],
});

export const downloadTraining = endpoint({
  id: 'autoscientist.download',
  method: 'GET',
  path: '/api/v1/autoscientist/{experiment_id}/download',
  summary: 'Download the best model of a training',
  description:
    'Redirects to a .tar.gz, for fifteen minutes: the adapter or checkpoint, the tokenizer, the report of the training and ' +
    'the licence of the base model.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: TrainingParams,
  status: 307,
  errors: ['training_not_found', 'no_artifact'],
});

export const createComparison = endpoint({
  id: 'autoscientist.comparisons.create',
  counts: { use: 'scans_per_hour' },
  // Rows are read, up to 16 MiB: the share of a processor follows the memory.
  memoryMb: 2048,
  method: 'POST',
  path: '/api/v1/autoscientist/comparisons',
  summary: 'Train the originals and the adaptation of a dataset, and compare the models',
  description:
    'Trains the same base model on the original rows and on the adapted rows, with the same hyperparameters, seed and ' +
    'number of optimizer steps, and compares base, original-trained and adapted-trained model in pairs on the same ' +
    'held-out prompts. With an idempotency_key, a repetition answers the comparison as long as it is active.',
  data: 'Trains models on copies of the rows; the dataset stays as it is.',
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  body: CreateComparisonRequest,
  status: 202,
  response: ComparisonLaunch,
  errors: [
    'column_unknown',
    'dataset_not_found',
    'dataset_not_ready',
    'training_running',
    'dataset_untrainable',
    'model_unsupported',
    'idempotency_mismatch',
    'credits_insufficient',
    'runs_limit_reached',
  ],
});

export const listComparisons = endpoint({
  id: 'autoscientist.comparisons.list',
  method: 'GET',
  path: '/api/v1/autoscientist/comparisons',
  summary: 'List the comparisons of the team',
  description: 'Newest first, without what they have measured.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  query: ListComparisonsQuery,
  status: 200,
  response: ComparisonPage,
  errors: ['cursor_invalid'],
});

export const getComparison = endpoint({
  id: 'autoscientist.comparisons.get',
  method: 'GET',
  path: '/api/v1/autoscientist/comparisons/{comparison_id}',
  summary: 'Get a comparison: win rates, losses, and answers side by side',
  description:
    'Grows while the comparison runs. Of one that failed it shows what was done. The texts of the answers need the scope `datasets:read`.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: ComparisonParams,
  status: 200,
  response: Comparison,
  errors: ['comparison_not_found'],
});

export const cancelComparison = endpoint({
  id: 'autoscientist.comparisons.cancel',
  method: 'POST',
  path: '/api/v1/autoscientist/comparisons/{comparison_id}/cancel',
  summary: 'Cancel a comparison',
  description: 'Ends it at once, and keeps what is done; one that has ended is answered as it is.',
  data: 'Ends the comparison; what is done is kept and shown.',
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: ComparisonParams,
  status: 200,
  response: Comparison,
  errors: ['comparison_not_found', 'training_handing_over'],
});
