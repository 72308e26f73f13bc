import {
  type ResponseType as GatewayResponseType,
  ResponseType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { CORS_EXPOSED_HEADERS } from '#shared/platform/contracts/cors.ts';
import type { ErrorCode } from '#shared/platform/errors/catalog.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { toHttpProblem } from '#shared/platform/errors/to-http.ts';

interface GatewayProblem {
  readonly type: GatewayResponseType;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

const ROUTE = 'There is no such route. The routes are listed at /docs.';
const ISSUED = 'The operator of this installation issues keys: npm run admin -- key create --team NAME.';
const NO_KEY =
  'The API key is missing or malformed: a key of this service begins with pt_live_, and a mistyped one counts as malformed. ' +
  'Send it as "Authorization: Bearer pt_live_…", with the word Bearer (npm run local writes one to .local/env). ' +
  ISSUED;
const UNKNOWN_KEY = `The API key is unknown or has been revoked. ${ISSUED}`;
const LATER = 'The service did not answer in time. Try again in a moment.';
const UNCHECKED = 'The service is too busy to check the API key. Try again in a moment.';
const FAILED = 'The service failed. Try again; if it goes on, tell its operator the request id.';

/**
 * Responses that API Gateway itself sends, before or instead of a function. No route is signed or restricted to a
 * network, so signature errors only occur on routes that do not exist. The fallback route handles those, and unknown
 * methods; what reaches neither, such as the root, is a 404 here.
 */
export const gatewayProblems: readonly GatewayProblem[] = [
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, code: 'route_not_found', message: ROUTE },
  { type: ResponseType.RESOURCE_NOT_FOUND, code: 'route_not_found', message: ROUTE },
  { type: ResponseType.INVALID_SIGNATURE, code: 'route_not_found', message: ROUTE },
  { type: ResponseType.EXPIRED_TOKEN, code: 'route_not_found', message: ROUTE },
  { type: ResponseType.UNAUTHORIZED, code: 'unauthorized', message: NO_KEY },
  // The authorizer only denies callers with an unknown key.
  { type: ResponseType.ACCESS_DENIED, code: 'unauthorized', message: UNKNOWN_KEY },
  {
    type: ResponseType.BAD_REQUEST_BODY,
    code: 'invalid_request',
    message: 'The body of the request is not valid.',
  },
  {
    type: ResponseType.BAD_REQUEST_PARAMETERS,
    code: 'invalid_request',
    message: 'A parameter of the request is not valid.',
  },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    code: 'payload_too_large',
    message: 'The request is too large. Send files to the upload URL instead.',
  },
  {
    type: ResponseType.UNSUPPORTED_MEDIA_TYPE,
    code: 'format_unsupported',
    message: 'Send the body as JSON, with Content-Type: application/json.',
  },
  {
    type: ResponseType.THROTTLED,
    code: 'rate_limited',
    message: 'Too many requests reach this installation. Try again in a second.',
    retryAfterSeconds: 1,
  },
  {
    type: ResponseType.QUOTA_EXCEEDED,
    code: 'rate_limited',
    message: 'Too many requests reach this installation. Try again in a minute.',
    retryAfterSeconds: 60,
  },
  {
    type: ResponseType.WAF_FILTERED,
    code: 'rate_limited',
    message: 'Too many requests come from this address. Try again in five minutes.',
    retryAfterSeconds: 300,
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    code: 'service_unavailable',
    message: LATER,
    retryAfterSeconds: 5,
  },
  {
    type: ResponseType.INTEGRATION_FAILURE,
    code: 'service_unavailable',
    message: LATER,
    retryAfterSeconds: 5,
  },
  // Lambda has no place for the authorizer, or the authorizer does not reach its table: the request itself is good.
  {
    type: ResponseType.AUTHORIZER_FAILURE,
    code: 'service_unavailable',
    message: UNCHECKED,
    retryAfterSeconds: 5,
  },
  {
    type: ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
    code: 'service_unavailable',
    message: UNCHECKED,
    retryAfterSeconds: 5,
  },
  { type: ResponseType.API_CONFIGURATION_ERROR, code: 'internal_error', message: FAILED },
  { type: ResponseType.DEFAULT_4XX, code: 'invalid_request', message: 'The request is not valid.' },
  { type: ResponseType.DEFAULT_5XX, code: 'internal_error', message: FAILED },
];

/**
 * Gives the gateway's own responses the format of all other errors. A mapping cannot compare origins; if any page may
 * call the API, every page may read these responses, which contain no private data.
 */
export function addGatewayResponses(api: RestApi, corsOrigins: readonly string[]): void {
  const always = {
    'cache-control': 'no-store',
    'x-request-id': '$context.requestId',
    ...(corsOrigins.length === 0
      ? {}
      : { 'access-control-allow-origin': '*', 'access-control-expose-headers': CORS_EXPOSED_HEADERS }),
  };
  for (const { type, code, message, retryAfterSeconds } of gatewayProblems) {
    const { status, headers, body } = toHttpProblem(
      new ServiceError(code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      '$context.requestId',
    );
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      responseHeaders: Object.fromEntries(
        Object.entries({ ...headers, ...always }).map(([name, value]) => [
          name,
          value.startsWith('$') ? value.slice(1) : `'${value}'`,
        ]),
      ),
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
}
