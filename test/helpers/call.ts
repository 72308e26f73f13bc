import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { expect } from 'vitest';
import type * as z from 'zod';
import { type Caller, callerToContext } from '#shared/platform/access/caller.ts';
import type { RateLimiter } from '#shared/platform/access/repository.ts';
import { type EndpointContract, errorsOf } from '#shared/platform/contracts/endpoint.ts';
import type { Needs, Use } from '#shared/platform/runtime/need.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import { Problem } from '#shared/platform/schema/problem.ts';

export interface Request {
  /** Absent for a request that no authorizer has let in. */
  readonly as?: Caller;
  readonly params?: Readonly<Record<string, string>>;
  /** A list stands for a name that comes several times. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON, or as it is when it is text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form where there is no body; a file with its name. */
  readonly form?: Readonly<Record<string, string | readonly [name: string, content: string]>>;
}

type BodyOf<C extends EndpointContract> = C['response'] extends z.ZodType ? z.output<C['response']> : never;

export interface Response<C extends EndpointContract> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it was sent. */
  readonly text: string;
  /** The answer; throws, saying the problem, where there is none. */
  readonly body: BodyOf<C>;
  /** The error; throws, saying the answer, where there is none. */
  readonly problem: Problem;
}

export const context = (requestId: string = randomUUID()): Context =>
  ({
    awsRequestId: requestId,
    functionName: 'tested-function',
    getRemainingTimeInMillis: () => 30_000,
  }) as Context;

const BOUNDARY = 'boundary-of-the-form';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const encodeForm = (form: NonNullable<Request['form']>): string =>
  [
    ...Object.entries(form).map(([name, value]) => {
      const [file, content] =
        typeof value === 'string' ? ['', value] : [`; filename="${value[0]}"`, value[1]];
      return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
    }),
    `--${BOUNDARY}--\r\n`,
  ].join('');

/** The event that API Gateway makes of a request. */
export function eventOf(contract: EndpointContract, request: Request): APIGatewayProxyEvent {
  const { as, params = {}, query = {}, headers = {} } = request;
  const form = request.body === undefined ? request.form : undefined;
  const body = form === undefined ? request.body : encodeForm(form);
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    resource: contract.path,
    path: contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''),
    httpMethod: contract.method,
    headers: {
      ...(text === null ? {} : { 'Content-Type': form === undefined ? 'application/json' : FORM_TYPE }),
      ...headers,
    },
    multiValueHeaders: {},
    pathParameters: { ...params },
    queryStringParameters: null,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? [value] : [...value]]),
    ),
    stageVariables: null,
    requestContext: { authorizer: as === undefined ? {} : callerToContext(as) },
    body: form === undefined || text === null ? text : Buffer.from(text).toString('base64'),
    isBase64Encoded: form !== undefined,
  } as unknown as APIGatewayProxyEvent;
}

/**
 * Sends a request to the real handler on the resources of `use`, with `replacements` for some of its needs. The answer is
 * held against the contract: its status, its schema, and that its error code is a declared one.
 */
export async function call<C extends EndpointContract, N extends Needs>(
  handler: ServedHandler<C, N>,
  request: Request,
  replacements: Readonly<Record<string, unknown>> & { readonly rateLimiter?: RateLimiter } = {},
  use?: Use,
): Promise<Response<C>> {
  const { contract, needs } = handler;
  const own = Object.entries(replacements).filter(([name]) => name in needs || name === 'rateLimiter');
  const served = handler.with(Object.fromEntries(own) as never, use);
  const result = await served(eventOf(contract, request), context());

  const { statusCode: status, body: text } = result;
  const headers = result.headers as Record<string, string>;
  if (status >= 400) {
    const problem = Problem.parse(JSON.parse(text));
    expect(errorsOf(contract)).toContain(problem.code);
    expect(problem).toMatchObject({ statusCode: status, request_id: headers['x-request-id'] });
    return {
      status,
      headers,
      text,
      problem,
      get body(): never {
        throw new Error(`The request failed with ${status}: ${problem.message}`);
      },
    };
  }
  const isAccepted = status === 202 && contract.accepted !== undefined;
  const schema = isAccepted ? contract.accepted : contract.response;
  if (!isAccepted) expect(status).toBe(contract.status);
  return {
    status,
    headers,
    text,
    body: (schema === undefined ? undefined : schema.parse(JSON.parse(text))) as BodyOf<C>,
    get problem(): never {
      throw new Error(`The request succeeded with ${status}: ${text}`);
    },
  };
}
