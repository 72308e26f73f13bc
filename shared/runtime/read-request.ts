import type middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod';
import type { EndpointContract } from '../contracts/endpoint.ts';
import { type Caller, parseCaller } from '../domain/access/caller.ts';
import { requireOrganization } from '../domain/access/organization.ts';
import type { RateLimiter } from '../domain/access/repository.ts';
import { parseInput } from '../errors/from-zod.ts';
import { findJsonFault } from '../errors/json-position.ts';
import { ServiceError } from '../errors/service-error.ts';
import { IdempotencyKey, OrganizationId } from '../schema/common.ts';

/** Largest body of a request, in bytes. API Gateway takes 10 MB, Lambda 6 MB: this stays clear of both. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** Told to those who send a file as a form. */
const UPLOADING =
  'To upload a file, create a dataset with POST /api/v1/datasets and PUT the file to the URL that it answers.';

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

export interface ServeInput<C extends EndpointContract> {
  /** Who asks; only routes without a scope have none. */
  readonly caller: C['scope'] extends null ? null : Caller;
  readonly params: Parsed<C['params']>;
  readonly query: Parsed<C['query']>;
  readonly body: Parsed<C['body']>;
  /** The `Idempotency-Key` header, of an endpoint that reads it. */
  readonly idempotencyKey: string | null;
  readonly requestId: string;
  /** Milliseconds since the epoch at which the request came in. */
  readonly now: number;
  /** Aborted when the function's time is up. */
  readonly signal: AbortSignal;
}

function parse<T extends z.ZodType | undefined>(
  where: '' | 'query' | 'path' | 'header',
  schema: T,
  value: unknown,
): Parsed<T> {
  if (schema === undefined) return undefined as Parsed<T>;
  return parseInput(where, schema as z.ZodType, value) as Parsed<T>;
}

/**
 * Query as text by name. A name that comes twice is refused, since one of the two would be ignored; one that ends in `[]`
 * is a list, whose values come with commas between them.
 */
function readQuery(event: APIGatewayProxyEvent): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    if (values === undefined || values.length === 0) continue;
    if (values.length > 1 && !name.endsWith('[]')) {
      throw new ServiceError('invalid_request', `query.${name}: is given more than once`, {
        details: [{ path: `query.${name}`, message: 'is given more than once' }],
      });
    }
    query[name] = values.join(',');
  }
  return query;
}

function readParams(event: APIGatewayProxyEvent): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.pathParameters ?? {})) {
    if (value === undefined) continue;
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      params[name] = value;
    }
  }
  return params;
}

/**
 * A header, whatever the case of its name; null where it is not sent.
 * @throws {ServiceError} `invalid_request` where it is not of the schema
 */
function readHeader(
  event: Pick<APIGatewayProxyEvent, 'headers'>,
  name: string,
  schema: z.ZodType<string>,
): string | null {
  const [, value] =
    Object.entries(event.headers ?? {}).find(([each]) => each.toLowerCase() === name.toLowerCase()) ?? [];
  return parse('header', z.object({ [name]: schema.nullable() }), { [name]: value ?? null })[name] ?? null;
}

/**
 * Refuses a caller whose `X-Organization-Id` header names another organization, of an endpoint that reads it.
 * @throws {ServiceError} `organization_forbidden`, `invalid_request`
 */
export function checkOrganization(
  contract: EndpointContract,
  event: Pick<APIGatewayProxyEvent, 'headers'>,
  caller: Caller,
): void {
  if (contract.readsOrganization !== true) return;
  const named = readHeader(event, 'X-Organization-Id', OrganizationId);
  if (named !== null) requireOrganization(caller, named);
}

/** Says where a body stops being JSON, and never what it holds there. */
function malformedJson(text: string, cause: unknown): ServiceError {
  const fault = findJsonFault(text);
  const where = fault === null ? null : `line ${fault.line}, column ${fault.column}: ${fault.expected}`;
  return new ServiceError(
    'malformed_json',
    where === null ? 'The body is not valid JSON.' : `The body is not valid JSON at ${where}.`,
    {
      details: [
        {
          path: 'body',
          message: where === null ? 'is not valid JSON' : `is not valid JSON at ${where}`,
          ...(fault === null ? {} : { line: fault.line, column: fault.column }),
        },
      ],
      cause,
    },
  );
}

const parseJson = httpJsonBodyParser({}).before;

/**
 * The body, through middy's parser. The public client sends `Content-Type: application/json` with an empty body on
 * requests without parameters, which is not malformed; a body of another type is a 415.
 */
export const readBody: middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> = {
  before: async (request) => {
    const { event } = request;
    const bytes =
      event.body === null ? 0 : Buffer.byteLength(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
    if (bytes > BODY_BYTES_MAX) {
      throw new ServiceError(
        'payload_too_large',
        `The body has ${bytes} bytes; at most ${BODY_BYTES_MAX} are taken. Send files to the upload URL instead.`,
      );
    }
    if (bytes === 0) {
      (event as { body: unknown }).body = undefined;
      return;
    }
    const type = event.headers?.['content-type'] ?? event.headers?.['Content-Type'];
    if (type !== undefined && !/^application\/(.+\+)?json\s*($|;)/i.test(type)) {
      const isForm = /^multipart\//i.test(type);
      throw new ServiceError(
        'format_unsupported',
        `Send the body as JSON, with Content-Type: application/json.${isForm ? ` ${UPLOADING}` : ''}`,
      );
    }
    try {
      event.headers = { ...event.headers, 'content-type': 'application/json' };
      await parseJson?.(request as never);
    } catch (cause) {
      // A body that cannot be parsed is still the text that came.
      const body = event.body ?? '';
      throw malformedJson(event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body, cause);
    }
  },
};

/**
 * What a handler is told of a request: who asks, within the team's rate and the key's scopes, and what, parsed.
 * @throws {ServiceError} what every endpoint refuses
 */
export async function readInput<C extends EndpointContract>(
  contract: C,
  event: APIGatewayProxyEvent,
  context: Pick<Context, 'awsRequestId'>,
  options: {
    /** Made only for who is counted. */
    readonly limiter: () => RateLimiter | null;
    /** Milliseconds since the epoch. */
    readonly now: number;
    readonly signal: AbortSignal;
    readonly onCaller: (caller: Caller) => void;
  },
): Promise<ServeInput<C>> {
  const { limiter, now, signal } = options;
  let caller: Caller | null = null;
  if (contract.scope !== null) {
    caller = parseCaller(event.requestContext.authorizer);
    options.onCaller(caller);
    await limiter()?.admit(caller, now);
    if (!caller.scopes.includes(contract.scope)) {
      throw new ServiceError(
        'scope_missing',
        `The API key lacks the scope ${contract.scope}. Ask your operator for a key that has it.`,
      );
    }
    checkOrganization(contract, event, caller);
  }
  return {
    caller,
    params: parse('path', contract.params, readParams(event)),
    query: parse('query', contract.query, readQuery(event)),
    // No body is an empty one; a body that says `null` is not.
    body: parse('', contract.body, event.body === undefined ? {} : event.body),
    idempotencyKey:
      contract.readsIdempotencyKey === true ? readHeader(event, 'Idempotency-Key', IdempotencyKey) : null,
    requestId: context.awsRequestId,
    now,
    signal,
  } as ServeInput<C>;
}
