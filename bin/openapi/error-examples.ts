import { refusalOfVoucher } from '#shared/access/decide/vouchers/record.ts';
import { resolveExpansion } from '#shared/adaptation/decide/expansion.ts';
import { requireSearch } from '#shared/adaptation/decide/request.ts';
import { requireSight } from '#shared/datasets/decide/mapped-columns.ts';
import { throwUnknownColumns } from '#shared/datasets/decide/unknown-columns.ts';
import { refused } from '#shared/growth/combine-datasets.ts';
import { listIssues } from '#shared/growth/decide/combine/issues.ts';
import { readTopics } from '#shared/growth/decide/invent/invent-request.ts';
import { requireRowsToAdd } from '#shared/growth/decide/pool/augmentation-quote.ts';
import { requireRoom } from '#shared/ingest/decide/quarantine.ts';
import { requireSize, uploadMissing } from '#shared/ingest/decide/upload.ts';
import { requireJudgePrompt } from '#shared/judging/decide/custom-evals/judge-prompt.ts';
import { requireOrganization } from '#shared/platform/access/organization.ts';
import { requestsExceeded } from '#shared/platform/access/plan.ts';
import { openCursor } from '#shared/platform/cursor.ts';
import type { ErrorCode } from '#shared/platform/errors/catalog.ts';
import { malformedJson } from '#shared/platform/errors/malformed-json.ts';
import { type ErrorDetail, ServiceError } from '#shared/platform/errors/service-error.ts';
import { toHttpProblem } from '#shared/platform/errors/to-http.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import type { Problem } from '#shared/platform/schema/problem.ts';
import { approvalUnknown } from '#shared/responses/decide/conversation.ts';
import { requirePermittedServer } from '#shared/responses/decide/stack-rules.ts';
import { requireApplicable } from '#shared/review/decide/review-request.ts';

const ids = {
  dataset: '3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10',
  user: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  training: '8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40',
  response: 'resp_0f6f1d5b8a103f0c5a522c0a4c538f4e',
  request: '4f6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e',
} as const;

const bad = (path: string, message: string, extra: Record<string, unknown> = {}): ErrorDetail => ({
  path,
  message,
  ...extra,
});

interface Worded {
  readonly message: string;
  readonly details: readonly ErrorDetail[];
}

const TOO_LONG =
  'the conversation does not fit the context of the model. Shorten it, or send truncation "auto".';
const GIBIBYTE = 2 ** 30;

/**
 * The message of an error code: a call that throws it, or the text of one. `test/bin/error-examples.test.ts` finds
 * texts that the service does not use.
 */
const said: Partial<Record<ErrorCode, (() => unknown) | string | readonly ErrorDetail[] | Worded>> = {
  invalid_request: [bad('estimat', 'is not a known field here; did you mean `estimate`?')],
  malformed_json: () => malformedJson('{\n  "input": "Hello",\n}', undefined),
  cursor_invalid: () => openCursor('cursor', 'query', 'key'),
  column_unknown: () => throwUnknownColumns([['column_mapping.prompt', 'qestion']], ['question', 'answer']),
  column_mapping_required: [bad('column_mapping', 'is required to start a run')],
  upload_mismatch: () => requireSize(48_212, 48_213, 2 * GIBIBYTE),
  upload_missing: () => uploadMissing('s3_key'),
  DATASET_COMBINE_VALIDATION_FAILED: () => refused(listIssues([ids.dataset])),
  invalid_judge_prompt: () => requireJudgePrompt('Score each answer from 0 to 10.'),
  domain_unknown: () => readTopics({ domains: ['cookery'], rows: 100 }, null),
  domain_not_inferred:
    'The prompt fits no domain of the catalog. Name domains or subdomains: GET /api/v1/datasets/invent/domains lists their codes.',
  nothing_to_add: () =>
    requireRowsToAdd(
      {
        domain_rows: 19_750,
        general_rows: 0,
        similar_rows: 0,
        rows: 19_750,
        credits: 198,
        is_explicit: false,
      },
      false,
    ),
  images_unsupported: {
    message:
      'The dataset has images (picture_url), and only text rows can be expanded. Upload it without image columns.',
    details: [bad('dataset_id', 'has images in picture_url')],
  },
  topics_unknown: {
    message:
      'The topics of the dataset are unknown: the dataset has no prompt column. Upload it with a prompt in each row.',
    details: [bad('dataset_id', 'has no prompts')],
  },
  language_unsupported: () =>
    resolveExpansion({ type: 'translate', languages: ['German'], sample_rate: 1 }, null),
  voucher_invalid: () => refusalOfVoucher(null, ids.user, '2026-01-01T00:00:00.000Z'),
  approval_unknown: () => approvalUnknown('mcpr_0f6f1d5b8a10'),
  context_too_long: {
    message: `input: ${TOO_LONG}`,
    details: [bad('input', TOO_LONG)],
  },
  unauthorized:
    'The API key is unknown or has been revoked. The operator of this installation issues keys: npm run admin -- key create --team NAME.',
  credits_insufficient: {
    message:
      'This run needs 3 credits and the team has 1 available. Ask your operator for credits, or take fewer rows with max_rows.',
    details: [bad('credits', 'needs 3, available 1', { needed: 3, available: 1 })],
  },
  scope_missing: 'The API key lacks the scope datasets:write. Ask your operator for a key that has it.',
  organization_forbidden: () => requireOrganization({ organization_id: ids.dataset }, ids.user),
  tool_not_permitted: () =>
    requirePermittedServer(
      { tool_labels: ['weather'], server_hosts: [] },
      { server_label: 'calendar' },
      'tools[0]',
    ),
  plan_limit_exceeded: [bad('job_specification.max_rows', 'must be at most 10000', { limit: 10_000 })],
  route_not_found: 'There is no such route. The routes are listed at /docs.',
  dataset_not_found: 'There is no such dataset.',
  run_not_found:
    'The dataset has no adaptation with this id. Take the run_id that the start of the adaptation answered.',
  version_not_found:
    'The dataset has no version 9, or it was deleted. GET /api/v1/datasets/{dataset_id}/versions lists the versions.',
  version_in_use: 'Reads that name no version mean version 4. Adapt the dataset again, then delete it.',
  row_not_found: 'The dataset has no row 250: its rows are 0 to 249.',
  stack_not_found: 'The team has no stack "support". Check the name, or ask your operator to make it.',
  schema_mismatch:
    'Row 1, column "answer": the value is a number, and the column holds text. Appended rows have the columns and types of the dataset; nothing was appended.',
  append_not_found: 'The dataset has no append with this id. Take the append_id that the request answered.',
  pilot_not_found: 'The dataset has no pilot with this id. List those that it has.',
  pilot_running: 'A pilot of this dataset has not ended. Wait until it has, or cancel it.',
  pilot_without_winner:
    'The pilot recommends no arm. Name the arm to run in pilot_arm, or send the settings without pilot_id.',
  pilot_outdated:
    'The dataset changed since the pilot, so its results no longer hold. Run another pilot, or send the settings without pilot_id.',
  batch_not_found:
    'There is no batch with this id in your team, or its 30 days are over. Check the id, or list your batches.',
  eval_not_found: 'There is no eval with this id in your team. Check the id, or list your evals.',
  custom_eval_not_found: 'The dataset has no custom evaluation with this id. List those that it has.',
  training_not_found: 'There is no training with this id in your team. Check the id, or list your trainings.',
  comparison_not_found:
    'There is no comparison with this id in your team. Check the id, or list your comparisons.',
  model_not_found: 'There is no model "gpt-x". GET /api/v1/models lists all models.',
  combine_job_not_found: 'There is no combine job with this id in your team.',
  webhook_not_found: 'Your team has no webhook with this id. List those that it has.',
  delivery_not_found:
    'The webhook has no delivery of the position 17. List those that it has; they are kept for 30 days.',
  webhook_disabled:
    'The webhook is disabled. Enable it first: POST /api/v1/webhooks/{webhook_id} with {"status": "enabled"}.',
  webhooks_limit_reached:
    'A team has 10 webhooks at most. Delete one, or send several types of events to one.',
  deployments_limit_reached:
    'A team may have 3 deployed models. Delete the deployment of one that is not used.',
  response_not_found: `There is no stored response "${ids.response}". Responses are kept for 30 days, and only where store is true.`,
  dataset_running:
    'Run 7d1f0a52-6c1e-4f43-9d0e-3b8b9f1f6a10 is active on the dataset. Wait until it has ended.',
  training_running:
    'A training of this dataset has not ended. Wait until it has, or cancel it, then delete the dataset.',
  training_handing_over:
    'The training is between its two stages and cannot be cancelled just now. Try again in a moment.',
  dataset_not_ready:
    'The dataset holds no rows yet. Its file is still being read: poll its status until row_count is set.',
  rows_pending:
    'The index of the rows is being built, or waits for another one of the team. Try again in 10 seconds.',
  payload_too_large:
    'The body has 5242880 bytes; at most 4194304 are taken. Send files to the upload URL instead.',
  format_unsupported: 'Send the body as JSON, with Content-Type: application/json.',
  idempotency_mismatch:
    'This idempotency key belongs to another request. Repeat that request unchanged, or send a new key.',
  dataset_not_adapted: `The dataset ${ids.dataset} has no adapted rows to search. Adapt it, and wait until it has succeeded.`,
  dataset_untrainable: 'The file of the dataset is still being read: wait for its row_count, then adapt it.',
  model_unsupported:
    'model: no trainer of this installation supports "gpt-x"; choose one of GET /api/v1/autoscientist/models.',
  model_not_served: `The training ${ids.training} cannot answer: its model is not served here. Deploy it (POST /api/v1/autoscientist/{id}/deploy), or download it.`,
  model_not_deployable:
    'Amazon Bedrock imports models that were trained from openai/gpt-oss-20b in us-east-1, and this installation is in eu-central-1. Download the model, and serve it elsewhere.',
  nothing_to_apply: () => requireApplicable({ mended: 0, wrong: 4 }, 'keep'),
  no_artifact: 'The training has not ended. Poll it until download_available is true.',
  model_cannot_see: () =>
    requireSight({ prompt: 'question', image: 'picture' }, { id: 'qwen3-4b', seesImages: false }),
  connection_missing: {
    message:
      'source.access: no Google account is connected to your team. Share the spreadsheet by link and send access "public".',
    details: [bad('source.access', 'no Google account is connected; send "public"')],
  },
  not_available_yet: () => requireSearch({ brand_controls: { hallucination_mitigation: true } }, false),
  no_data_yet: 'The dataset has no rows yet. Wait until its status has a row_count.',
  dataset_too_large:
    'The dataset has too many rows, or too much text, to be shown row by row. Download it instead.',
  response_too_large:
    'The response has 6291456 bytes; the limit of one read is 5242880. Omit include, or continue with previous_response_id: input_items of the next response list its items.',
  model_refused: 'The model’s provider refused the request. Check its tools, images and text format.',
  rate_limited: () => requestsExceeded(DEFAULT_PLAN),
  model_busy: 'The model is overloaded. Try again in a moment.',
  model_quota_exhausted:
    'The quota of the model is used up. Try again when its day is over, or choose another model.',
  runs_limit_reached:
    'The plan allows 5 runs at once (runs_at_once) and 5 are active. Wait until one has ended.',
  uploads_limit_reached: () => requireRoom(20 * GIBIBYTE, 0, 20 * GIBIBYTE),
  internal_error: `The service failed. Try again; if it goes on, tell its operator the request id ${ids.request}.`,
  publish_not_implemented:
    'Publishing to Hugging Face needs a connection of your team, which an operator stores. Or download the dataset and upload it yourself.',
  publication_active:
    'Another publication of your team is under way. Publish again when it has ended, or in an hour.',
  publication_not_found: 'The dataset has no publication with this id.',
  service_unavailable: 'The request took longer than 25 seconds. Try again in a moment.',
  index_not_ready: `The search index of the dataset ${ids.dataset} is being built. Try again in a moment.`,
  export_failed:
    'The parquet file could not be built from these rows. Download another format, such as jsonl, and tell the operator of this installation; after five minutes a request builds it again.',
  export_pending: 'The file is being built. Try again in 30 seconds.',
  file_empty: 'The file holds no rows. Upload a file with one JSON object on each line.',
  file_unreadable:
    'The file ends before its array is closed, after 12 whole objects. It may have been cut off; upload it again.',
  file_too_large: () => requireSize(3 * GIBIBYTE, 3 * GIBIBYTE, 2 * GIBIBYTE),
  model_unavailable: 'The installation has no embedding model: its operator sets MODEL_ID_EMBED.',
  run_interrupted: `The dataset ${ids.dataset} was deleted before its rows were read.`,
};

/** The codes with an example, and those whose example is written here. */
export const exampleCodes = Object.keys(said) as ErrorCode[];
export const wordedCodes = exampleCodes.filter((code) => typeof said[code] !== 'function');

/** An error in the service's format. */
export function errorExample(code: ErrorCode): Problem {
  const saying = said[code];
  if (saying === undefined) throw new Error(`bin/openapi/error-examples.ts has no example of ${code}.`);
  return toHttpProblem(errorOf(code, saying), ids.request).body;
}

function errorOf(code: ErrorCode, saying: NonNullable<(typeof said)[ErrorCode]>): unknown {
  if (typeof saying === 'function') return caught(saying);
  if (typeof saying === 'string') return new ServiceError(code, saying);
  const { message, details } = 'message' in saying ? saying : worded(saying);
  return new ServiceError(code, message, { details });
}

const worded = (details: readonly ErrorDetail[]): Worded => ({
  message: details.map(({ path, message }) => `${path}: ${message}`).join('; '),
  details,
});

/** The error that a call throws or returns. */
function caught(refuse: () => unknown): unknown {
  try {
    return refuse();
  } catch (error) {
    return error;
  }
}
