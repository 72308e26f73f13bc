import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { RateLimiter } from '../access/repository.ts';
import type { EndpointContract } from '../contracts/endpoint.ts';
import { CallerGone } from '../errors/caller-gone.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { HttpProblem } from '../errors/to-http.ts';
import { rateLimiter } from '../wire.ts';
import { corsHeaders } from './cors.ts';
import {
  buffered,
  type ReplySink,
  type StreamedHandler,
  sinkOf,
  streamingRuntime,
} from './lambda-streaming.ts';
import { beginLog, describeError, logger } from './logger.ts';
import { type Bound, bind, deployed, type Needs, type Use } from './need.ts';
import { readBody, readInput, type ServeInput } from './read-request.ts';
import { logRequest, problemOf } from './report-request.ts';
import type { ServedHandler } from './serve.ts';
import { traced, traceKeys, traceOf } from './trace.ts';

/** Interval of keep-alives, so that proxies between caller and function do not close the connection. */
export const PING_MILLISECONDS = 15_000;

/** Time reserved at the end of a function's timeout to end the response with an event. */
const CLOSING_MILLISECONDS = 10_000;

/** The logged status of a request whose caller disconnected before there was one, as in web servers. */
const STATUS_GONE = 499;

/** An event; one without a type is told without its name, as chunks of chat completions are. */
interface TypedEvent {
  readonly type?: string;
}

/** The result of a handler: events, and whether to stream or fold them. */
export interface EventReply {
  readonly events: AsyncGenerator<TypedEvent, void>;
  /** Whether it is the last event. `events` continues its remaining work after everything has been sent. */
  readonly isLast: (event: TypedEvent) => boolean;
  /** Folds the events into one JSON body; null if they are streamed. */
  readonly fold: ((events: AsyncIterable<TypedEvent>) => Promise<unknown>) | null;
  /**
   * The `id` of an event, after which its reader can continue in another stream; such a stream has no `[DONE]`. Absent for
   * streams that end for good: the public client reads them without ids.
   */
  readonly idOf?: (event: TypedEvent) => string;
}

export interface StreamInput<C extends EndpointContract> {
  readonly input: ServeInput<C>;
  /** Whether status and headers have been sent. */
  readonly isCommitted: () => boolean;
  /** Whether the reader gets each event as it is sent; else all at the end. */
  readonly isImmediate: boolean;
}

type Handle<C extends EndpointContract, N extends Needs> = (
  input: StreamInput<C>,
  needs: Bound<N>,
) => Promise<EventReply | Response>;

/**
 * The Lambda handler of an endpoint whose responses are an event stream, or one object when `stream` is false. It
 * streams if the runtime can, else it sends one piece. Before the first output, an event or a keep-alive, a failure is an
 * HTTP status; afterwards it is an event, or the JSON body. Keep-alives are comments in a stream and spaces before JSON.
 * The response ends with the last event; remaining work is done before the function returns.
 * @param wantsEvents null if the handler returns a `Response`, which is sent as it comes, without keep-alives
 */
export function serveStream<C extends EndpointContract, const N extends Needs>(
  contract: C,
  needs: N,
  wantsEvents: ((input: ServeInput<C>) => boolean) | null,
  handle: Handle<C, N>,
): ServedHandler<C, N> {
  const build =
    (use: Use, replacements: Partial<Bound<N>>, limiter: () => RateLimiter | null, isImmediate: boolean) =>
    async (event: APIGatewayProxyEvent, sink: ReplySink, context: Context): Promise<void> => {
      const trace = traceOf(event);
      await traced(contract.id, trace, async () => {
        const now = Date.now();
        const startedAt = performance.now();
        const requestId = context.awsRequestId;
        beginLog({ request_id: requestId, ...traceKeys(trace) });
        const ending = new AbortController();
        const late = setTimeout(
          () => ending.abort(tooLate()),
          Math.max(0, context.getRemainingTimeInMillis() - CLOSING_MILLISECONDS),
        );
        sink.onGone(() => ending.abort(new CallerGone()));
        const reply = new StreamedReply(sink, ending.signal, {
          'x-request-id': requestId,
          ...corsHeaders(event),
        });
        let teamId: string | undefined;
        let problem: HttpProblem | undefined;
        let events: AsyncGenerator<TypedEvent, void> | undefined;
        try {
          if (contract.body !== undefined) await readBody.before?.({ event } as never);
          const input = await readInput(contract, event, context, {
            limiter,
            now,
            signal: ending.signal,
            onCaller: (caller) => {
              teamId = caller.team_id;
            },
          });
          if (wantsEvents !== null) reply.expect(wantsEvents(input) ? 'events' : 'json');
          const isCommitted = (): boolean => reply.hasBegun;
          const answered = await handle({ input, isCommitted, isImmediate }, bind(needs, use, replacements));
          if (answered instanceof Response) {
            await reply.pass(answered);
          } else {
            events = answered.events;
            await tell(reply, answered);
          }
        } catch (error) {
          if (!(error instanceof CallerGone)) {
            problem = problemOf(contract, error, requestId);
            await reply.fail(problem);
          }
        } finally {
          clearTimeout(late);
          reply.end();
          await finish(events).catch((error: unknown) => {
            logger.error('work after an answer failed', { route: contract.id, ...describeError(error) });
          });
          logRequest(contract, {
            status: reply.status || STATUS_GONE,
            startedAt,
            requestId,
            teamId,
            code: ending.signal.reason instanceof CallerGone ? 'caller_gone' : problem?.body.code,
          });
        }
      });
    };

  const runtime = streamingRuntime();
  const isImmediate = runtime !== undefined;
  const run = (live: StreamedHandler) =>
    (runtime === undefined
      ? buffered(live)
      : runtime.streamifyResponse((event, stream, context) =>
          live(event, sinkOf(stream, runtime), context),
        )) as ServedHandler<C, N>;
  return Object.assign(run(build(deployed, {}, () => deployed(rateLimiter), isImmediate)), {
    contract,
    needs,
    with: (
      { rateLimiter: limiter, ...replacements }: Partial<Bound<N>> & { rateLimiter?: RateLimiter },
      use: Use = deployed,
    ) => run(build(use, replacements as Partial<Bound<N>>, () => limiter ?? null, isImmediate)),
  });
}

/** Sends events up to the last one, or what they fold into. */
async function tell(reply: StreamedReply, { events, isLast, fold, idOf }: EventReply): Promise<void> {
  const told = upToLast(events, isLast);
  if (fold === null) {
    for await (const each of told) await reply.send(each, idOf?.(each));
    if (idOf === undefined) await reply.sayDone();
  } else {
    await reply.sendJson(await fold(told));
  }
}

/** The events up to the last one; the generator stays open for its remaining work. */
async function* upToLast(
  events: AsyncGenerator<TypedEvent, void>,
  isLast: (event: TypedEvent) => boolean,
): AsyncGenerator<TypedEvent, void> {
  let isOver = false;
  try {
    while (!isOver) {
      const { done, value } = await events.next();
      if (done) return;
      isOver = isLast(value);
      yield value;
    }
  } finally {
    if (!isOver) await events.return();
  }
}

/** Runs the work after the last event. */
async function finish(events: AsyncGenerator<TypedEvent, void> | undefined): Promise<void> {
  while (events !== undefined && !(await events.next()).done);
}

const heads = {
  events: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  json: { 'content-type': 'application/json' },
} as const;

/** One response: starts with the first output, and sends keep-alives. */
class StreamedReply {
  readonly #sink: ReplySink;
  readonly #ending: AbortSignal;
  readonly #headers: Readonly<Record<string, string>>;
  #mode: 'events' | 'json' = 'json';
  #pings: NodeJS.Timeout | undefined;
  #status = 0;
  #sent = 0;

  /**
   * @param ending aborted when the reader is waited for no longer
   * @param headers of every response, including errors
   */
  constructor(sink: ReplySink, ending: AbortSignal, headers: Readonly<Record<string, string>>) {
    this.#sink = sink;
    this.#ending = ending;
    this.#headers = headers;
  }

  get hasBegun(): boolean {
    return this.#status !== 0;
  }

  get status(): number {
    return this.#status;
  }

  expect(mode: 'events' | 'json'): void {
    this.#mode = mode;
    const ping = mode === 'events' ? ': ping\n\n' : ' ';
    this.#pings = setInterval(() => void this.#write(ping), PING_MILLISECONDS);
  }

  async send(event: TypedEvent, id?: string): Promise<void> {
    this.#pings?.refresh();
    this.#sent += 1;
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    const nameLine = event.type === undefined ? '' : `event: ${event.type}\n`;
    await this.#write(`${idLine}${nameLine}data: ${JSON.stringify(event)}\n\n`);
  }

  async sayDone(): Promise<void> {
    await this.#write('data: [DONE]\n\n');
  }

  async sendJson(value: unknown): Promise<void> {
    await this.#write(JSON.stringify(value));
  }

  /** Sends a response as it comes. An empty body is an empty write, which sends status and headers. */
  async pass({ status, headers, body }: Response): Promise<void> {
    this.#begin(status, Object.fromEntries(headers));
    await this.#sink.write('', this.#ending);
    if (body === null) return;
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      this.#ending.throwIfAborted();
      await this.#sink.write(text, this.#ending);
    }
  }

  /** Reports a failure by its status, or, if that was already sent, by an event or the JSON body. */
  async fail({ status, headers, body }: HttpProblem): Promise<void> {
    if (!this.hasBegun) {
      this.#begin(status, { ...heads.json, ...headers });
      await this.#sink.write(JSON.stringify(body), this.#ending);
    } else if (this.#mode === 'json') {
      await this.#write(JSON.stringify(body));
    } else {
      const { code, message, param } = body.error;
      const event = { type: 'error', code, message, param, sequence_number: this.#sent, error: body.error };
      // OpenAI's clients raise what has a field `error`, whatever they stream.
      await this.#write(`event: error\ndata: ${JSON.stringify(event)}\n\n`);
      await this.sayDone();
    }
  }

  end(): void {
    clearInterval(this.#pings);
    this.#sink.end();
  }

  async #write(text: string): Promise<void> {
    if (!this.hasBegun) this.#begin(200, heads[this.#mode]);
    await this.#sink.write(text, this.#ending);
  }

  #begin(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#sink.begin(status, { 'cache-control': 'no-store', ...this.#headers, ...headers });
  }
}

function tooLate(): ServiceError {
  return new ServiceError(
    'service_unavailable',
    'The answer took longer than the time limit. Ask for a shorter one, or for fewer calls of tools.',
    { retryAfterSeconds: 5 },
  );
}
