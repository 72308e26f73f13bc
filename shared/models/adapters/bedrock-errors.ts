import { parseRetryAfter } from '#shared/platform/adapters/retry-after.ts';
import { own } from '#shared/platform/own.ts';
import { ModelError, type ModelFailureKind } from '../decide/port.ts';

const KINDS: Readonly<Record<string, ModelFailureKind>> = {
  ThrottlingException: 'throttled',
  ServiceQuotaExceededException: 'throttled',
  TooManyRequestsException: 'throttled',
  InternalServerException: 'unavailable',
  ServiceUnavailableException: 'unavailable',
  ModelNotReadyException: 'unavailable',
  ModelErrorException: 'unavailable',
  ModelStreamErrorException: 'unavailable',
  ConflictException: 'unavailable',
  ModelTimeoutException: 'timeout',
  TimeoutError: 'timeout',
  AccessDeniedException: 'misconfigured',
  ResourceNotFoundException: 'misconfigured',
  UnrecognizedClientException: 'misconfigured',
  InvalidSignatureException: 'misconfigured',
  ExpiredTokenException: 'misconfigured',
  CredentialsProviderError: 'misconfigured',
  ValidationException: 'rejected',
};

/**
 * Errors about a part of the request: its path in `POST /responses`, and a message that replaces Bedrock's, which may
 * quote the request.
 */
const REFUSALS: readonly (readonly [field: string, told: string, pattern: RegExp])[] = [
  [
    'text.format',
    ': it does not take the JSON schema',
    /output_?config|json_?schema|structured output|text_?format|response_?format|grammar|schema is too complex/i,
  ],
  [
    'temperature',
    ': the model takes temperature or top_p, not both',
    /\btemperature\b.{1,20}\btop_?p\b.{1,40}\b(both|only one)\b/i,
  ],
  [
    'temperature',
    ': the model takes other temperatures',
    /\btemperature\b.{0,80}\b(range|between|(less|greater) than)\b/i,
  ],
  ['temperature', ': the model does not take a temperature', /\btemperature\b/i],
  ['top_p', ': the model does not take top_p', /\btop_?p\b/i],
  ['max_output_tokens', ': the model does not write that many tokens', /max(imum)?_?\s?tokens|max_gen_len/i],
];

/**
 * How a refusal tells that the subscription to a model in the AWS Marketplace, which the account's first call begins, is
 * still being made. It takes up to 15 minutes and ends by itself, other than a subscription that "cannot be completed".
 * https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html (MPAgreementBeingCreated)
 */
const SUBSCRIBING =
  /marketplace subscription for this model is still being processed|marketplace agreement (is )?pending/i;

/**
 * How a ValidationException tells that it is about the model's id or the account, and not about the request: every request is refused
 * alike. "The provided model identifier is invalid.", "Invocation of model ID … with on-demand throughput isn’t supported. Retry your
 * request with the ID or ARN of an inference profile that contains this model.", "Operation not allowed", of accounts that may not use
 * a model: https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html
 */
const OF_THE_MODEL =
  /model identifier is invalid|on-demand throughput isn.?t supported|^operation not allowed\.?$/i;

/** How a throttled call tells that the tokens of the day are used up: "Too many tokens per day, please wait …". */
const OF_THE_DAY = /per day/i;

const ACCESS_ADVICE =
  'check the id of the model (some models are called by an inference profile alone), that the account has access to it in this region, and that the role may invoke it';

/** A request that does not fit the model's context. */
const TOO_LONG = /too long|too many (input )?tokens|context (length|window)/i;

export const isTooLong = (message: string): boolean => TOO_LONG.test(message);

const refusalOf = (message: string) => REFUSALS.find(([, , pattern]) => pattern.test(message));

/** The part of a request that an error message refuses, as its path in `POST /responses`; undefined for any other error. */
export const refusedPart = (message: string): string | undefined =>
  isTooLong(message) ? undefined : refusalOf(message)?.[0];

/** @param advice what to check where the configuration is at fault */
export function toModelError(error: unknown, advice: string = ACCESS_ADVICE): ModelError {
  if (error instanceof ModelError) {
    return error;
  }
  const { name, message, $metadata, $response } = error as {
    name?: string;
    message?: string;
    $metadata?: { httpStatusCode?: number };
    $response?: { headers?: Record<string, string> };
  };
  const status = $metadata?.httpStatusCode;
  const isSubscribing = tellsOfSubscribing(name, message ?? '');
  const kind = kindOf(name, status, message ?? '');
  const said = `Bedrock answered ${name ?? 'an error'}${status === undefined ? '' : ` (${status})`}`;
  if (kind === 'rejected' && isTooLong(message ?? '')) {
    return new ModelError('too_long', `${said}: the request does not fit the model's context`, {
      cause: error,
    });
  }
  if (kind === 'misconfigured') {
    return new ModelError(kind, `${said}: ${advice}`, { cause: error });
  }
  if (kind === 'rejected') {
    const [requestField, told = ''] = refusalOf(message ?? '') ?? [];
    return new ModelError(kind, `${said}${told}`, { requestField, cause: error });
  }
  const retryAfterSeconds = parseRetryAfter($response?.headers?.['retry-after'], Date.now());
  if (kind === 'throttled' && OF_THE_DAY.test(message ?? '')) {
    return new ModelError('exhausted', `${said}: the model's tokens of this day are used up`, {
      retryAfterSeconds,
      cause: error,
    });
  }
  const why = isSubscribing ? ": the account's subscription to the model is still being made" : '';
  return new ModelError(kind, `${said}${why}`, { retryAfterSeconds, cause: error });
}

const tellsOfSubscribing = (name: string | undefined, message: string): boolean =>
  name === 'MPAgreementBeingCreated' || SUBSCRIBING.test(message);

function kindOf(name: string | undefined, status: number | undefined, message: string): ModelFailureKind {
  if (tellsOfSubscribing(name, message)) return 'unavailable';
  const kind = own(KINDS, name ?? '') ?? kindOfStatus(status);
  return kind === 'rejected' && OF_THE_MODEL.test(message) ? 'misconfigured' : kind;
}

/** Errors without a status are connection errors. */
function kindOfStatus(status: number | undefined): ModelFailureKind {
  if (status === undefined || status >= 500) {
    return 'unavailable';
  }
  return status === 429 ? 'throttled' : status === 408 ? 'timeout' : 'rejected';
}
