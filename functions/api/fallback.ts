import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { toHttpProblem } from '#shared/platform/errors/to-http.ts';
import { corsHeaders, preflightHeaders } from '#shared/platform/runtime/cors.ts';
import { beginLog, logger } from '#shared/platform/runtime/logger.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { explainUnknownRoute } from '#shared/service/decide/unknown-route.ts';

const LISTED = 'The routes are listed at /docs.';

/**
 * Answers preflight requests of allowed origins, and requests without a route: 405 with `Allow` for a known path, else
 * 404 with a suggested route.
 */
const answer = async (
  event: Pick<APIGatewayProxyEvent, 'httpMethod' | 'pathParameters' | 'headers'>,
  context: Pick<Context, 'awsRequestId'>,
): Promise<APIGatewayProxyResult> => {
  const requestId = context.awsRequestId;
  beginLog({ request_id: requestId });
  const preflight = preflightHeaders(event);
  if (preflight !== null)
    return { statusCode: 204, headers: { ...preflight, 'x-request-id': requestId }, body: '' };
  const unknown = explainUnknownRoute(`/${event.pathParameters?.proxy ?? ''}`, contracts);
  const allow = unknown.allow?.join(', ') ?? null;
  const lead = allow === null ? 'There is no such route.' : `This route takes ${allow}.`;
  const error = new ServiceError(
    allow === null ? 'route_not_found' : 'method_not_allowed',
    [lead, unknown.hint, LISTED].filter((part) => part !== null).join(' '),
  );
  const { status, headers, body } = toHttpProblem(error, requestId);
  // The path is not logged: it is untrusted text.
  logger.info('request', { route: 'fallback', status, code: body.code });
  return {
    statusCode: status,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...corsHeaders(event),
      ...(allow === null ? {} : { allow }),
    },
    body: JSON.stringify(body),
  };
};

export const handler = Object.assign(answer, { needs: {} });
