import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { ids, uploadKeys } from './ids.ts';

const CREATED = '2026-11-22T10:00:00.000Z';
const UPDATED = '2026-11-22T10:04:12.000Z';
const uploadUrl = (key: string): string =>
  `https://tunesmith-data.s3.eu-central-1.amazonaws.com/${key}?X-Amz-Expires=3600`;

const quote = {
  run_id: null,
  estimatedMinutes: 1.4,
  estimateBasis: 'measured over 3 runs of this kind with qwen3-4b',
  estimatedCreditsConsumed: 3,
  estimate: true,
  multimodalPricingApplied: false,
};

const summary = {
  grade_before: 'C',
  grade_after: 'B',
  score_before: 6,
  score_after: 7.9,
  improvement_percent: 31.7,
};

const customEval = {
  custom_eval_id: ids.customEval,
  dataset_id: ids.dataset,
  status: 'succeeded',
  judge_prompt:
    'Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does.',
  name: 'Sources',
  score_before: 2.1,
  score_after: 4.8,
  improvement_percent: 128.6,
  scored_rows: 40,
  error_message: null,
  created_at: CREATED,
  completed_at: UPDATED,
};

const append = {
  append_id: '5d0c2b7e-8f14-4a3d-9b6e-1c7a4f2e8d05',
  dataset_id: ids.dataset,
  status: 'pending',
  appended_rows: 1,
  version: null,
  upload_instructions: null,
  error_data: null,
  created_at: CREATED,
  ended_at: null,
};

const version = {
  version: 2,
  status: 'succeeded',
  made_by: 'adapt',
  parent_version: 1,
  run_id: ids.run,
  pilot_id: null,
  row_count: 240,
  models: { answer: 'qwen3-4b' },
  prompt_versions: { improve_answer: 'v2' },
  configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] },
  created_by_user_id: ids.user,
  created_at: CREATED,
  ended_at: UPDATED,
  deleted_at: null,
};

const diff = {
  dataset_id: ids.dataset,
  from: 1,
  to: 2,
  status: 'ready',
  counts: { added: 0, removed: 3, changed: 180, unchanged: 57 },
  columns: ['question', 'answer', 'enhanced_prompt', 'enhanced_completion'],
  rows: [
    {
      kind: 'changed',
      row: 0,
      target: null,
      before: {
        cells: [{ column: 'enhanced_completion', text: 'Click the link.', truncated: false }],
      },
      after: {
        cells: [
          {
            column: 'enhanced_completion',
            text: 'Open the sign-in page and choose "Forgot password".',
            truncated: false,
          },
        ],
      },
    },
  ],
  next_after: null,
};

const pilotLaunch = {
  pilot_id: ids.pilot,
  estimate: false,
  sample_rows: 30,
  arms: [{ name: 'As they are' }, { name: 'Concise', brand_controls: { length: 'concise' } }],
  estimated_credits: 1,
  estimated_minutes: 0.8,
  notes: [
    'A pilot drops no repeated rows and adds no rows in other languages; the run of an arm does what the arm says.',
  ],
};

const pilot = {
  pilot_id: ids.pilot,
  dataset_id: ids.dataset,
  status: 'succeeded',
  sample_rows: 30,
  progress: { rows_done: 45, rows_total: 60 },
  column_mapping: { prompt: 'question', completion: 'answer' },
  arms: [
    {
      arm: 1,
      name: 'As they are',
      status: 'finished',
      rows: { done: 30, changed: 21, kept: 9, dropped: 0, failed: 0 },
      against_original: {
        rows: 30,
        better: 18,
        worse: 1,
        same: 9,
        undecided: 2,
        win_rate: 0.947,
        interval: [0.692, 0.993],
      },
      harm: { rows: 1.2, share: 0.04, interval: [0.004, 0.176] },
      characters: { before: 41, after: 118 },
      tokens: { input: 8_410, output: 2_130, calls: 52 },
      whole_dataset: { credits: 3, minutes: 1.4, tokens: 77_300 },
    },
    {
      arm: 2,
      name: 'Concise',
      brand_controls: { length: 'concise' },
      status: 'stopped_early',
      rows: { done: 15, changed: 6, kept: 9, dropped: 0, failed: 0 },
      against_original: {
        rows: 15,
        better: 1,
        worse: 4,
        same: 9,
        undecided: 1,
        win_rate: 0.2,
        interval: [0.022, 0.733],
      },
      harm: { rows: 4.1, share: 0.273, interval: [0.107, 0.533] },
      characters: { before: 41, after: 39 },
      tokens: { input: 4_020, output: 610, calls: 24 },
      whole_dataset: { credits: 3, minutes: 1.1, tokens: 72_600 },
    },
  ],
  finals: [],
  recommendation: {
    arm: 1,
    certainty: 'better_than_original',
    reason: '"As they are" gives the better answer in 18 of 19 rows that differ (win rate 0.69 to 0.99).',
  },
  judge: { model: 'qwen3-4b', believed_for: ['number', 'form'] },
  credits_reserved: 1,
  credits_charged: 1,
  error: null,
  created_at: CREATED,
  ended_at: UPDATED,
};

const rowColumns = [
  { name: 'question', side: 'before', role: 'prompt' },
  { name: 'answer', side: 'before', role: 'completion' },
  { name: 'enhanced_prompt', side: 'after', role: 'prompt' },
  { name: 'enhanced_completion', side: 'after', role: 'completion' },
  { name: 'prompt_safety_issues', side: 'after', role: 'safety' },
  { name: 'response_safety_issues', side: 'after', role: 'safety' },
];

const changedRow = {
  row: 12,
  source_row: null,
  target: null,
  outcome: 'changed',
  code: null,
  message: null,
  similar_to_row: null,
  language: 'en',
  length_change: 'longer',
  edit: { kind: 'completed', evidence: 'checked', words_kept: 1 },
  score: { before: 5.2, after: 8.1, preferred: 'after' },
  notes: [],
  sources: [],
  before: [
    { column: 'question', text: 'How do I reset my password?', truncated: false },
    { column: 'answer', text: 'Open Settings, then Security, and', truncated: false },
  ],
  after: [
    { column: 'enhanced_prompt', text: 'How do I reset my password?', truncated: false },
    {
      column: 'enhanced_completion',
      text: 'Open Settings, then Security, and choose "Reset password". A link comes by mail.',
      truncated: false,
    },
  ],
};

const expansionQuote = {
  dataset_id: null,
  status: null,
  estimated_credits_consumed: 2,
  estimate: true,
  estimated_new_rows: 125,
};

const hyperparams = {
  training_type: 'lora',
  n_epochs: 3,
  learning_rate: 0.0001,
  batch_size: 'max',
  lora_r: 8,
  lora_alpha: 8,
  lr_scheduler_type: 'cosine',
  warmup_ratio: 0.05,
};

const training = {
  id: ids.training,
  dataset_id: ids.dataset,
  dataset_version: 2,
  model: 'Qwen/Qwen3.5-0.8B',
  status: 'succeeded',
  created_at: CREATED,
  completed_at: UPDATED,
  iterations_completed: 2,
  max_iterations: 3,
  target_win_rate: 0.7,
  best_win_rate: 0.74,
  best_win_rate_method: 'judge',
  training_method: 'instruction',
  best_hyperparams: hyperparams,
  column_mapping: null,
  download_available: true,
  error: null,
};

const answersUsage = {
  answers: 12,
  input_tokens: 4200,
  output_tokens: 1850,
  cost_credits: 0.058,
  billed_credits: 0.058,
};

const started = {
  ...training,
  status: 'pending',
  completed_at: null,
  iterations_completed: 0,
  best_win_rate: null,
  best_win_rate_method: null,
  best_hyperparams: null,
  download_available: false,
};

const models = {
  models: [
    {
      id: 'Qwen/Qwen3.5-0.8B',
      display_name: 'Qwen3.5 0.8B',
      model_size: '0.8B',
      context_length: 131_072,
      methods: ['sft', 'dpo'],
      training_types: ['lora'],
      train_with_reasoning: false,
    },
  ],
};

const response = {
  id: ids.response,
  object: 'response',
  created_at: 1_795_341_600,
  completed_at: 1_795_341_602,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'stack:support',
  instructions: null,
  output: [
    {
      type: 'message',
      id: 'msg_0f6f1d5b8a10',
      status: 'completed',
      role: 'assistant',
      content: [
        {
          type: 'output_text',
          text: 'Choose "Forgot password" on the sign-in page and follow the link in the email.',
          annotations: [],
          logprobs: [],
        },
      ],
    },
  ],
  previous_response_id: null,
  tools: [],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  max_tool_calls: null,
  max_output_tokens: null,
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  truncation: 'disabled',
  text: { format: { type: 'text' } },
  reasoning: null,
  usage: {
    input_tokens: 14,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 17,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 31,
  },
  store: true,
  background: false,
  service_tier: 'default',
  metadata: {},
  user: null,
  safety_identifier: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
};

const combineJob = {
  combine_job_id: ids.combineJob,
  status: 'running',
  dataset_id: ids.newDataset,
  error_message: null,
};

const statusRecord = {
  dataset_id: ids.dataset,
  status: 'running',
  row_count: 250,
  progress: { percent: 48, processed_rows: 120, total_rows: 250 },
  error_data: null,
  error: null,
};

/** A secret that signs nothing. */
const WEBHOOK_SECRET = `whsec_${Buffer.from('an example of thirty-two bytes!!').toString('base64')}`;

const webhook = {
  webhook_id: ids.webhook,
  url: 'https://hooks.example.com/tunesmith',
  event_types: ['run.ended'],
  description: 'Starts the nightly export',
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  created_at: CREATED,
};

const delivery = {
  position: 17,
  event_id: 'evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d',
  event_type: 'run.ended',
  status: 'failed',
  attempts: 9,
  response_status: 503,
  error: 'status',
  duration_ms: 184,
  created_at: CREATED,
  last_attempt_at: UPDATED,
  next_attempt_at: null,
};

/** Success bodies, by contract. */
const comparisonSummary = {
  comparison_id: ids.comparison,
  dataset_id: ids.dataset,
  run_id: ids.run,
  model: 'Qwen/Qwen3.5-0.8B',
  training_method: 'instruction',
  hyperparams,
  seeds: 1,
  status: 'succeeded',
  trainings_completed: 2,
  trainings_total: 2,
  created_at: CREATED,
  completed_at: UPDATED,
  error: null,
};

const comparedOnce = (value: number, interval95: number[], wins: number, losses: number, ties: number) => ({
  value,
  interval95,
  seed_spread: null,
  measure: 'judge',
  rows: 50,
  is_indicative: false,
  by_seed: [
    {
      seed: 1,
      value,
      interval95,
      wins,
      losses,
      ties,
      undecided: 0,
      undecided_reason: null,
      likelihood_reason: null,
    },
  ],
});

const comparedTraining = (side: string, trainingLoss: number, heldOutLoss: number) => ({
  side,
  seed: 1,
  status: 'completed',
  phase: null,
  reason: null,
  rows: 430,
  training_loss: trainingLoss,
  held_out_loss: { before: 2.35, after: heldOutLoss },
  stages: [
    {
      method: 'sft',
      steps: 90,
      steps_planned: 90,
      seconds: 412.5,
      training_loss: [{ step: 90, loss: trainingLoss, learning_rate: 0 }],
      held_out_loss: [
        { step: 0, loss: 2.35 },
        { step: 90, loss: heldOutLoss },
      ],
    },
  ],
});

const comparison = {
  ...comparisonSummary,
  win_rates: {
    adapted_against_base: comparedOnce(0.72, [0.5833, 0.8253], 34, 12, 4),
    original_against_base: comparedOnce(0.61, [0.4718, 0.733], 28, 17, 5),
    adapted_against_original: comparedOnce(0.67, [0.5312, 0.7847], 31, 14, 5),
  },
  trainings: [comparedTraining('original', 1.38, 1.66), comparedTraining('adapted', 1.12, 1.71)],
  answers: [
    {
      row: 17,
      prompt: { text: 'How do I reset my password?', truncated: false },
      reference: { text: 'Choose "Forgot password" on the sign-in page.', truncated: false },
      base: { text: 'Passwords are important for security.', truncated: false },
      by_seed: [
        {
          seed: 1,
          original: { text: 'Use the sign-in page.', truncated: false },
          adapted: { text: 'On the sign-in page, choose "Forgot password".', truncated: false },
          better: 'adapted',
        },
      ],
    },
  ],
};

export const responseExamples: Readonly<Record<string, unknown>> = {
  'datasets.create': {
    dataset_id: ids.dataset,
    status: 'pending',
    upload_instructions: {
      url: uploadUrl(uploadKeys.single),
      method: 'PUT',
      s3_key: uploadKeys.single,
    },
  },
  'datasets.list': {
    datasets: [
      {
        dataset_id: ids.dataset,
        name: 'support-answers',
        status: 'awaiting_input',
        created_at: CREATED,
        updated_at: UPDATED,
        row_count: 250,
        description: null,
      },
    ],
    next_cursor: null,
  },
  'datasets.get': {
    dataset_id: ids.dataset,
    kind: 'uploaded',
    source_dataset_id: null,
    name: 'support-answers',
    description: null,
    status: 'succeeded',
    created_at: CREATED,
    created_by_user_id: ids.user,
    updated_at: UPDATED,
    row_count: 250,
    configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] },
    evaluation_summary: summary,
    run_id: null,
    progress: null,
    error_data: null,
    error: null,
    image_column_formats: null,
  },
  'datasets.versions.delete': { message: 'Version 2 of the dataset was deleted.' },
  'datasets.delete': { message: 'The dataset "support questions" was deleted.' },
  'datasets.status': statusRecord,
  'datasets.cancel': statusRecord,
  'datasets.publish': {
    publish_id: ids.job,
    status: 'queued',
    message: `Look at /api/v1/datasets/${ids.dataset}/publish/${ids.job} until it has ended.`,
  },
  'datasets.publications.get': {
    publish_id: ids.job,
    status: 'succeeded',
    message: 'The rows are published.',
    target: 'huggingface',
    repository: 'acme/support-answers',
    private: true,
    progress_percent: 100,
    url: 'https://huggingface.co/datasets/acme/support-answers',
    commit: '8d7be65e1f0c4a52b2f9a3d1c6e5f4a3b2c1d0e9',
    created_at: CREATED,
    updated_at: UPDATED,
  },
  'datasets.download-link': {
    url: `https://tunesmith-data.s3.eu-central-1.amazonaws.com/exports/${ids.dataset}/data.csv?X-Amz-Expires=900`,
    file_name: 'tickets.csv',
    expires_at: '2026-07-01T10:15:00.000Z',
  },
  'datasets.export-links': { huggingface: null, kaggle: null, google_sheets: null },
  'datasets.best-launch-config': {
    best_job_config: {
      finetune_job_id: ids.job,
      training_experiment_id: ids.training,
      original_model_name: 'Qwen/Qwen3.5-0.8B',
      trained_model_name: 'support-answers',
      training_method: 'sft',
      training_type: 'lora',
      data_format: 'chat',
      hyperparams,
    },
  },
  'datasets.report': {
    dataset_id: ids.dataset,
    run_id: ids.run,
    status: 'succeeded',
    started_at: CREATED,
    ended_at: UPDATED,
    error_data: null,
    warnings: [],
    rows: {
      total: 250,
      changed: 61,
      kept: 186,
      dropped: 3,
      failed: 0,
      not_selected: 0,
      expanded: 0,
      expansion_failed: 0,
    },
    stages: [{ name: 'adapt', rows_in: 250, rows_out: 247, started_at: CREATED, ended_at: UPDATED }],
    tokens: { input: 91_204, output: 12_880, calls: 402 },
    edits: [{ kind: 'completed', evidence: 'checked', rows: 24, words_kept: 0.93 }],
    safety_scorers: {},
    invention: null,
    credits: { reserved: 3, settled: 3 },
    models: { answer: 'qwen3-4b', judge: 'qwen3-4b' },
    prompt_versions: { answer: '7' },
    reported_rows: [
      {
        row: 17,
        outcome: 'dropped',
        code: 'duplicate_exact',
        message: 'It repeats row 4.',
        similar_to_row: 4,
        target: null,
        sources: [],
      },
    ],
    next_cursor: null,
  },
  'datasets.rows.list': {
    dataset_id: ids.dataset,
    run_id: ids.run,
    status: 'succeeded',
    columns: rowColumns,
    columns_total: 2,
    total: 250,
    matching: 61,
    offset: 0,
    next_row: null,
    facets: {
      outcome: [
        { value: 'kept', rows: 186 },
        { value: 'changed', rows: 61 },
        { value: 'dropped', rows: 3 },
      ],
      code: [],
      language: [{ value: 'en', rows: 61 }],
      length_change: [
        { value: 'longer', rows: 40 },
        { value: 'same', rows: 21 },
      ],
    },
    rows: [changedRow],
  },
  'datasets.rows.get': {
    dataset_id: ids.dataset,
    run_id: ids.run,
    status: 'succeeded',
    columns: rowColumns,
    columns_total: 2,
    total: 250,
    row: changedRow,
    url: null,
  },
  'datasets.start-adaption': { dataset_id: ids.dataset, status: 'pending' },
  'datasets.uploads.initiate': { upload_url: uploadUrl(uploadKeys.single), s3_key: uploadKeys.single },
  'datasets.uploads.complete': { dataset_id: ids.dataset, status: 'pending' },
  'datasets.uploads.complete-by-id': { dataset_id: ids.dataset, status: 'pending' },
  'datasets.uploads.initiate-batch': {
    dataset_id: ids.dataset,
    uploads: [
      { file_name: 'may.csv', upload_url: uploadUrl(uploadKeys.may), s3_key: uploadKeys.may },
      { file_name: 'june.csv', upload_url: uploadUrl(uploadKeys.june), s3_key: uploadKeys.june },
    ],
  },
  'datasets.uploads.complete-batch': { dataset_id: ids.dataset, status: 'pending' },
  'datasets.combine.create': { dataset_id: ids.newDataset },
  'datasets.combine.validate': {
    compatible: true,
    training_type: 'instruction_dataset',
    total_estimated_rows: 500,
    issues: [],
  },
  'datasets.combine.job': combineJob,
  'datasets.adapt': quote,
  'datasets.run': quote,
  'datasets.evaluation': {
    dataset_id: ids.dataset,
    status: 'succeeded',
    quality: { ...summary, percentile_after: 92.3 },
    raw_results: { sample: { sampled: 40 } },
    history: [],
  },
  'datasets.rows.append': append,
  'datasets.appends.get': { ...append, status: 'succeeded', version: 3, ended_at: UPDATED },
  'datasets.diff': diff,
  'datasets.versions.list': {
    versions: [
      version,
      { ...version, version: 1, made_by: 'ingest', parent_version: null, models: {}, prompt_versions: {} },
    ],
    next_before: null,
  },
  'datasets.pilots.create': pilotLaunch,
  'datasets.pilots.list': { items: [pilot] },
  'datasets.pilots.get': pilot,
  'datasets.pilots.rows': {
    items: [
      {
        row: 12,
        request: { text: 'how do i descale a kettle', truncated: false },
        original: { text: 'use vinegar', truncated: false },
        answers: [
          {
            arm: 1,
            outcome: 'changed',
            code: null,
            message: null,
            answer: {
              text: 'Boil equal parts of water and vinegar in it, and rinse it twice.',
              truncated: false,
            },
            verdict: 'better',
          },
          {
            arm: 2,
            outcome: 'kept',
            code: 'sound',
            message: 'No better answer was found',
            answer: { text: 'use vinegar', truncated: false },
            verdict: 'same',
          },
        ],
      },
    ],
    total: 30,
  },
  'datasets.pilots.cancel': {
    ...pilot,
    status: 'running',
    arms: pilot.arms.map((arm) => ({ ...arm, status: 'running' })),
    recommendation: null,
    judge: null,
    credits_charged: null,
    ended_at: null,
  },
  'datasets.custom-evals.create': {
    ...customEval,
    status: 'pending',
    score_before: null,
    score_after: null,
    improvement_percent: null,
    scored_rows: null,
    completed_at: null,
  },
  'datasets.custom-evals.list': { items: [customEval] },
  'datasets.custom-evals.get': customEval,
  'datasets.translate': expansionQuote,
  'datasets.localize': { ...expansionQuote, estimated_credits_consumed: 1, estimated_new_rows: 63 },
  'datasets.extend-trajectories': { ...quote, dataset_id: null },
  'datasets.augment': {
    dataset_id: null,
    status: null,
    domain_rows: 500,
    general_rows: 100,
    similar_rows: 0,
    estimated_credits_consumed: 6,
    estimate: true,
    pool_rows: 2_400,
  },
  'datasets.invent.create': {
    estimate: true,
    id: null,
    name: 'Invented: Cooking and food',
    training_type: 'instruction_dataset',
    domains: ['cooking_food'],
    subdomains: [],
    dataset_prompt: 'Questions on baking bread at home',
    rows: 100,
    status: null,
    created_at: null,
    estimated_credits: 10,
    available_credits: 990,
  },
  'datasets.invent.domains': {
    domains: [
      {
        code: 'cooking_food',
        title: 'Cooking and food',
        subdomains: [{ code: 'cooking_food.baking', title: 'Baking' }],
      },
    ],
  },
  'datasets.lint': {
    dataset_id: ids.dataset,
    row_count: 250,
    first_row: 0,
    checked_rows: 250,
    next_row: null,
    counts: { completion_empty: 1, near_duplicate: 0 },
    findings: [{ row: 12, check: 'completion_empty', message: 'The completion has no text.' }],
    omitted_findings: 0,
  },
  'autoscientist.models': models,
  'training-models.list': models,
  'autoscientist.recommend-hyperparams': { model: 'Qwen/Qwen3.5-0.8B', hyperparams },
  'autoscientist.create': started,
  'autoscientist.list': { runs: [training], next_cursor: null },
  'autoscientist.get': training,
  'autoscientist.publish': {
    publish_id: ids.job,
    status: 'queued',
    message: `Look at /api/v1/autoscientist/${ids.training}/publish/${ids.job} until it has ended.`,
  },
  'autoscientist.publications.get': {
    publish_id: ids.job,
    status: 'succeeded',
    message: 'The model is published.',
    target: 'huggingface',
    repository: 'acme/support-model',
    private: true,
    progress_percent: 100,
    url: 'https://huggingface.co/acme/support-model',
    commit: '2b7c1d9e4f0a4c52b2f9a3d1c6e5f4a3b2c1d0e9',
    created_at: CREATED,
    updated_at: UPDATED,
  },
  'autoscientist.download-link': {
    url: `https://tunesmith-data.s3.eu-central-1.amazonaws.com/trainings/${ids.training}/model.tar.gz?X-Amz-Expires=900`,
    file_name: `Qwen3.5-0.8B-${ids.training}.tar.gz`,
    expires_at: '2026-07-01T10:15:00.000Z',
  },
  'autoscientist.metrics': {
    experiment_id: ids.training,
    status: 'running',
    model: 'Qwen/Qwen3.5-0.8B',
    target_win_rate: 0.7,
    max_iterations: 3,
    best_iteration: 1,
    iterations: [
      {
        iteration: 1,
        status: 'completed',
        phase: null,
        reason: null,
        hyperparams,
        changes: [],
        why: 'The recommended values for this model and number of rows.',
        stages: [
          {
            method: 'sft',
            steps: 90,
            steps_planned: 90,
            seconds: 412.5,
            training_loss: [
              { step: 1, loss: 2.31, learning_rate: 0.00002 },
              { step: 45, loss: 1.62, learning_rate: 0.000054 },
              { step: 90, loss: 1.38, learning_rate: 0 },
            ],
            held_out_loss: [
              { step: 0, loss: 2.35 },
              { step: 30, loss: 1.88 },
              { step: 60, loss: 1.71 },
              { step: 90, loss: 1.66 },
            ],
          },
        ],
        win_rate: {
          value: 0.62,
          interval95: [0.4815, 0.7413],
          measure: 'judge',
          judge: 'qwen3-4b',
          rows: 50,
          wins: 28,
          losses: 16,
          ties: 6,
          is_indicative: false,
        },
        likelihood_reason: null,
        answers: [
          {
            row: 17,
            prompt: { text: 'How do I reset my password?', truncated: false },
            reference: { text: 'Choose "Forgot password" on the sign-in page.', truncated: false },
            base: { text: 'Passwords are important for security.', truncated: false },
            trained: { text: 'On the sign-in page, choose "Forgot password".', truncated: false },
            verdict: 'win',
          },
        ],
      },
      {
        iteration: 2,
        status: 'running',
        phase: 'training',
        reason: null,
        hyperparams: { ...hyperparams, n_epochs: 5, learning_rate: 0.00012 },
        changes: [
          { name: 'n_epochs', from: 3, to: 5 },
          { name: 'learning_rate', from: 0.0001, to: 0.00012 },
        ],
        why: 'Iteration 1: the loss on held-out rows was still falling (underfitting). Next: more epochs and a higher learning rate.',
        stages: [
          {
            method: 'sft',
            steps: 1,
            steps_planned: 150,
            seconds: 5.1,
            training_loss: [{ step: 1, loss: 2.31, learning_rate: 0.000015 }],
            held_out_loss: [{ step: 0, loss: 2.35 }],
          },
        ],
        win_rate: null,
        likelihood_reason: null,
        answers: [],
      },
    ],
  },
  'autoscientist.comparisons.create': {
    comparison_id: ids.comparison,
    estimate: false,
    dataset_id: ids.dataset,
    model: 'Qwen/Qwen3.5-0.8B',
    training_method: 'instruction',
    hyperparams,
    seeds: 1,
    trainings: 2,
    rows: 500,
    held_out_rows: 50,
    estimated_credits: 0,
    notes: ['The model is trained on the answers (SFT).'],
  },
  'autoscientist.comparisons.list': { items: [comparisonSummary], next_cursor: null },
  'autoscientist.comparisons.get': comparison,
  'autoscientist.comparisons.cancel': {
    ...comparison,
    status: 'cancelled',
    trainings_completed: 0,
    win_rates: { adapted_against_base: null, original_against_base: null, adapted_against_original: null },
    trainings: [],
    answers: [],
  },
  'autoscientist.cancel': { ...started, status: 'cancelled', completed_at: UPDATED },
  'responses.create': response,
  'responses.get': response,
  'responses.delete': { id: ids.response, object: 'response.deleted', deleted: true },
  'responses.input-items': {
    object: 'list',
    data: [
      {
        type: 'message',
        id: 'msg_5b8a103f0c5a',
        role: 'user',
        content: [{ type: 'input_text', text: 'How do I reset my password?' }],
      },
    ],
    first_id: 'msg_5b8a103f0c5a',
    last_id: 'msg_5b8a103f0c5a',
    has_more: false,
  },
  'tools.list': {
    object: 'list',
    data: [
      {
        server_label: 'handbook',
        type: 'mcp',
        name: 'Handbook',
        description: 'Searches the handbook of the company.',
        auth: 'none',
        connect: null,
        connect_path: null,
        mode: 'remote_mcp',
        default_require_approval: 'never',
        required_scope: 'responses',
        available: true,
        unavailable_reason: null,
      },
    ],
  },
  'models.list': {
    object: 'list',
    data: [{ id: 'stack:support', object: 'model', created: 1_795_341_600, owned_by: 'team' }],
  },
  'me.get': {
    organization_id: '1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10',
    team_id: '2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e',
    user_id: ids.user,
    key_id: '6d5e1f2a-3c4b-4d8e-9f6a-7b8c9d0e1f2a',
    scopes: ['datasets:read', 'datasets:write', 'training', 'responses', 'webhooks'],
    plan: DEFAULT_PLAN,
    balance: { granted: 1000, settled: 7, held: 3, available: 990, active_runs: 1 },
  },
  'credits.ledger': {
    entries: [
      {
        entry_id: `${ids.run}-settle`,
        type: 'settle',
        purpose: 'run',
        credits: 3,
        run_id: ids.run,
        dataset_id: ids.dataset,
        reason: null,
        created_at: UPDATED,
      },
      {
        entry_id: `${ids.run}-reserve`,
        type: 'reserve',
        purpose: 'run',
        credits: 3,
        run_id: ids.run,
        dataset_id: ids.dataset,
        reason: null,
        created_at: CREATED,
      },
    ],
    next_cursor: null,
  },
  'credits.usage': {
    days: [
      {
        day: '2026-11-22',
        runs: { runs: 1, credits: 3 },
        answers: answersUsage,
        models: [{ model: 'qwen3-4b', ...answersUsage }],
      },
    ],
    total: { runs: { runs: 1, credits: 3 }, answers: answersUsage },
    runs_complete_after: null,
  },
  'credits.answer': {
    response_id: ids.response,
    model: 'qwen3-4b',
    input_tokens: 350,
    output_tokens: 154,
    cost_credits: 0.00483,
    billed_credits: 0.00483,
    answered_at: UPDATED,
  },
  'events.list': {
    events: [
      {
        id: 'evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d',
        type: 'run.ended',
        schema_version: 1,
        created_at: UPDATED,
        dataset_id: ids.dataset,
        sequence: 4,
        position: 17,
        data: {
          run_id: ids.run,
          kind: 'adapt',
          status: 'succeeded',
          version: 2,
          billed_credits: 1,
          error_code: null,
        },
      },
    ],
    cursor: '17',
    has_more: false,
    latest_cursor: '17',
  },
  'webhooks.create': { ...webhook, secret: WEBHOOK_SECRET, previous_secret_until: null },
  'webhooks.list': { webhooks: [webhook] },
  'webhooks.get': webhook,
  'webhooks.update': { ...webhook, event_types: null },
  'webhooks.delete': { message: 'The webhook was deleted.' },
  'webhooks.rotate-secret': { ...webhook, secret: WEBHOOK_SECRET, previous_secret_until: UPDATED },
  'webhooks.test': { event_id: 'evt_0b7e9a52-6d3e-8b41-9c07-2f4f6f5f3b1d' },
  'webhooks.deliveries.list': { deliveries: [delivery], next_before: null },
  'webhooks.deliveries.retry': {
    ...delivery,
    status: 'pending',
    attempts: 0,
    next_attempt_at: UPDATED,
  },
  'service.openapi': { openapi: '3.1.0' },
  'service.docs': '<!doctype html>\n<html lang="en">…</html>',
  'service.console': '<!doctype html>\n<html lang="en">…</html>',
  'service.console-asset': 'const root = …',
  'service.docs-asset': '.swagger-ui { … }',
};

/** Bodies of a 202 in addition to a 200, by contract. */
export const acceptedExamples: Readonly<Record<string, unknown>> = {
  'datasets.combine.create': combineJob,
  'datasets.diff': { ...diff, status: 'pending', counts: null, columns: [], rows: [] },
};

/** All events of `response`, whose text comes in two pieces. */
function answerStream(): string {
  const [item] = response.output;
  const [part] = item?.content ?? [];
  if (item === undefined || part === undefined) throw new Error('The example of a response has no text.');
  const began = { ...response, status: 'in_progress', completed_at: null, output: [], usage: null };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const pieces = [part.text.slice(0, 24), part.text.slice(24)];
  const events = [
    { type: 'response.created', response: began },
    { type: 'response.in_progress', response: began },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  const sent = events.map(
    ({ type, ...body }, n) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: n, ...body })}\n\n`,
  );
  return `${sent.join('')}data: [DONE]\n\n`;
}

/** The server-sent events of streaming endpoints, by contract. */
export const eventStreamExamples: Readonly<Record<string, string>> = {
  'responses.create': answerStream(),
  'events.list': [
    'id: 17',
    'event: run.ended',
    `data: {"id":"evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d","type":"run.ended","dataset_id":"${ids.dataset}","sequence":4,"position":17, …}`,
    '',
    ': ping',
    '',
  ].join('\n'),
};
