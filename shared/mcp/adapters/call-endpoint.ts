import { LambdaClient } from '@aws-sdk/client-lambda';
import { callerToContext } from '#shared/platform/access/caller.ts';
import { invoke } from '#shared/platform/adapters/call-function.ts';
import type { TraceHeaders } from '#shared/platform/trace-context.ts';
import { type EndpointRequest, readEndpointAnswer } from '../decide/endpoint-request.ts';
import type { CallEndpoint } from '../decide/ports.ts';

/** The event that API Gateway makes of a request whose caller an authorizer has let in. */
export function endpointEvent(
  method: string,
  { path, params, query, body }: EndpointRequest,
  context: Readonly<Record<string, string>>,
  trace: TraceHeaders | undefined,
): object {
  return {
    resource: path,
    path,
    httpMethod: method,
    headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...trace },
    multiValueHeaders: {},
    pathParameters: params,
    queryStringParameters: null,
    multiValueQueryStringParameters: query,
    stageVariables: null,
    requestContext: { authorizer: context },
    body,
    isBase64Encoded: false,
  };
}

/**
 * Calls the function of an endpoint directly, as the caller whom the authorizer has found. Scopes, limits and validation are
 * the function's own. A function that fails is a 500, as through the API.
 */
export function createCallEndpoint(
  functionName: (functionId: string) => string,
  trace: () => TraceHeaders | undefined,
): CallEndpoint {
  let client: LambdaClient | undefined;
  return async ({ function_id, method }, caller, request, signal) => {
    client ??= new LambdaClient({});
    const event = endpointEvent(method, request, callerToContext(caller), trace());
    const { text, functionError } = await invoke(client, functionName(function_id), event, signal);
    if (functionError === undefined) return readEndpointAnswer(text);
    return {
      status: 500,
      text: JSON.stringify({
        code: 'internal_error',
        message: 'The service failed. Call the tool again; look first whether it has done its work.',
      }),
    };
  };
}

/** Sends a text to a presigned address of the bucket. @returns the status */
export async function sendText(url: string, text: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(url, { method: 'PUT', body: text, signal });
  await response.body?.cancel();
  return response.status;
}
