import type middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod';
import { type Caller, parseCaller, requireScope } from '../access/caller.ts';
import { requireOrganization } from '../access/organization.ts';
import type { RateLimiter } from '../access/repository.ts';
import type { EndpointContract } from '../contracts/endpoint.ts';
import { invalidField, parseInput } from '../errors/from-zod.ts';
import { malformedJson } from '../errors/malformed-json.ts';
import { ServiceError } from '../errors/service-error.ts';
import { own, putOwn } from '../own.ts';
import { IdempotencyKey, OrganizationId } from '../schema/common.ts';

/** Maximum body of a request, in bytes. API Gateway allows 10 MB, Lambda 6 MB. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

const LastEventId = z.string().regex(/^\d{1,15}$/, 'must be the `id` of an earlier event of this stream');

/** The hint for callers who upload a file as a form. */
const UPLOADING =
  'To upload a file, create a dataset with POST /api/v1/datasets and PUT the file to the URL that it answers.';

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

export interface ServeInput<C extends EndpointContract> {
  /** The caller; null only for routes without a scope. */
  readonly caller: C['scope'] extends null ? null : Caller;
  readonly params: Parsed<C['params']>;
  readonly query: Parsed<C['query']>;
  readonly body: Parsed<C['body']>;
  readonly form: Parsed<C['form']>;
  /** The `Idempotency-Key` header, for an endpoint that reads it. */
  readonly idempotencyKey: string | null;
  /** Whether the `Accept` header asks for server-sent events, for an endpoint that reads it. */
  readonly acceptsEvents: boolean;
  /** The `Last-Event-ID` header, for an endpoint that reads it. */
  readonly lastEventId: string | null;
  /** The headers that the contract's `readsHeaders` names, by these names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Path of the request as it was sent, without the stage: API Gateway routes a trailing slash like none. */
  readonly path: string;
  /** Arrival of the request, in milliseconds since the epoch. */
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
 * Query parameters as text by name. A repeated name is an error, because one of the values would be ignored; a name
 * that ends in `[]` is a list, whose values are joined by commas.
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
    putOwn(query, name, values.join(','));
  }
  return query;
}

/** The query, without the one name that a schema with any further names would not see. */
function namedQuery(contract: EndpointContract, event: APIGatewayProxyEvent): Record<string, string> {
  const query = readQuery(event);
  if (contract.query !== undefined && Object.hasOwn(query, '__proto__')) {
    throw invalidField('query.__proto__', 'is not a known field here');
  }
  return query;
}

function readParams(event: APIGatewayProxyEvent): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.pathParameters ?? {})) {
    if (value === undefined) continue;
    try {
      putOwn(params, name, decodeURIComponent(value));
    } catch {
      putOwn(params, name, value);
    }
  }
  return params;
}

/**
 * A header, with a case-insensitive name; null if it is absent.
 * @throws {ServiceError} `invalid_request` if it does not match the schema
 */
function readHeader(
  event: Pick<APIGatewayProxyEvent, 'headers'>,
  name: string,
  schema: z.ZodType<string>,
): string | null {
  const [, value] =
    Object.entries(event.headers ?? {}).find(([each]) => each.toLowerCase() === name.toLowerCase()) ?? [];
  return (
    own(parse('header', z.object({ [name]: schema.nullable() }), { [name]: value ?? null }), name) ?? null
  );
}

/**
 * Rejects a caller whose `X-Organization-Id` header names another organization, for an endpoint that reads it.
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

const parseJson = httpJsonBodyParser({}).before;

/**
 * The bytes of the body.
 * @throws {ServiceError} `payload_too_large`, which says `instead`
 */
function requireSmall(
  event: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>,
  instead: string,
): number {
  const { body, isBase64Encoded } = event;
  const bytes = body === null ? 0 : Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes <= BODY_BYTES_MAX) return bytes;
  throw new ServiceError(
    'payload_too_large',
    `The body has ${bytes} bytes; at most ${BODY_BYTES_MAX} are taken. ${instead}`,
  );
}

/**
 * The fields of a form, which are texts and files; none for a missing body.
 * @throws {ServiceError} `payload_too_large`, `format_unsupported`, `invalid_request` for a field that is there twice
 */
async function readForm(event: APIGatewayProxyEvent): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  const { body, isBase64Encoded, headers } = event;
  if (requireSmall(event, UPLOADING) === 0) return fields;
  const type = headers?.['content-type'] ?? headers?.['Content-Type'] ?? '';
  const sent = new Response(new Uint8Array(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')), {
    headers: { 'content-type': type },
  });
  const form = await sent.formData().catch((cause: unknown) => {
    throw new ServiceError('format_unsupported', 'Send the fields as a form (multipart/form-data).', {
      cause,
    });
  });
  for (const [name, value] of form) {
    if (Object.hasOwn(fields, name)) throw invalidField(name, 'is there more than once');
    putOwn(fields, name, value);
  }
  return fields;
}

/**
 * The body, through middy's parser. The public client sends `Content-Type: application/json` with an empty body on
 * requests without parameters, which is not malformed; a body of another type is a 415.
 */
export const readBody: middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> = {
  before: async (request) => {
    const { event } = request;
    const bytes = requireSmall(event, 'Send files to the upload URL instead.');
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
      // An unparsable body is passed on as text.
      const body = event.body ?? '';
      throw malformedJson(event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body, cause);
    }
    if (isDeeperThan(BODY_DEPTH_MAX, event.body)) {
      throw new ServiceError(
        'invalid_request',
        `The body is nested more than ${BODY_DEPTH_MAX} levels deep. Send flatter JSON.`,
        { details: [{ path: 'body', message: `is nested more than ${BODY_DEPTH_MAX} levels deep` }] },
      );
    }
  },
};

/** Maximum nesting of a body: code that recurses into a deeper one could end its process. */
const BODY_DEPTH_MAX = 128;

function isDeeperThan(levels: number, body: unknown): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; depth <= levels && level.length > 0; depth += 1) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
  return level.length > 0;
}

/** The headers among `names`, which are in lower case. */
function readHeaders(
  event: Pick<APIGatewayProxyEvent, 'headers'>,
  names: readonly string[],
): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    const lower = name.toLowerCase();
    if (value !== undefined && names.includes(lower)) putOwn(read, lower, value);
  }
  return read;
}

/**
 * Parses a request for its handler: caller, rate limit, scopes and validated input.
 * @throws {ServiceError} the common errors of all endpoints
 */
export async function readInput<C extends EndpointContract>(
  contract: C,
  event: APIGatewayProxyEvent,
  context: Pick<Context, 'awsRequestId'>,
  options: {
    /** Created only if a caller is counted. */
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
    if (contract.scope !== 'any') requireScope(caller, contract.scope);
    checkOrganization(contract, event, caller);
  }
  const input = {
    caller,
    params: parse('path', contract.params, readParams(event)),
    query: parse('query', contract.query, namedQuery(contract, event)),
    // A missing body counts as empty; a body of `null` does not.
    body: parse('', contract.body, event.body === undefined ? {} : event.body),
    form: contract.form === undefined ? undefined : parse('', contract.form, await readForm(event)),
    idempotencyKey:
      contract.readsIdempotencyKey === true ? readHeader(event, 'Idempotency-Key', IdempotencyKey) : null,
    acceptsEvents:
      contract.streams === 'accept' &&
      /\btext\/event-stream\b/i.test(readHeader(event, 'Accept', z.string()) ?? ''),
    lastEventId: contract.streams === 'accept' ? readHeader(event, 'Last-Event-ID', LastEventId) : null,
    headers: readHeaders(event, contract.readsHeaders ?? []),
    requestId: context.awsRequestId,
    path: event.path,
    now,
    signal,
  } as ServeInput<C>;
  const { counts } = contract;
  const isGiven = (name: string): boolean => own(input.query as Record<string, unknown>, name) !== undefined;
  const isCounted = counts?.given === undefined || counts.given.some(isGiven);
  if (caller !== null && counts !== undefined && isCounted)
    await limiter()?.admitUse(caller, counts.use, now);
  return input;
}
