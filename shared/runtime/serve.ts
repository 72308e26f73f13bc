import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod';
import { type EndpointContract, errorsOf } from '../contracts/endpoint.ts';
import type { Caller } from '../domain/access/caller.ts';
import { parseCaller } from '../domain/access/caller.ts';
import { requireOrganization } from '../domain/access/organization.ts';
import type { RateLimiter } from '../domain/access/repository.ts';
import { invalidRequest } from '../errors/from-zod.ts';
import { ServiceError } from '../errors/service-error.ts';
import { toHttpProblem } from '../errors/to-http.ts';
import { IdempotencyKey, OrganizationId } from '../schema/common.ts';
import { rateLimiter } from './deps/rate-limiter.ts';
import { env } from './env.ts';
import { beginLog, describeError, logger } from './logger.ts';
import { writeMetrics } from './metrics.ts';
import { type Bound, bind, type Needs } from './need.ts';

/** Largest body of a request, in bytes. API Gateway takes 10 MB, Lambda 6 MB: this stays clear of both. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** A function answers by itself before the gateway's 29 s run out. */
const HANDLER_SECONDS_MAX = 25;

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type Answer<T> = T extends z.ZodType ? z.input<T> : never;

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

/** An answer that is not of the contract's one status and schema, or that sets headers. */
export interface Reply {
  readonly reply: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sent as JSON in place of `body`, once it was held against the contract. */
  readonly json?: unknown;
  readonly isBase64Encoded?: boolean;
}

export function reply(status: number, headers: Record<string, string>, body?: string, base64 = false): Reply {
  return { reply: true, status, headers, ...(body === undefined ? {} : { body }), isBase64Encoded: base64 };
}

/** A JSON answer with headers: that of the contract's `status`, or the `accepted` one. */
export function replyJson(status: number, json: unknown, headers: Record<string, string>): Reply {
  return { reply: true, status, headers, json };
}

type Handle<C extends EndpointContract, N extends Needs> = (
  input: ServeInput<C>,
  needs: Bound<N>,
) => Promise<Answer<C['response']> | Reply>;

type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

export interface ServedHandler<C extends EndpointContract = EndpointContract, N extends Needs = Needs>
  extends LambdaHandler {
  readonly contract: C;
  readonly needs: N;
  /** The same handler on replacements for some of its needs; rate limiting is off unless it is given. */
  with(replacements: Partial<Bound<N>> & { rateLimiter?: RateLimiter }): LambdaHandler;
}

function parse<T extends z.ZodType | undefined>(
  where: '' | 'query' | 'path' | 'header',
  schema: T,
  value: unknown,
): Parsed<T> {
  if (schema === undefined) return undefined as Parsed<T>;
  const result = (schema as z.ZodType).safeParse(value);
  if (!result.success) throw invalidRequest(where, result.error);
  return result.data as Parsed<T>;
}

/** Query as text by name; a name that comes twice is refused, since one of the two would be ignored. */
function readQuery(event: APIGatewayProxyEvent): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    if (values === undefined || values.length === 0) continue;
    if (values.length > 1) {
      throw new ServiceError('invalid_request', `query.${name}: is given more than once`, {
        details: [{ path: `query.${name}`, message: 'is given more than once' }],
      });
    }
    query[name] = values[0] ?? '';
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

const parseJson = httpJsonBodyParser({}).before;

/**
 * The body, through middy's parser. The public client sends `Content-Type: application/json` with an empty body on
 * requests without parameters, which is not malformed; a body of another type is a 415.
 */
const readBody: middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> = {
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
      throw new ServiceError(
        'format_unsupported',
        'Send the body as JSON, with Content-Type: application/json.',
      );
    }
    try {
      event.headers = { ...event.headers, 'content-type': 'application/json' };
      await parseJson?.(request as never);
    } catch (cause) {
      throw new ServiceError('malformed_json', 'The body is not valid JSON.', {
        details: [{ path: 'body', message: 'is not valid JSON' }],
        cause,
      });
    }
  },
};

async function withinTime<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new ServiceError(
        'service_unavailable',
        `The request took longer than ${HANDLER_SECONDS_MAX} seconds. Try again in a moment.`,
        { retryAfterSeconds: 5 },
      );
      controller.abort(error);
      reject(error);
    }, HANDLER_SECONDS_MAX * 1000);
  });
  try {
    return await Promise.race([run(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

function answer(contract: EndpointContract, result: unknown): APIGatewayProxyResult {
  const base = { 'cache-control': 'no-store' };
  if (typeof result === 'object' && result !== null && 'reply' in result) {
    const { status, headers, body, json, isBase64Encoded } = result as Reply;
    if (json !== undefined) {
      return {
        statusCode: status,
        headers: { ...base, 'content-type': 'application/json', ...headers },
        body: jsonOf(
          contract,
          status === 202 ? (contract.accepted ?? contract.response) : contract.response,
          json,
        ),
      };
    }
    return {
      statusCode: status,
      headers: { ...base, ...headers },
      body: body ?? '',
      isBase64Encoded: isBase64Encoded ?? false,
    };
  }
  return {
    statusCode: contract.status,
    headers: { ...base, 'content-type': 'application/json' },
    body: jsonOf(contract, contract.response, result),
  };
}

/** The text of an answer, which has to be of its schema. */
function jsonOf(contract: EndpointContract, schema: z.ZodType | undefined, result: unknown): string {
  const parsed = schema?.safeParse(result);
  if (parsed !== undefined && !parsed.success) {
    throw new Error(
      `${contract.id} answered against its own schema: ${parsed.error.issues.map((i) => `${i.path.join('.')} ${i.message}`).join('; ')}`,
    );
  }
  return JSON.stringify(parsed?.data ?? result);
}

/**
 * The Lambda handler of an endpoint: authenticated caller, rate limit, scope, parsed and validated input, answer
 * checked against the contract, errors in the one shape, one log line a request.
 */
export function serve<C extends EndpointContract, const N extends Needs>(
  contract: C,
  needs: N,
  handle: Handle<C, N>,
): ServedHandler<C, N> {
  const declared = new Set(errorsOf(contract));

  /** What one invocation knows beyond its event; it goes with the invocation's context. */
  const invocations = new WeakMap<Context, { startedAt: number; teamId?: string }>();

  const build = (replacements: Partial<Bound<N>>, limiter: () => RateLimiter | null): LambdaHandler => {
    const core = async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
      const now = Date.now();
      return withinTime(async (signal) => {
        let caller: Caller | null = null;
        if (contract.scope !== null) {
          caller = parseCaller(event.requestContext.authorizer);
          const invocation = invocations.get(context);
          if (invocation !== undefined) invocation.teamId = caller.team_id;
          await limiter()?.admit(caller, now);
          if (!caller.scopes.includes(contract.scope)) {
            throw new ServiceError(
              'scope_missing',
              `The API key lacks the scope ${contract.scope}. Ask your operator for a key that has it.`,
            );
          }
          checkOrganization(contract, event, caller);
        }
        const input = {
          caller,
          params: parse('path', contract.params, readParams(event)),
          query: parse('query', contract.query, readQuery(event)),
          // No body is an empty one; a body that says `null` is not.
          body: parse('', contract.body, event.body === undefined ? {} : event.body),
          idempotencyKey:
            contract.readsIdempotencyKey === true
              ? readHeader(event, 'Idempotency-Key', IdempotencyKey)
              : null,
          requestId: context.awsRequestId,
          now,
          signal,
        } as ServeInput<C>;
        return answer(contract, await handle(input, bind(needs, replacements)));
      });
    };

    const observe: middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> = {
      before: (request) => {
        invocations.set(request.context, { startedAt: performance.now() });
        beginLog({ request_id: request.context.awsRequestId });
      },
      after: (request) => finish(request),
      onError: (request) => {
        const requestId = request.context.awsRequestId;
        const { error } = request;
        if (error instanceof ServiceError && !declared.has(error.code)) {
          logger.error('undeclared error code', { route: contract.id, code: error.code });
          if (env.isTest()) {
            throw new Error(`${contract.id} threw ${error.code}, which its contract does not declare`);
          }
        }
        const problem = toHttpProblem(error, requestId);
        const isUnexpected = !(error instanceof ServiceError);
        if (isUnexpected || (problem.status >= 500 && error.cause !== undefined)) {
          logger.error('request failed', {
            route: contract.id,
            request_id: requestId,
            ...describeError(error),
          });
        }
        request.response = {
          statusCode: problem.status,
          headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...problem.headers },
          body: JSON.stringify(problem.body),
        };
        finish(request, problem.body.code);
      },
    };

    const finish = (
      request: middy.Request<APIGatewayProxyEvent, APIGatewayProxyResult>,
      code?: string,
    ): void => {
      const { response, context } = request;
      const invocation = invocations.get(context);
      if (response === null || invocation === undefined) return;
      response.headers = { ...response.headers, 'x-request-id': context.awsRequestId };
      if (contract.successor !== undefined) {
        response.headers.deprecation = 'true';
        response.headers.link = `<${contract.successor}>; rel="successor-version"`;
      }
      logger.info('request', {
        route: contract.id,
        method: contract.method,
        status: response.statusCode,
        duration_ms: Math.round(performance.now() - invocation.startedAt),
        request_id: context.awsRequestId,
        ...(invocation.teamId === undefined ? {} : { team_id: invocation.teamId }),
        ...(code === undefined ? {} : { code }),
      });
      writeMetrics();
    };

    const observed = middy().use(observe);
    const parsed = contract.body === undefined ? observed : observed.use(readBody);
    return parsed.handler(core) as unknown as LambdaHandler;
  };

  const live = build({}, () => rateLimiter.get());
  return Object.assign((event: APIGatewayProxyEvent, context: Context) => live(event, context), {
    contract,
    needs,
    with: ({ rateLimiter: limiter, ...replacements }: Partial<Bound<N>> & { rateLimiter?: RateLimiter }) =>
      build(replacements as Partial<Bound<N>>, () => limiter ?? null),
  }) as ServedHandler<C, N>;
}
