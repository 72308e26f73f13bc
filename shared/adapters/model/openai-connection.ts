import type { IncomingHttpHeaders } from 'node:http';
import { createParser } from 'eventsource-parser';
import { type Dispatcher, Pool } from 'undici';
import * as z from 'zod';
import { ModelError } from '#shared/domain/model/port.ts';
import type { TraceHeaders } from '#shared/domain/trace-context.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface OpenAiOptions {
  /** Up to and including the version, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Connections kept open; calls above it wait inside the pool, so make it the calls' concurrency. */
  readonly connectionsMax: number;
  /** Until the answer begins, and again between any two of its pieces. */
  readonly timeoutSeconds: number;
  /** Of an answer, or of one event of a stream. */
  readonly bodyBytesMax?: number;
  /** The trace that a call goes on with. */
  readonly trace?: () => TraceHeaders | undefined;
}

/** Errors of all calls are `ModelError`s, but for the reason of an aborted signal. */
export interface OpenAiConnection {
  get(path: string, signal?: AbortSignal): Promise<unknown>;
  post(path: string, body: unknown, signal?: AbortSignal): Promise<unknown>;
  /**
   * The objects of an event stream as they come, up to the one that `isLast`; of an endpoint that does not stream, its
   * one answer.
   */
  stream(
    path: string,
    body: unknown,
    signal: AbortSignal,
    isLast: (event: unknown) => boolean,
  ): AsyncGenerator<unknown, void>;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** A stream without end must not go on for as long as the function lives. */
const STREAM_BYTES_MAX = 256 * 1024 * 1024;

/** Of an error in a form of the provider's own. */
const PROBLEM_CHARACTERS_MAX = 4096;

/** For what comes behind the last event of a stream, which is nothing but the stream's end. */
const ENDING_BYTES_MAX = 16 * 1024;
const ENDING_MILLISECONDS_MAX = 500;

export const Problem = z.object({
  message: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  type: z.string().nullish(),
  param: z.string().nullish(),
});
type Problem = z.infer<typeof Problem>;

/** Connections to one endpoint are kept alive; an answer is read up to a limit; nothing is retried here. */
export function connectOpenAiHttp(options: OpenAiOptions): OpenAiConnection {
  const url = new URL(options.baseUrl);
  const pathPrefix = url.pathname.replace(/\/+$/, '');
  const timeoutMilliseconds = options.timeoutSeconds * 1000;
  const bodyBytesMax = options.bodyBytesMax ?? BODY_BYTES_MAX;
  const pool = new Pool(url.origin, {
    connections: options.connectionsMax,
    pipelining: 1,
    connect: { timeout: Math.min(10_000, timeoutMilliseconds) },
    headersTimeout: timeoutMilliseconds,
    bodyTimeout: timeoutMilliseconds,
  });
  const authorization = options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {};

  async function request(
    path: string,
    body: unknown,
    accept: string,
    signal: AbortSignal | undefined,
  ): Promise<Dispatcher.ResponseData> {
    const response = await pool.request({
      method: body === undefined ? 'GET' : 'POST',
      path: `${pathPrefix}${path}`,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        accept,
        ...authorization,
        ...options.trace?.(),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.statusCode !== 200) {
      const text = await readBody(response.body, response.headers, bodyBytesMax);
      throw toStatusError(response.statusCode, response.headers, text);
    }
    return response;
  }

  async function ask(path: string, body: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted();
    try {
      const response = await request(path, body, 'application/json', signal);
      return parseBody(response.headers, await readBody(response.body, response.headers, bodyBytesMax));
    } catch (error) {
      throw toCallError(error, signal, options.timeoutSeconds);
    }
  }

  return {
    get: (path, signal) => ask(path, undefined, signal),
    post: ask,
    async *stream(path, body, signal, isLast) {
      signal.throwIfAborted();
      try {
        const response = await request(path, body, 'text/event-stream', signal);
        if (/^text\/event-stream\b/i.test(String(response.headers['content-type']))) {
          yield* readEvents(response.body, bodyBytesMax, isLast);
        } else {
          yield parseBody(response.headers, await readBody(response.body, response.headers, bodyBytesMax));
        }
      } catch (error) {
        throw toCallError(error, signal, options.timeoutSeconds);
      }
    },
    close: () => pool.destroy(),
  };
}

/** The data of events up to the last, `[DONE]` or the end of the stream. A stream that is left before is destroyed. */
async function* readEvents(
  body: Dispatcher.ResponseData['body'],
  eventBytesMax: number,
  isLast: (event: unknown) => boolean,
): AsyncGenerator<unknown, void> {
  const waiting: string[] = [];
  let isTooLarge = false;
  const parser = createParser({
    onEvent: ({ data }) => waiting.push(data),
    onError: ({ type }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
    maxBufferSize: eventBytesMax,
  });
  const decoder = new TextDecoder();
  let bytes = 0;
  let hasEnded = false;
  // Of a stream that is left nobody hears the error, which would end the process.
  body.on('error', () => {});
  try {
    for await (const part of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += part.length;
      parser.feed(decoder.decode(part, { stream: true }));
      if (isTooLarge || bytes > STREAM_BYTES_MAX) {
        const most = isTooLarge ? `an event of more than ${eventBytesMax}` : `more than ${STREAM_BYTES_MAX}`;
        throw new ModelError('garbage', `The model endpoint answered ${most} bytes`);
      }
      for (const data of waiting.splice(0)) {
        hasEnded = data === '[DONE]';
        if (hasEnded) return;
        const event = parseJson(data);
        hasEnded = isLast(event);
        yield event;
        if (hasEnded) return;
      }
    }
  } finally {
    if (hasEnded) freeConnection(body);
    else body.destroy();
  }
}

/** Reads what is left of an answer, since its connection serves the next one only then. Nobody waits for it. */
function freeConnection(body: Dispatcher.ResponseData['body']): void {
  const late = setTimeout(() => body.destroy(), ENDING_MILLISECONDS_MAX).unref();
  void body.dump({ limit: ENDING_BYTES_MAX }).finally(() => clearTimeout(late));
}

/** What fields of a provider's request are called in `POST /responses`. */
const REQUEST_FIELDS: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  max_output_tokens: 'max_output_tokens',
  reasoning_effort: 'reasoning.effort',
  reasoning: 'reasoning',
  response_format: 'text.format',
  text: 'text.format',
  temperature: 'temperature',
  top_p: 'top_p',
  tools: 'tools',
  tool_choice: 'tool_choice',
  parallel_tool_calls: 'parallel_tool_calls',
  prompt_cache_retention: 'prompt_cache_retention',
  include: 'include',
};

/** A 400 that names a field of ours: `field` can be left out, or is called otherwise. */
export class FieldRefused extends ModelError {
  readonly field: string;

  constructor(field: string, message: string) {
    super('rejected', message, { requestField: REQUEST_FIELDS[field] });
    this.field = field;
  }
}

async function readBody(
  body: Dispatcher.ResponseData['body'],
  headers: IncomingHttpHeaders,
  bytesMax: number,
): Promise<string> {
  // A stated length is enforced by undici, and reading in one piece is quicker.
  if (Number(headers['content-length']) <= bytesMax) {
    return body.text();
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bytesMax) {
      // Leaving the loop destroys the stream, so the rest is not read.
      throw new ModelError('garbage', `The model endpoint answered more than ${bytesMax} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts, bytes).toString();
}

function parseBody(headers: IncomingHttpHeaders, text: string): unknown {
  const type = headers['content-type'] ?? '';
  if (!/\bjson\b/i.test(type)) {
    const named = type === '' ? 'without a content type' : `with ${type.slice(0, 60)} instead of JSON`;
    throw new ModelError(
      'garbage',
      `The model endpoint answered ${named}: check that MODEL_BASE_URL ends in the API version`,
    );
  }
  return parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModelError('garbage', "The model endpoint's answer is not valid JSON", { cause });
  }
}

function toStatusError(status: number, headers: IncomingHttpHeaders, text: string): ModelError {
  return toModelError(`answered ${status}`, status, readProblem(text), readRetryAfter(headers));
}

/** Of an error inside a stream, which has begun with a status of success. */
export function toStreamError(problem: Problem): ModelError {
  return toModelError('broke its answer off', statusOf(problem), problem, undefined);
}

function statusOf({ code, type }: Problem): number {
  const status = Number(code);
  if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  const named = `${code} ${type}`;
  if (/rate_limit|insufficient_quota|too_many_requests/.test(named)) return 429;
  return /invalid_request|context_length|invalid_prompt/.test(named) ? 400 : 500;
}

function toModelError(
  said: string,
  status: number,
  problem: Problem | undefined,
  retryAfterSeconds: number | undefined,
): ModelError {
  const code = String(problem?.code ?? problem?.type ?? '').slice(0, 60);
  const message = `The model endpoint ${said}${/^[\w.-]+$/.test(code) ? ` (${code})` : ''}`;
  if (status === 429) {
    // OpenAI says with a 429 that the account has no money left: waiting does not mend that.
    return code === 'insufficient_quota'
      ? new ModelError('misconfigured', `${message}: the account behind MODEL_API_KEY has no quota left`)
      : new ModelError('throttled', message, { retryAfterSeconds });
  }
  if (status === 408) {
    return new ModelError('timeout', message, { retryAfterSeconds });
  }
  if (status === 409 || status === 425 || status >= 500) {
    return new ModelError('unavailable', message, { retryAfterSeconds });
  }
  if (status === 401 || status === 402 || status === 403) {
    return new ModelError('misconfigured', `${message}: check MODEL_API_KEY and what it may use`);
  }
  if (status === 404 || status === 405) {
    return new ModelError('misconfigured', `${message}: check MODEL_BASE_URL and the model's id`);
  }
  if (status >= 300 && status < 400) {
    return new ModelError('misconfigured', `${message}, a redirect: set MODEL_BASE_URL to its target`);
  }
  if (status === 413 || isAboutLength(problem)) {
    return new ModelError('too_long', `${message}: the request does not fit the model's context`);
  }
  const field = status === 400 || status === 422 ? refusedField(problem) : undefined;
  return field === undefined
    ? new ModelError('rejected', message)
    : new FieldRefused(field, `${message}: it does not take "${field}" so`);
}

/** OpenAI's form; some have others of their own, which are looked through as they are. */
function readProblem(text: string): Problem {
  const asItIs = { message: text.slice(0, PROBLEM_CHARACTERS_MAX) };
  try {
    return z.object({ error: Problem }).safeParse(JSON.parse(text)).data?.error ?? asItIs;
  } catch {
    return asItIs;
  }
}

function isAboutLength(problem: Problem | undefined): boolean {
  return (
    problem?.code === 'context_length_exceeded' ||
    /context (length|window|size)|maximum context|too many tokens|(prompt|input) is too long/i.test(
      problem?.message ?? '',
    )
  );
}

/** Fields that are looked for in what a refusal says. */
const NAMED_FIELDS = [
  'max_tokens',
  'max_output_tokens',
  'temperature',
  'top_p',
  'seed',
  'response_format',
  'stream_options',
  'parallel_tool_calls',
  'tool_choice',
  'reasoning_effort',
  'reasoning_content',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'include',
  'tools',
];

function refusedField(problem: Problem | undefined): string | undefined {
  const param = problem?.param?.split(/[.[]/)[0] ?? '';
  if (/^[a-z_]{1,40}$/.test(param) && param !== 'messages' && param !== 'input') {
    return param;
  }
  const message = problem?.message ?? '';
  if (!/unsupported|not supported|unrecognized|unknown|not permitted|extra/i.test(message)) return undefined;
  // A user is spoken of without the field being meant.
  return (
    NAMED_FIELDS.find((field) => message.includes(field)) ??
    (/["'`]user\\?["'`]/.test(message) ? 'user' : undefined)
  );
}

function readRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const milliseconds = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(milliseconds) && milliseconds >= 0) {
    return milliseconds / 1000;
  }
  return parseRetryAfter(headers['retry-after'], Date.now());
}

/** What ended the call: the caller, the time, the connection, or an answer that was already classified. */
function toCallError(error: unknown, signal: AbortSignal | undefined, timeoutSeconds: number): unknown {
  if (error instanceof ModelError) {
    return error;
  }
  if (signal?.aborted) {
    return signal.reason;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return new ModelError('timeout', `The model did not answer within ${timeoutSeconds} s`, {
        cause: error,
      });
    case 'UND_ERR_INVALID_ARG':
      return error;
    default:
      return new ModelError('unavailable', `The connection to the model endpoint failed (${code})`, {
        cause: error,
      });
  }
}
