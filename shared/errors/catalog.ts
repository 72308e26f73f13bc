/**
 * Every error that a caller can meet, once. The same code appears on three surfaces: `code` of an HTTP error,
 * `Error` of a Step Functions state (so Retry and Catch can match it) and `error_data.code` of a dataset.
 *
 * `retryable` says whether the same request can succeed later without being changed. It decides
 * `x-should-retry`, because the public client otherwise repeats every 409, 429 and 5xx.
 */
export const errorCatalog = {
  invalid_request: { status: 400, title: 'The request is not valid', retryable: false },
  malformed_json: { status: 400, title: 'The body is not JSON', retryable: false },
  cursor_invalid: { status: 400, title: 'The cursor does not belong to this query', retryable: false },
  column_unknown: { status: 400, title: 'A mapped column is not in the dataset', retryable: false },
  column_mapping_required: { status: 400, title: 'A column mapping is required', retryable: false },
  upload_mismatch: { status: 400, title: 'The uploaded file is not the one announced', retryable: false },
  upload_missing: { status: 400, title: 'No file has been uploaded', retryable: false },
  DATASET_COMBINE_VALIDATION_FAILED: {
    status: 400,
    title: 'The datasets cannot be combined',
    retryable: false,
  },
  invalid_judge_prompt: { status: 400, title: 'A judge cannot score by this prompt', retryable: false },
  domain_unknown: { status: 400, title: 'The catalog has no such domain', retryable: false },
  domain_not_inferred: { status: 400, title: 'The prompt fits no domain of the catalog', retryable: false },
  nothing_to_add: { status: 400, title: 'The request would add no rows', retryable: false },
  images_unsupported: { status: 400, title: 'Rows with images cannot be expanded', retryable: false },
  topics_unknown: { status: 400, title: 'The topics of the dataset cannot be told', retryable: false },
  language_unsupported: { status: 400, title: 'The language is not supported', retryable: false },
  unauthorized: { status: 401, title: 'The API key is missing or not valid', retryable: false },
  credits_insufficient: { status: 402, title: 'Not enough credits', retryable: false },
  scope_missing: { status: 403, title: 'The API key lacks a scope', retryable: false },
  plan_limit_exceeded: { status: 403, title: 'The plan does not allow this', retryable: false },
  route_not_found: { status: 404, title: 'There is no such route', retryable: false },
  dataset_not_found: { status: 404, title: 'There is no such dataset', retryable: false },
  custom_eval_not_found: { status: 404, title: 'There is no such custom evaluation', retryable: false },
  combine_job_not_found: { status: 404, title: 'There is no such combine job', retryable: false },
  dataset_running: { status: 409, title: 'A run is active on the dataset', retryable: false },
  training_running: { status: 409, title: 'A training of the dataset is active', retryable: false },
  dataset_not_ready: { status: 409, title: 'The dataset is not ready for this', retryable: false },
  payload_too_large: { status: 413, title: 'The body is too large', retryable: false },
  format_unsupported: { status: 415, title: 'The format is not supported', retryable: false },
  idempotency_mismatch: {
    status: 422,
    title: 'The idempotency key belongs to another request',
    retryable: false,
  },
  dataset_not_adapted: { status: 422, title: 'The dataset was not adapted', retryable: false },
  dataset_untrainable: { status: 422, title: 'The dataset cannot be trained on', retryable: false },
  model_unsupported: { status: 422, title: 'No trainer knows the model', retryable: false },
  model_cannot_see: { status: 422, title: 'The model does not see images', retryable: false },
  connection_missing: { status: 422, title: 'No account is connected for this', retryable: false },
  not_available_yet: { status: 422, title: 'This installation does not offer that yet', retryable: false },
  no_data_yet: { status: 422, title: 'The dataset holds no data yet', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  runs_limit_reached: { status: 429, title: 'Too many runs are active', retryable: false },
  internal_error: { status: 500, title: 'The service failed', retryable: true },
  publish_not_implemented: { status: 501, title: 'Publishing is not implemented', retryable: false },
  service_unavailable: { status: 503, title: 'The service is busy', retryable: true },
  export_pending: { status: 503, title: 'The export is being built', retryable: true },

  // Reasons for which a dataset ends `failed`: they reach callers in `error_data`. Those of a file are also the
  // answer where the completion of its upload finds them.
  file_empty: { status: 422, title: 'The file holds no rows', retryable: false },
  file_unreadable: { status: 422, title: 'The file cannot be read', retryable: false },
  file_too_large: { status: 413, title: 'The file is too large', retryable: false },
  schema_mismatch: { status: 422, title: 'The files do not share one schema', retryable: false },
  source_refused: { status: 422, title: 'The address is none that imports may reach', retryable: false },
  source_denied: { status: 422, title: 'The provider does not give the file out', retryable: false },
  source_missing: { status: 422, title: 'The provider has no such file', retryable: false },
  source_unusable: { status: 422, title: 'The provider answers no data', retryable: false },
  source_unavailable: { status: 503, title: 'The provider cannot be reached', retryable: true },
  model_unavailable: { status: 503, title: 'The model does not answer', retryable: true },
  too_many_rows_failed: { status: 422, title: 'Too many rows failed', retryable: false },
  run_budget_exceeded: {
    status: 403,
    title: 'The run used up the tokens or the time of its plan',
    retryable: false,
  },
  run_cancelled: { status: 409, title: 'The run was cancelled', retryable: false },
  run_interrupted: { status: 500, title: 'The run was interrupted', retryable: true },
  run_timed_out: { status: 500, title: 'The run took too long', retryable: false },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>;

export type ErrorCode = keyof typeof errorCatalog;
