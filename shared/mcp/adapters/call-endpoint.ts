import { LambdaClient } from '@aws-sdk/client-lambda';
import { callerToContext } from '#shared/platform/access/caller.ts';
import { invoke } from '#shared/platform/adapters/call-function.ts';
import type { TraceHeaders } from '#shared/platform/trace-context.ts';
import { type EndpointReply, type EndpointRequest, readEndpointReply } from '../decide/endpoint-request.ts';
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

/** Bytes of an event that Lambda takes with room for its own: 6 MB. */
const EVENT_BYTES_MAX = 6_000_000;

const problem = (status: number, code: string, message: string): EndpointReply => ({
  status,
  text: JSON.stringify({ code, message }),
});

/**
 * Calls the function of an endpoint directly, as the caller whom the authorizer has found. Scopes, limits and validation are
 * the function's own. A function that fails is a 500, as through the API.
 */
export function createCallEndpoint(
  functionName: (functionId: string) => string,
  trace: () => TraceHeaders | undefined,
  onFailure: (error: unknown) => void,
): CallEndpoint {
  let client: LambdaClient | undefined;
  return async ({ function_id, method }, caller, request, signal) => {
    // A repeated invocation could do its work twice.
    client ??= new LambdaClient({ maxAttempts: 1 });
    const event = endpointEvent(method, request, callerToContext(caller), trace());
    if (Buffer.byteLength(JSON.stringify(event)) > EVENT_BYTES_MAX) {
      return problem(413, 'payload_too_large', 'The arguments are too long. Send less at once.');
    }
    try {
      const { text, functionError } = await invoke(client, functionName(function_id), event, signal);
      if (functionError === undefined) return readEndpointReply(text);
    } catch (error) {
      signal.throwIfAborted();
      // What AWS says names the account and its functions.
      onFailure(error);
    }
    return problem(
      500,
      'internal_error',
      'The service failed. Call the tool again; look first whether it has done its work.',
    );
  };
}

/** Sends a text to a presigned address of the bucket. @returns the status */
export async function putText(url: string, text: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(url, { method: 'PUT', body: text, signal });
  await response.body?.cancel();
  return response.status;
}
