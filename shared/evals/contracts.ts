import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import {
  CreateEvalRequest,
  CreateEvalRunRequest,
  DeletedEval,
  DeletedEvalRun,
  Eval,
  EvalPage,
  EvalParams,
  EvalRun,
  EvalRunPage,
  EvalRunParams,
  ListEvalRunsQuery,
  ListEvalsQuery,
  ListOutputItemsQuery,
  OutputItem,
  OutputItemPage,
  OutputItemParams,
  UpdateEvalRequest,
} from './schema/eval.ts';

const all = { tag: 'OpenAI', scope: 'responses', status: 200, credits: FREE } as const;
const reads = { ...all, method: 'GET', data: READS_ONLY } as const;
const NOT_FOUND = ['eval_not_found'] as const;
const EVAL = '/api/v1/evals/{eval_id}';
const RUN = '/api/v1/evals/{eval_id}/runs/{run_id}';

export const createEval = endpoint({
  ...all,
  id: 'evals.create',
  method: 'POST',
  path: '/api/v1/evals',
  summary: 'Create an eval',
  description:
    'Says what rows are and how answers to them are graded. Its runs say which rows, and what answers.',
  data: 'Stores the eval.',
  body: CreateEvalRequest,
  response: Eval,
  errors: ['runs_limit_reached'],
});

export const listEvals = endpoint({
  ...reads,
  id: 'evals.list',
  path: '/api/v1/evals',
  summary: 'List the evals of the team',
  query: ListEvalsQuery,
  response: EvalPage,
  errors: [],
});

export const getEval = endpoint({
  ...reads,
  id: 'evals.get',
  path: EVAL,
  summary: 'Get an eval',
  params: EvalParams,
  response: Eval,
  errors: NOT_FOUND,
});

export const updateEval = endpoint({
  ...all,
  id: 'evals.update',
  method: 'POST',
  path: EVAL,
  summary: 'Rename an eval, or change its metadata',
  data: 'Changes the eval.',
  params: EvalParams,
  body: UpdateEvalRequest,
  response: Eval,
  errors: NOT_FOUND,
});

export const deleteEval = endpoint({
  ...all,
  id: 'evals.delete',
  method: 'DELETE',
  path: EVAL,
  summary: 'Delete an eval with its runs',
  data: 'Deletes the eval, its runs and their output items: nobody finds them from then on, and the sweep erases them within minutes. This cannot be undone.',
  params: EvalParams,
  response: DeletedEval,
  errors: NOT_FOUND,
});

export const createEvalRun = endpoint({
  ...all,
  id: 'evals.runs.create',
  counts: { use: 'scans_per_hour' },
  method: 'POST',
  path: '/api/v1/evals/{eval_id}/runs',
  summary: 'Run an eval',
  description:
    'Has rows answered, or takes answers that there are, and grades them. Each result has a 95 % interval and the rows ' +
    'that decided it; with verdicts of people on the rows of a file also how often each grader is wrong. ' +
    'A run is `queued` until one of the five places of the team is free.',
  data: 'Stores the rows of the request, the answers and what graders say of them. Files are read, never changed.',
  credits: 'Charges the tokens of answers, and of graders that ask a model, at the price of the model.',
  params: EvalParams,
  body: CreateEvalRunRequest,
  response: EvalRun,
  errors: [
    'eval_not_found',
    'dataset_not_found',
    'rows_pending',
    'model_not_found',
    'model_not_served',
    'runs_limit_reached',
  ],
});

export const listEvalRuns = endpoint({
  ...reads,
  id: 'evals.runs.list',
  path: '/api/v1/evals/{eval_id}/runs',
  summary: 'List the runs of an eval',
  params: EvalParams,
  query: ListEvalRunsQuery,
  response: EvalRunPage,
  errors: NOT_FOUND,
});

export const getEvalRun = endpoint({
  ...reads,
  id: 'evals.runs.get',
  path: RUN,
  summary: 'Get a run of an eval',
  params: EvalRunParams,
  response: EvalRun,
  errors: NOT_FOUND,
});

const cancels = {
  ...all,
  method: 'POST',
  description: 'Its worker ends after the rows that it has begun. A run that has ended is answered as it is.',
  data: 'Ends the run; what is graded is kept.',
  params: EvalRunParams,
  response: EvalRun,
  errors: NOT_FOUND,
} as const;

export const cancelEvalRun = endpoint({
  ...cancels,
  id: 'evals.runs.cancel',
  path: `${RUN}/cancel`,
  summary: 'Cancel a run of an eval',
});

/** OpenAI's packages of npm and PyPI cancel by different routes. */
export const cancelEvalRunAtItself = endpoint({
  ...cancels,
  id: 'evals.runs.cancel-at-itself',
  path: RUN,
  summary: 'Cancel a run of an eval (use …/cancel)',
  successor: `${RUN}/cancel`,
});

export const deleteEvalRun = endpoint({
  ...all,
  id: 'evals.runs.delete',
  method: 'DELETE',
  path: RUN,
  summary: 'Delete a run of an eval',
  data: 'Deletes the run and its output items. This cannot be undone.',
  params: EvalRunParams,
  response: DeletedEvalRun,
  errors: NOT_FOUND,
});

export const listOutputItems = endpoint({
  ...reads,
  id: 'evals.runs.output-items.list',
  path: `${RUN}/output_items`,
  summary: 'List what each row of a run came to',
  description:
    'Grows while the run goes on. A page ends early where its items would be more than can be read at once.',
  params: EvalRunParams,
  query: ListOutputItemsQuery,
  response: OutputItemPage,
  errors: NOT_FOUND,
});

export const getOutputItem = endpoint({
  ...reads,
  id: 'evals.runs.output-items.get',
  path: `${RUN}/output_items/{output_item_id}`,
  summary: 'Get what one row of a run came to',
  params: OutputItemParams,
  response: OutputItem,
  errors: NOT_FOUND,
});
