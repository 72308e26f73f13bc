import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { createTraining } from '#shared/training/contracts.ts';
import {
  CreateFineTuningJobRequest,
  FineTuningJob,
  FineTuningJobCheckpointPage,
  FineTuningJobEventPage,
  FineTuningJobPage,
  FineTuningJobParams,
  ListFineTuningJobsQuery,
} from '../schema/fine-tuning.ts';
import { PageQuery } from '../schema/page.ts';

const ofJob = {
  tag: 'OpenAI',
  scope: 'training',
  params: FineTuningJobParams,
  status: 200,
  credits: FREE,
} as const;

export const createFineTuningJob = endpoint({
  id: 'fine-tuning.jobs.create',
  counts: { use: 'scans_per_hour' },
  // As `createTraining`.
  memoryMb: 2048,
  method: 'POST',
  path: '/api/v1/fine_tuning/jobs',
  summary: 'Fine-tune a model, as in OpenAI’s API',
  description:
    'A training (`POST /api/v1/autoscientist`) in the words of OpenAI’s API. With all hyperparameters given it trains ' +
    'once; with `auto` it tries others until the model is better than its base, as a training does.',
  data: 'Trains a model on a copy of the rows; the files stay as they are.',
  credits: FREE,
  tag: 'OpenAI',
  scope: 'training',
  body: CreateFineTuningJobRequest,
  status: 200,
  response: FineTuningJob,
  errors: [...createTraining.errors, 'rows_pending'],
});

export const listFineTuningJobs = endpoint({
  id: 'fine-tuning.jobs.list',
  method: 'GET',
  path: '/api/v1/fine_tuning/jobs',
  summary: 'List the fine-tuning jobs of the team',
  description: 'All trainings of the team, newest first.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'OpenAI',
  scope: 'training',
  query: ListFineTuningJobsQuery,
  status: 200,
  response: FineTuningJobPage,
  errors: ['training_not_found'],
});

export const getFineTuningJob = endpoint({
  ...ofJob,
  id: 'fine-tuning.jobs.get',
  method: 'GET',
  path: '/api/v1/fine_tuning/jobs/{fine_tuning_job_id}',
  summary: 'Get a fine-tuning job',
  data: READS_ONLY,
  response: FineTuningJob,
  errors: ['training_not_found'],
});

export const cancelFineTuningJob = endpoint({
  ...ofJob,
  id: 'fine-tuning.jobs.cancel',
  method: 'POST',
  path: '/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel',
  summary: 'Cancel a fine-tuning job',
  description: 'Ends it at once; one that has ended is answered as it is.',
  data: 'Ends the training. One that was cancelled has no model; what was measured stays in its events.',
  response: FineTuningJob,
  errors: ['training_not_found', 'training_handing_over'],
});

export const pauseFineTuningJob = endpoint({
  ...ofJob,
  id: 'fine-tuning.jobs.pause',
  method: 'POST',
  path: '/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/pause',
  summary: 'Refuse to pause a fine-tuning job',
  description: 'The trainers of the service do not pause: a 400 says what to do instead.',
  data: 'Changes nothing.',
  response: FineTuningJob,
  errors: ['training_not_found'],
});

export const resumeFineTuningJob = endpoint({
  ...ofJob,
  id: 'fine-tuning.jobs.resume',
  method: 'POST',
  path: '/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/resume',
  summary: 'Refuse to resume a fine-tuning job',
  description: 'The trainers of the service do not pause, so that no job waits to go on.',
  data: 'Changes nothing.',
  response: FineTuningJob,
  errors: ['training_not_found'],
});

export const listFineTuningJobEvents = endpoint({
  ...ofJob,
  id: 'fine-tuning.jobs.events',
  method: 'GET',
  path: '/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/events',
  summary: 'List the events of a fine-tuning job',
  description: 'Newest first: its states, and the losses of its steps.',
  data: READS_ONLY,
  query: PageQuery,
  response: FineTuningJobEventPage,
  errors: ['training_not_found'],
});

export const listFineTuningJobCheckpoints = endpoint({
  ...ofJob,
  id: 'fine-tuning.jobs.checkpoints',
  method: 'GET',
  path: '/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints',
  summary: 'List the checkpoints of a fine-tuning job',
  description: 'Newest first: the model that each iteration left, with its losses and its win rate.',
  data: READS_ONLY,
  query: PageQuery,
  response: FineTuningJobCheckpointPage,
  errors: ['training_not_found'],
});
