/** A tool of the MCP server: an endpoint by its contract's id, and how the tool differs from it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly endpoint: string;
  /** What an agent should know beyond the endpoint's own description. */
  readonly hint?: string;
  /** Fields of path, query and body that are offered; all of them if absent. */
  readonly fields?: readonly string[];
  /** Fields of the body that the tool sets, and does not offer. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Schemas in place of the endpoint's, for fields that take less here. */
  readonly schemas?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Offered fields that the endpoint does not require, and the tool does. */
  readonly required?: readonly string[];
  /** The field with the credits in the answer to the same request with `estimate: true`: the tool asks for that first. */
  readonly creditsField?: string;
  /** Statuses of the record at which waiting for it ends. */
  readonly ends?: readonly string[];
  readonly isDestructive?: true;
}

const ENDED = ['succeeded', 'failed', 'cancelled'] as const;

/** The name of the tool that makes a dataset of a text; it is three calls, and so has no line below. */
export const UPLOAD_TOOL = 'upload_rows';

/** What an agent does with data, in the order in which it does it. */
export const toolDeclarations: readonly ToolDeclaration[] = [
  {
    name: 'get_account',
    endpoint: 'me.get',
    hint: 'The scopes of the key, and the credits that are left.',
  },
  {
    name: 'find_datasets',
    endpoint: 'datasets.list',
    fields: ['q', 'status', 'sort', 'sort_direction', 'limit', 'cursor'],
  },
  {
    name: 'create_dataset',
    endpoint: 'datasets.create',
    fields: ['source'],
    hint:
      'With `source.url` the service imports it. Without, PUT the file to `upload_instructions.url`, then call complete_upload. ' +
      'For a small table whose text you have, upload_rows does all of it.',
  },
  { name: 'complete_upload', endpoint: 'datasets.uploads.complete-by-id' },
  {
    name: 'get_dataset',
    endpoint: 'datasets.status',
    ends: ['succeeded', 'failed', 'awaiting_input'],
    hint: '`awaiting_input`: the rows are read, and nothing runs. `succeeded`: a run has ended.',
  },
  {
    name: 'list_rows',
    endpoint: 'datasets.rows.list',
    fields: ['dataset_id', 'version', 'offset', 'limit', 'outcome', 'doubted', 'search'],
    hint: 'Shows the names of the columns, and after an adaptation each row before and after.',
  },
  {
    name: 'lint_dataset',
    endpoint: 'datasets.lint',
    fields: ['dataset_id', 'column_mapping', 'checks', 'max_rows', 'first_row'],
  },
  {
    name: 'estimate_adaptation',
    endpoint: 'datasets.adapt',
    fixed: { estimate: true },
    fields: ['dataset_id', 'column_mapping', 'recipe_specification', 'job_specification', 'training_type'],
    hint: 'Says what adapt_dataset would cost, and starts nothing.',
  },
  {
    name: 'run_pilot',
    endpoint: 'datasets.pilots.create',
    fields: ['dataset_id', 'column_mapping', 'arms', 'sample_rows', 'job_specification'],
    creditsField: 'estimated_credits',
  },
  { name: 'get_pilot', endpoint: 'datasets.pilots.get', ends: ENDED },
  {
    name: 'adapt_dataset',
    endpoint: 'datasets.adapt',
    fields: [
      'dataset_id',
      'column_mapping',
      'recipe_specification',
      'job_specification',
      'brand_controls',
      'training_type',
      'language_expansion',
      'pilot_id',
      'pilot_arm',
    ],
    creditsField: 'estimatedCreditsConsumed',
  },
  { name: 'cancel_run', endpoint: 'datasets.cancel', isDestructive: true },
  {
    name: 'get_evaluation',
    endpoint: 'datasets.evaluation',
    ends: ['succeeded', 'failed', 'skipped'],
    hint: 'The grades before and after, once the run has ended.',
  },
  { name: 'get_report', endpoint: 'datasets.report' },
  { name: 'review_rows', endpoint: 'datasets.review.list' },
  { name: 'record_verdicts', endpoint: 'datasets.verdicts.record' },
  { name: 'apply_verdicts', endpoint: 'datasets.verdicts.apply' },
  { name: 'download_link', endpoint: 'datasets.download-link' },
  { name: 'list_base_models', endpoint: 'autoscientist.models' },
  {
    name: 'train_model',
    endpoint: 'autoscientist.create',
    fields: [
      'dataset_id',
      'dataset_version',
      'model',
      'training_method',
      'column_mapping',
      'hyperparams',
      'max_iterations',
      'target_win_rate',
      'idempotency_key',
    ],
    hint: 'Adds no rows, so it costs no credits.',
  },
  { name: 'get_training', endpoint: 'autoscientist.get', ends: ENDED },
  {
    name: 'compare_models',
    endpoint: 'autoscientist.comparisons.create',
    creditsField: 'estimated_credits',
  },
  { name: 'get_comparison', endpoint: 'autoscientist.comparisons.get', ends: ENDED },
  { name: 'list_models', endpoint: 'models.list', fields: [] },
  {
    name: 'answer',
    endpoint: 'responses.create',
    fields: [
      'model',
      'input',
      'instructions',
      'max_output_tokens',
      'temperature',
      'store',
      'previous_response_id',
      'truncation',
      'max_credits',
    ],
    fixed: { stream: false },
    schemas: {
      input: { type: 'string', description: 'What the model is asked.' },
      max_credits: {
        type: 'number',
        minimum: 0,
        description: 'The most credits that the answer may cost, as the person you work for has confirmed.',
      },
    },
    required: ['max_credits'],
  },
];

/** Addresses of what can be read, by the endpoint that tells it. */
export const resourceDeclarations = [
  {
    name: 'report',
    title: 'Report of a dataset',
    template: 'tunesmith://datasets/{dataset_id}/report',
    endpoint: 'datasets.report',
  },
  {
    name: 'evaluation',
    title: 'Grades of a dataset',
    template: 'tunesmith://datasets/{dataset_id}/evaluation',
    endpoint: 'datasets.evaluation',
  },
  {
    name: 'rows',
    title: 'First rows of a dataset',
    template: 'tunesmith://datasets/{dataset_id}/rows',
    endpoint: 'datasets.rows.list',
  },
] as const;

/** The address of the guide for agents. */
export const GUIDE_URI = 'tunesmith://guide';

/** The longest wait for a record, in seconds: as long an agent that has left holds a function. */
export const WAIT_SECONDS_MAX = 120;

/** Waits of a team at once. Each holds a function, of which a new account has ten. */
export const WAITS_MAX = 3;

/** The longest text that becomes a dataset in one call; a body of the API has at most 4 MiB. */
export const UPLOAD_CHARACTERS_MAX = 1_000_000;
