import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { RateLimiter } from '../access/repository.ts';
import type { EndpointContract } from '../contracts/endpoint.ts';
import { ServiceError } from '../errors/service-error.ts';
import { intake, rateLimiter } from '../wire.ts';
import { corsHeaders } from './cors.ts';
import { beginLog } from './logger.ts';
import { type Bound, bind, deployed, type Needs, type Use, usesOf } from './need.ts';
import { readBody, readInput, type ServeInput } from './read-request.ts';
import { logRequest, problemOf } from './report-request.ts';
import { traced, traceKeys, traceOf } from './trace.ts';

/** Timeout of a handler, below the gateway's 29 s. */
const HANDLER_SECONDS_MAX = 25;

type ResponseOf<T> = T extends z.ZodType ? z.input<T> : never;

/** A response without the contract's JSON status and schema, or with headers. */
export interface Reply {
  readonly reply: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sent as JSON instead of `body`, after validation against the contract. */
  readonly json?: unknown;
  readonly isBase64Encoded?: boolean;
}

export function reply(status: number, headers: Record<string, string>, body?: string, base64 = false): Reply {
  return { reply: true, status, headers, ...(body === undefined ? {} : { body }), isBase64Encoded: base64 };
}

/** A JSON response with headers: for the contract's `status`, or the `accepted` one. */
export function replyJson(status: number, json: unknown, headers: Record<string, string>): Reply {
  return { reply: true, status, headers, json };
}

type Handle<C extends EndpointContract, N extends Needs> = (
  input: ServeInput<C>,
  needs: Bound<N>,
) => Promise<ResponseOf<C['response']> | Reply>;

type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

export interface ServedHandler<C extends EndpointContract = EndpointContract, N extends Needs = Needs>
  extends LambdaHandler {
  readonly contract: C;
  readonly needs: N;
  /**
   * The same handler on other resources, with replacements for some of its needs; the limiter of rates and the intake are
   * off unless replaced.
   */
  with(replacements: Partial<Bound<N>> & Gates, use?: Use): LambdaHandler;
}

/** What a request passes before its handler. */
export interface Gates {
  readonly rateLimiter?: RateLimiter;
  /** Throws while nothing new may start. */
  readonly intake?: () => Promise<void>;
}

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

/** The text of a response, validated against its schema. */
function jsonOf(contract: EndpointContract, schema: z.ZodType | undefined, result: unknown): string {
  const parsed = schema?.safeParse(result);
  if (parsed !== undefined && !parsed.success) {
    throw new Error(
      `${contract.id} answered against its own schema: ${parsed.error.issues.map((i) => `${i.path.join('.')} ${i.message}`).join('; ')}`,
    );
  }
  return JSON.stringify(parsed?.data ?? result);
}

/** State of each invocation beyond its event. */
type Invocations = WeakMap<Context, { startedAt: number; teamId?: string }>;

type Exchange = middy.Request<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** Maps errors, adds the headers of every response, and writes the log line. */
function observe(
  contract: EndpointContract,
  invocations: Invocations,
): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const finish = (request: Exchange, code?: string): void => {
    const { response, context } = request;
    const invocation = invocations.get(context);
    if (response === null || invocation === undefined) return;
    response.headers = {
      ...response.headers,
      'x-request-id': context.awsRequestId,
      ...corsHeaders(request.event),
    };
    if (contract.successor !== undefined) {
      response.headers.deprecation = 'true';
      response.headers.link = `<${contract.successor}>; rel="successor-version"`;
    }
    logRequest(contract, {
      status: response.statusCode,
      startedAt: invocation.startedAt,
      requestId: context.awsRequestId,
      teamId: invocation.teamId,
      code,
    });
  };

  return {
    before: (request) => {
      invocations.set(request.context, { startedAt: performance.now() });
      beginLog({ request_id: request.context.awsRequestId, ...traceKeys(traceOf(request.event)) });
    },
    after: (request) => finish(request),
    onError: (request) => {
      const problem = problemOf(contract, request.error, request.context.awsRequestId);
      request.response = {
        statusCode: problem.status,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...problem.headers },
        body: JSON.stringify(problem.body),
      };
      finish(request, problem.body.code);
    },
  };
}

/**
 * The Lambda handler of an endpoint: authenticates the caller, checks rate limit and scope, parses and validates the
 * input, validates the response against the contract, maps errors, and writes one log line a request.
 */
export function serve<C extends EndpointContract, const N extends Needs>(
  contract: C,
  needs: N,
  handle: Handle<C, N>,
): ServedHandler<C, N> {
  const invocations: Invocations = new WeakMap();
  const startsWork = usesOf(needs).starts !== undefined;

  const build = (
    use: Use,
    replacements: Partial<Bound<N>>,
    limiter: () => RateLimiter | null,
    requireOpen: () => Promise<void>,
  ): LambdaHandler => {
    const core = async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
      const now = Date.now();
      return withinTime(async (signal) => {
        const input = await readInput(contract, event, context, {
          limiter,
          now,
          signal,
          onCaller: ({ team_id: teamId }) => {
            const invocation = invocations.get(context);
            if (invocation !== undefined) invocation.teamId = teamId;
          },
        });
        if (startsWork) await requireOpen();
        return answer(contract, await handle(input, bind(needs, use, replacements)));
      });
    };

    const observed = middy().use(observe(contract, invocations));
    const parsed = contract.body === undefined ? observed : observed.use(readBody);
    const handler = parsed.handler(core) as unknown as LambdaHandler;
    return (event, context) => traced(contract.id, traceOf(event), () => handler(event, context));
  };

  const live = build(
    deployed,
    {},
    () => deployed(rateLimiter),
    () => deployed(intake)(),
  );
  return Object.assign((event: APIGatewayProxyEvent, context: Context) => live(event, context), {
    contract,
    needs,
    with: (
      { rateLimiter: limiter, intake: requireOpen, ...replacements }: Partial<Bound<N>> & Gates,
      use: Use = deployed,
    ) =>
      build(
        use,
        replacements as Partial<Bound<N>>,
        () => limiter ?? null,
        requireOpen ?? (async () => undefined),
      ),
  }) as ServedHandler<C, N>;
}
