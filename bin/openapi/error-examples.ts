import type { ErrorCode } from '#shared/errors/catalog.ts';
import { type ErrorDetail, ServiceError } from '#shared/errors/service-error.ts';
import { toHttpProblem } from '#shared/errors/to-http.ts';
import type { Problem } from '#shared/schema/problem.ts';
import { ids } from './ids.ts';

const bad = (path: string, message: string, extra: Record<string, unknown> = {}): ErrorDetail => ({
  path,
  message,
  ...extra,
});

/** What an error of a code looks like: its shape is the service's, its message names what one request might have been. */
const said: Partial<Record<ErrorCode, string | readonly ErrorDetail[]>> = {
  invalid_request: [bad('estimat', 'is not a known field here; did you mean `estimate`?')],
  malformed_json: 'The body is not valid JSON at line 3, column 1: expected a field name in double quotes.',
  cursor_invalid:
    'The cursor does not belong to this query. Pass next_cursor as it came, with the same filters and order, or leave cursor out to begin at the first page.',
  column_unknown: [
    bad('column_mapping.prompt', 'there is no column "frage"', { available: ['question', 'answer'] }),
  ],
  column_mapping_required: [bad('column_mapping', 'is required to start a run')],
  upload_mismatch: [bad('file_size_bytes', 'is 48213, and the file has 48212 bytes', { actual: 48_212 })],
  upload_missing: [bad('s3_key', 'names no uploaded file')],
  DATASET_COMBINE_VALIDATION_FAILED: [
    bad('dataset_ids', 'One dataset is named; at least 2 are needed.', {
      code: 'too_few_sources',
      level: 'error',
      count: 1,
      limit: 2,
    }),
  ],
  invalid_judge_prompt: [bad('judge_prompt', 'must say what earns which score')],
  domain_unknown: [bad('domains[0]', '"cookery" is no domain; did you mean "cooking_food"?')],
  domain_not_inferred:
    'The prompt fits no domain of the catalog. Name domains or subdomains: GET /api/v1/datasets/invent/domains lists their codes.',
  nothing_to_add: [bad('domain_rows', 'the recommended rows are 19750, for 198 credits')],
  images_unsupported: 'The dataset has images (picture). Rows with images cannot be expanded.',
  topics_unknown: 'No row says what it is about: the mapped columns are empty.',
  language_unsupported: [
    bad('languages[0]', '"German" is no known language; did you mean "de"?', {
      suggestions: ['de'],
      sample: ['ar', 'de', 'en', 'es'],
    }),
  ],
  voucher_invalid: [bad('voucher', 'has expired')],
  approval_unknown: [bad('input[0].approval_request_id', 'is of no call that was proposed')],
  context_too_long: [
    bad(
      'input',
      'the conversation does not fit the context of the model. Shorten it, or send truncation "auto".',
    ),
  ],
  unauthorized:
    'The API key is unknown or has been revoked. The operator of this installation issues keys: npm run admin -- key create --team NAME.',
  credits_insufficient: [bad('credits', 'are not enough', { needed: 3, available: 1 })],
  scope_missing: 'The API key lacks the scope datasets:write. Ask your operator for a key that has it.',
  organization_forbidden: `The API key is not of the organization ${ids.user}. Leave X-Organization-Id out, or use a key of that organization.`,
  tool_not_permitted: [bad('tools[0].server_label', 'is not enabled on the stack', { allowed: ['weather'] })],
  plan_limit_exceeded: [bad('job_specification.max_rows', 'must be at most 10000', { limit: 10_000 })],
  route_not_found: 'There is no such route. Did you mean /api/v1/datasets? The routes are listed at /docs.',
  dataset_not_found: 'There is no such dataset.',
  stack_not_found: 'The team has no stack "support". Check the name, or ask your operator to make it.',
  custom_eval_not_found: 'The dataset has no custom evaluation with this id. List those that it has.',
  training_not_found: 'There is no training with this id in your team. Check the id, or list your trainings.',
  model_not_found: 'There is no model "gpt-x". GET /api/v1/models lists those that there are.',
  combine_job_not_found: 'There is no combine job with this id in your team.',
  response_not_found: `There is no stored response "${ids.response}". Responses are kept for 30 days, and only where store is true.`,
  dataset_running: 'A run is active on the dataset. Wait until it has ended.',
  training_running:
    'A training of this dataset has not ended. Wait until it has, or cancel it, then delete the dataset.',
  training_handing_over:
    'The training is between its two stages and cannot be cancelled just now. Try again in a moment.',
  dataset_not_ready:
    'The dataset holds no rows yet. Its file is still being read: poll its status until row_count is set.',
  payload_too_large:
    'The body has 5242880 bytes; at most 4194304 are taken. Send files to the upload URL instead.',
  format_unsupported: 'Send the body as JSON, with Content-Type: application/json.',
  idempotency_mismatch: 'The idempotency key was sent with another request. Take a new key.',
  dataset_not_adapted: `The dataset ${ids.dataset} has no adapted rows to search. Adapt it, and wait until it has succeeded.`,
  dataset_untrainable: 'The file of the dataset is still being read: wait for its row_count, then adapt it.',
  model_unsupported:
    'model: no trainer of this installation knows "gpt-x"; take one of GET /api/v1/autoscientist/models.',
  model_not_served: `The training ${ids.training} cannot answer: its model is not served.`,
  no_artifact: 'The training has not succeeded, so there is no model to download.',
  model_cannot_see: [bad('column_mapping.image', 'qwen3-4b does not see images')],
  connection_missing: [
    bad(
      'source.access',
      'no Google account is connected to your team. Share the spreadsheet by link and send access "public".',
    ),
  ],
  not_available_yet: [bad('brand_controls.hallucination_mitigation', 'this installation has no web search')],
  no_data_yet: 'The dataset has no rows yet. Wait until its status has a row_count.',
  response_too_large:
    'The response has 6291456 bytes as it is answered, and at most 5242880 can be read at once.',
  model_refused: 'The model’s provider refused the request. Check its tools, images and text format.',
  rate_limited:
    'The plan "default" allows 50 requests a second (requests_per_second). Wait a second, then go on more slowly.',
  model_busy: 'The model has too much to do. Try again in a moment.',
  runs_limit_reached: 'The team has 5 active runs, the most of its plan. Wait until one has ended.',
  internal_error: `The service failed. Try again; if it goes on, tell its operator the request id ${ids.request}.`,
  publish_not_implemented:
    'Publishing is not implemented. Download the dataset and upload it to the platform yourself.',
  service_unavailable: 'The request took longer than 25 seconds. Try again in a moment.',
  index_not_ready: `The search index of the dataset ${ids.dataset} is being built. Ask again in a moment.`,
  export_pending: 'The file is being built. Ask again in half a minute.',
  file_empty: 'The file holds no rows.',
  file_unreadable:
    'The file is not valid JSON: expected "," or "]" after element 0, found "{" (byte 9 of the text). Mend it and upload it again.',
  file_too_large: 'The file has 3221225472 bytes; at most 2147483648 are taken.',
  model_unavailable: 'The installation has no embedding model: its operator sets MODEL_ID_EMBED.',
  run_interrupted: `The dataset ${ids.dataset} was deleted before it was merged.`,
};

/** An error as the service answers it. */
export function errorExample(code: ErrorCode): Problem {
  const saying = said[code];
  if (saying === undefined) throw new Error(`bin/openapi/error-examples.ts has no example of ${code}.`);
  const details = typeof saying === 'string' ? [] : saying;
  const message =
    typeof saying === 'string' ? saying : details.map((each) => `${each.path}: ${each.message}`).join('; ');
  return toHttpProblem(new ServiceError(code, message, { details }), ids.request).body;
}
