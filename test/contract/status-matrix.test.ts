import { expect, test } from 'vitest';
import { errorsOf } from '#shared/platform/contracts/endpoint.ts';
import { type ErrorCode, errorCatalog } from '#shared/platform/errors/catalog.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { toHttpProblem } from '#shared/platform/errors/to-http.ts';
import { contracts } from '#shared/service/contracts/index.ts';

/** Clients match on codes and statuses: a change here is a change of the API. */
const matrix: Record<ErrorCode, [status: number, retryable: boolean]> = {
  invalid_request: [400, false],
  malformed_json: [400, false],
  cursor_invalid: [400, false],
  column_unknown: [400, false],
  column_mapping_required: [400, false],
  upload_mismatch: [400, false],
  upload_missing: [400, false],
  DATASET_COMBINE_VALIDATION_FAILED: [400, false],
  language_unsupported: [400, false],
  nothing_to_add: [400, false],
  domain_unknown: [400, false],
  domain_not_inferred: [400, false],
  images_unsupported: [400, false],
  topics_unknown: [400, false],
  voucher_invalid: [400, false],
  approval_unknown: [400, false],
  append_not_found: [404, false],
  version_not_found: [404, false],
  version_in_use: [409, false],
  context_too_long: [400, false],
  unauthorized: [401, false],
  credits_insufficient: [402, false],
  scope_missing: [403, false],
  organization_forbidden: [403, false],
  tool_not_permitted: [403, false],
  plan_limit_exceeded: [403, false],
  route_not_found: [404, false],
  dataset_not_found: [404, false],
  run_not_found: [404, false],
  stack_not_found: [404, false],
  training_not_found: [404, false],
  comparison_not_found: [404, false],
  combine_job_not_found: [404, false],
  webhook_not_found: [404, false],
  delivery_not_found: [404, false],
  model_not_found: [404, false],
  row_not_found: [404, false],
  custom_eval_not_found: [404, false],
  batch_not_found: [404, false],
  eval_not_found: [404, false],
  pilot_not_found: [404, false],
  dataset_not_adapted: [422, false],
  invalid_judge_prompt: [400, false],
  response_not_found: [404, false],
  method_not_allowed: [405, false],
  dataset_running: [409, false],
  training_running: [409, false],
  pilot_running: [409, false],
  webhook_disabled: [409, false],
  webhooks_limit_reached: [409, false],
  deployments_limit_reached: [409, false],
  pilot_without_winner: [409, false],
  pilot_outdated: [409, false],
  training_handing_over: [409, true],
  dataset_not_ready: [409, false],
  rows_pending: [409, true],
  payload_too_large: [413, false],
  file_too_large: [413, false],
  format_unsupported: [415, false],
  idempotency_mismatch: [422, false],
  dataset_untrainable: [422, false],
  model_unsupported: [422, false],
  model_not_served: [422, false],
  model_not_deployable: [422, false],
  nothing_to_apply: [422, false],
  no_artifact: [422, false],
  model_cannot_see: [422, false],
  not_available_yet: [422, false],
  no_data_yet: [422, false],
  file_empty: [422, false],
  file_unreadable: [422, false],
  too_many_rows_failed: [422, false],
  connection_missing: [422, false],
  schema_mismatch: [422, false],
  source_refused: [422, false],
  source_denied: [422, false],
  source_missing: [422, false],
  source_unusable: [422, false],
  dataset_too_large: [422, false],
  response_too_large: [422, false],
  model_refused: [422, false],
  rate_limited: [429, true],
  model_busy: [429, true],
  runs_limit_reached: [429, false],
  uploads_limit_reached: [429, false],
  internal_error: [500, true],
  run_budget_exceeded: [403, false],
  run_cancelled: [409, false],
  run_interrupted: [500, true],
  run_not_started: [503, true],
  run_timed_out: [500, false],
  publish_not_implemented: [501, false],
  publication_active: [409, false],
  publication_not_found: [404, false],
  service_unavailable: [503, true],
  export_failed: [422, false],
  export_pending: [503, true],
  index_not_ready: [503, true],
  model_unavailable: [503, true],
  model_quota_exhausted: [503, false],
  source_unavailable: [503, true],
  trainer_failed: [500, true],
  trainer_lacks_capacity: [503, true],
  trainer_lost: [500, true],
  trainer_never_started: [503, true],
  trainer_refused: [422, false],
};

const codes = Object.keys(matrix) as ErrorCode[];

test('every code has its status and says whether the same request can succeed later', () => {
  const actual = Object.fromEntries(
    Object.entries(errorCatalog).map(([code, { status, retryable }]) => [code, [status, retryable]]),
  );

  expect(actual).toEqual(matrix);
});

test.each(codes)('%s: clients that repeat 409, 429 and 5xx are told whether to', (code) => {
  const { status, headers } = toHttpProblem(new ServiceError(code, 'm'), 'r');
  const [expected, retryable] = matrix[code];

  const isRepeated = expected === 409 || expected === 429 || expected >= 500;
  expect(status).toBe(expected);
  expect(headers['x-should-retry']).toBe(isRepeated ? String(retryable) : undefined);
});

test('every code that is not of a run alone can be answered by some endpoint, or by the fallback route', () => {
  const answered = new Set<ErrorCode>([
    ...contracts.flatMap((contract) => errorsOf(contract)),
    'method_not_allowed',
  ]);
  const ofRunsAlone: ErrorCode[] = [
    'run_budget_exceeded',
    'run_cancelled',
    'run_interrupted',
    'run_not_started',
    'run_timed_out',
    'source_denied',
    'source_missing',
    'source_refused',
    'source_unavailable',
    'source_unusable',
    'too_many_rows_failed',
    'trainer_failed',
    'trainer_lacks_capacity',
    'trainer_lost',
    'trainer_never_started',
    'trainer_refused',
  ];

  expect(codes.filter((code) => !answered.has(code)).sort()).toEqual(ofRunsAlone);
});
