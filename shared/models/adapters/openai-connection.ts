import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import * as z from 'zod';
import { parseRetryAfter } from '#shared/platform/adapters/retry-after.ts';
import { own } from '#shared/platform/own.ts';
import type { TraceHeaders } from '#shared/platform/trace-context.ts';
import { ModelError } from '../decide/port.ts';
import { createEventDataReader } from './event-data.ts';
import { NOT_TAKEN } from './unknown-field.ts';
import { readWhole } from './whole-response.ts';

export interface OpenAiOptions {
  /** URL up to and including the version, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Connections kept open; further calls wait in the pool, so set it to the concurrency of calls. */
  readonly connectionsMax: number;
  /** Timeout until the response starts, and between two parts. */
  readonly timeoutSeconds: number;
  /** Limit of a response, or of one event of a stream. */
  readonly bodyBytesMax?: number;
  /** The trace to propagate. */
  readonly trace?: () => TraceHeaders | undefined;
}

export interface SentBody {
  readonly type: string;
  readonly body: string | Buffer;
}

/** Errors of all calls are `ModelError`s, except the reason of an aborted signal. */
export interface OpenAiConnection {
  get(path: string, signal?: AbortSignal): Promise<unknown>;
  post(path: string, body: unknown, signal?: AbortSignal): Promise<unknown>;
  /**
   * The objects of an event stream as they arrive, up to the one that `isLast`; for an endpoint that does not stream,
   * its single response.
   */
  stream(
    path: string,
    body: unknown,
    signal: AbortSignal,
    isLast: (event: unknown) => boolean,
  ): AsyncGenerator<unknown, void>;
  /** A request with another method or body than those of calls; `read` takes the response, if it is a success. */
  send<T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    sent: SentBody | null,
    read: (response: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

const JSON_TYPE = 'application/json';

const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** Limits an endless stream. */
const STREAM_BYTES_MAX = 256 * 1024 * 1024;

/** Limit of an error message. */
const PROBLEM_CHARACTERS_MAX = 4096;

/** Limit of the data after the last event of a stream. */
const ENDING_BYTES_MAX = 16 * 1024;
const ENDING_MILLISECONDS_MAX = 500;

export const Problem = z.object({
  message: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  type: z.string().nullish(),
  param: z.string().nullish(),
});
type Problem = z.infer<typeof Problem>;

/** A path into the request, such as `messages`, `2`, `name`. */
type Path = readonly string[];

const isSuccess = (statusCode: number): boolean => statusCode === 200 || statusCode === 201;
const jsonOf = (body: unknown): SentBody => ({ type: JSON_TYPE, body: JSON.stringify(body) });

/** Connections to one endpoint are kept alive; the size of responses is limited; there are no retries here. */
export function connectOpenAiHttp(options: OpenAiOptions): OpenAiConnection {
  const url = new URL(options.baseUrl);
  const pathPrefix = url.pathname.replace(/(?<!\/)\/+$/, '');
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

  const headersOf = (sent: Pick<SentBody, 'type'> | null, accept: string): Record<string, string> => ({
    ...(sent === null ? {} : { 'content-type': sent.type }),
    accept,
    ...authorization,
  });
  /** Of nearly all calls. */
  const jsonHeaders = headersOf({ type: JSON_TYPE }, JSON_TYPE);

  function optionsOf(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    accept: string,
    sent: SentBody | null,
  ): Dispatcher.DispatchOptions {
    const trace = options.trace?.();
    const headers = sent?.type === JSON_TYPE && accept === JSON_TYPE ? jsonHeaders : headersOf(sent, accept);
    return {
      method,
      path: `${pathPrefix}${path}`,
      headers: trace === undefined ? headers : { ...headers, ...trace },
      body: sent?.body ?? null,
    };
  }

  async function request(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    accept: string,
    sent: SentBody | null,
    body: unknown,
    signal: AbortSignal | null,
  ): Promise<Dispatcher.ResponseData> {
    const response = await pool.request({ ...optionsOf(method, path, accept, sent), signal });
    if (!isSuccess(response.statusCode)) {
      const text = await readParts(response.body, bodyBytesMax);
      throw toStatusError(response.statusCode, response.headers, text, body);
    }
    return response;
  }

  async function ask(path: string, body: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted();
    try {
      const sent = body === undefined ? null : jsonOf(body);
      const asked = optionsOf(sent === null ? 'GET' : 'POST', path, JSON_TYPE, sent);
      const { statusCode, headers, text } = await readWhole(pool, asked, bodyBytesMax, signal);
      if (!isSuccess(statusCode)) throw toStatusError(statusCode, headers, text, body);
      return parseBody(headers, text);
    } catch (error) {
      throw toCallError(error, signal, options.timeoutSeconds);
    }
  }

  return {
    get: (path, signal) => ask(path, undefined, signal),
    post: ask,
    async send(method, path, sent, read) {
      try {
        return await read(await request(method, path, '*/*', sent, undefined, null));
      } catch (error) {
        throw toCallError(error, undefined, options.timeoutSeconds);
      }
    },
    async *stream(path, body, signal, isLast) {
      signal.throwIfAborted();
      try {
        const response = await request('POST', path, 'text/event-stream', jsonOf(body), body, signal);
        if (/^text\/event-stream\b/i.test(String(response.headers['content-type']))) {
          yield* readEvents(response.body, bodyBytesMax, isLast);
        } else {
          yield parseBody(response.headers, await readParts(response.body, bodyBytesMax));
        }
      } catch (error) {
        throw toCallError(error, signal, options.timeoutSeconds);
      }
    },
    close: () => pool.destroy(),
  };
}

/**
 * The data of events up to the last one, `[DONE]` or the end of the stream. A stream that is not read to its end is
 * destroyed.
 */
async function* readEvents(
  body: Dispatcher.ResponseData['body'],
  eventBytesMax: number,
  isLast: (event: unknown) => boolean,
): AsyncGenerator<unknown, void> {
  const events = createEventDataReader(eventBytesMax);
  let bytes = 0;
  let hasEnded = false;
  // An abandoned stream has no other error listener, and an unhandled error would end the process.
  body.on('error', () => {});
  try {
    for await (const part of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += part.length;
      const complete = events.read(part);
      if (complete === null || bytes > STREAM_BYTES_MAX) {
        const most =
          complete === null ? `an event of more than ${eventBytesMax}` : `more than ${STREAM_BYTES_MAX}`;
        throw new ModelError('garbage', `The model endpoint answered ${most} bytes`);
      }
      for (const data of complete) {
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

/** Drains the rest of a response in the background, because only then the connection can be reused. */
function freeConnection(body: Dispatcher.ResponseData['body']): void {
  const late = setTimeout(() => body.destroy(), ENDING_MILLISECONDS_MAX).unref();
  void body.dump({ limit: ENDING_BYTES_MAX }).finally(() => clearTimeout(late));
}

/** Paths in `POST /responses` by the provider's request fields. */
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

type RefusedField = Pick<FieldRefused, 'field' | 'isUnknown'>;

/** A 400 that names a field of the request: `field` can be omitted, or has another name. */
export class FieldRefused extends ModelError {
  readonly field: string;
  /** Whether the model knows no such field; false for one of which it refuses the value, or does not say. */
  readonly isUnknown: boolean;

  constructor({ field, isUnknown }: RefusedField, message: string) {
    super('rejected', message, { requestField: own(REQUEST_FIELDS, field) });
    this.field = field;
    this.isUnknown = isUnknown;
  }
}

async function readParts(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string> {
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

/** The error of a call whose response came with a batch. */
export const toBatchedError = (status: number, text: string, sent: unknown): ModelError =>
  toStatusError(status, {}, text, sent);

function toStatusError(
  status: number,
  headers: IncomingHttpHeaders,
  text: string,
  sent: unknown,
): ModelError {
  const refusal = readRefusal(text);
  const refused = status === 400 || status === 422 ? refusedField(refusal, sent) : undefined;
  return toModelError(`answered ${status}`, {
    status,
    problem: refusal.problem,
    retryAfterSeconds: readRetryAfter(headers),
    refused,
    isOfTheDay: OF_THE_DAY.test(text.slice(0, PROBLEM_CHARACTERS_MAX)),
  });
}

/** Converts an error inside a stream, after a success status. */
export function toStreamError(problem: Problem): ModelError {
  return toModelError('closed the connection during its answer', {
    status: statusOf(problem),
    problem,
    isOfTheDay: OF_THE_DAY.test((problem.message ?? '').slice(0, PROBLEM_CHARACTERS_MAX)),
  });
}

function statusOf({ code, type }: Problem): number {
  const status = Number(code);
  if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  const named = `${code} ${type}`;
  if (/rate_limit|insufficient_quota|too_many_requests/.test(named)) return 429;
  return /invalid_request|context_length|invalid_prompt/.test(named) ? 400 : 500;
}

/**
 * How a 429 tells that a limit of the day is reached, which no pause of seconds ends: "tokens per day (TPD)",
 * `GenerateRequestsPerDayPerProjectPerModel`, `free-models-per-day`.
 */
const OF_THE_DAY = /per[\s_-]?day|\bdaily\b|\b[RT]PD\b/i;

/** OpenAI says it by a 429 with `insufficient_quota`, others by a 402. */
const NO_CREDITS = 'the account behind MODEL_API_KEY has no credits left';

function toModelError(
  said: string,
  {
    status,
    problem,
    retryAfterSeconds,
    refused,
    isOfTheDay,
  }: {
    readonly status: number;
    readonly problem: Problem;
    readonly retryAfterSeconds?: number | undefined;
    readonly refused?: RefusedField | undefined;
    /** Of a 429: whether a limit of the day is reached. */
    readonly isOfTheDay: boolean;
  },
): ModelError {
  const code = String(problem.code ?? problem.type ?? '').slice(0, 60);
  const message = `The model endpoint ${said}${/^[\w.-]+$/.test(code) ? ` (${code})` : ''}`;
  if (status === 429) {
    if (!isOfTheDay && code !== 'insufficient_quota') {
      return new ModelError('throttled', message, { retryAfterSeconds });
    }
    const what = isOfTheDay ? "the model's quota of this day is used up" : NO_CREDITS;
    return new ModelError('exhausted', `${message}: ${what}`, { retryAfterSeconds });
  }
  if (status === 402) {
    return new ModelError('exhausted', `${message}: ${NO_CREDITS}`, { retryAfterSeconds });
  }
  if (status === 408) {
    return new ModelError('timeout', message, { retryAfterSeconds });
  }
  if (status === 409 || status === 425 || status >= 500) {
    return new ModelError('unavailable', message, { retryAfterSeconds });
  }
  if (status === 401 || status === 403) {
    return new ModelError('misconfigured', `${message}: check MODEL_API_KEY and its permissions`);
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
  return refused === undefined
    ? new ModelError('rejected', message)
    : new FieldRefused(refused, `${message}: it does not accept this value of "${refused.field}"`);
}

interface Refusal {
  readonly problem: Problem;
  /** The fields that a validator does not know. */
  readonly unknown: readonly Path[];
  /** What the validator says of them. */
  readonly saidOfUnknown: string;
}

/** FastAPI's validation errors. Their `input` quotes the request and is not read. */
const Findings = z
  .array(
    z.object({
      loc: z.array(z.union([z.string(), z.number()])),
      type: z.string().optional(),
      msg: z.string().optional(),
    }),
  )
  .transform((findings): Refusal => {
    const said = findings.map(({ loc, type, msg }) => ({ loc, words: `${type} ${msg}` }));
    const unknown = said.filter(({ words }) => NOT_TAKEN.test(words));
    return {
      problem: {},
      unknown: unknown.map(({ loc }) => loc.map(String)),
      saidOfUnknown: unknown.map(({ words }) => words).join(' '),
    };
  });

const toRefusal = (problem: Problem): Refusal => ({ problem, unknown: [], saidOfUnknown: '' });
const saying = (message: string): Refusal => toRefusal({ message });

/** OpenAI's format; FastAPI's, plain or as a message; a text; OpenAI's without its envelope. */
const RefusalBody = z.union([
  z.object({ error: Problem }).transform(({ error }) => toRefusal(error)),
  z.object({ error: z.string() }).transform(({ error }) => saying(error)),
  z.object({ detail: Findings }).transform(({ detail }) => detail),
  z.object({ message: z.object({ detail: Findings }) }).transform(({ message }) => message.detail),
  z.object({ detail: z.string() }).transform(({ detail }) => saying(detail)),
  Problem.transform(toRefusal),
]);

function readRefusal(text: string): Refusal {
  try {
    const body: unknown = JSON.parse(text);
    // Google's is the only element of an array.
    return RefusalBody.safeParse(Array.isArray(body) ? body[0] : body).data ?? toRefusal({});
  } catch {
    return toRefusal({});
  }
}

function isAboutLength({ code, message }: Problem): boolean {
  return (
    code === 'context_length_exceeded' ||
    /context (length|window|size)|maximum context|too many tokens|(prompt|input) is too long/i.test(
      message ?? '',
    )
  );
}

/** `Unknown parameter: 'seed'`, and `'seed' is not supported`. */
const NAMED =
  // At most 4,096 characters.
  /\b(?:parameter|argument|field|property|name|value|key|loc)(?:s| supplied|s supplied)?\W{1,6}(?:body\W{1,4})?([a-z_][\w.[\]]*)|\b([a-z_][\w.[\]]*)["'`]? (?:is|are) (?:unsupported|not (?:supported|permitted))/gi;

/**
 * The field of the request that is not supported. Error messages quote the request, and what one says of a field changes the requests
 * of all callers: so it must be a field that was sent, and words that also occur in the request's values do not count.
 */
function refusedField(refusal: Refusal, sent: unknown): RefusedField | undefined {
  const { problem, unknown } = refusal;
  if (typeof sent !== 'object' || sent === null) return undefined;
  const paths = [...(problem.param ? [toPath(problem.param)] : []), ...unknown];
  const message = (problem.message ?? '').slice(0, PROBLEM_CHARACTERS_MAX);
  if (NOT_TAKEN.test(message)) {
    const said = toWords(JSON.stringify(sent));
    for (const [words, named, subject] of message.matchAll(NAMED)) {
      if (!said.includes(toWords(words))) paths.push(toPath(named ?? subject ?? ''));
    }
  }
  for (const path of paths) {
    const field = findField(path, sent);
    if (field !== undefined) return { field, isUnknown: isUnknown(refusal, field, sent) };
  }
  return undefined;
}

/** OpenAI's codes for fields that a model does not have. */
const UNKNOWN_CODES: readonly unknown[] = ['unsupported_parameter', 'unknown_parameter'];
/** "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported." */
const DEFAULT_ALONE = /only the default\b/i;

/** "Invalid parameter" is OpenAI's word for "not supported with this model", too. */
const OF_A_VALUE = /\bvalues?\b|\binvalid (?!parameter)/i;

/**
 * Whether a refusal tells that the model does not have the field at all, in words that the request does not hold: one that speaks of the
 * value, or repeats it, may be about what one caller asked for.
 */
function isUnknown({ problem, saidOfUnknown }: Refusal, field: string, sent: object): boolean {
  const message = `${problem.message ?? ''} ${saidOfUnknown}`.slice(0, PROBLEM_CHARACTERS_MAX);
  if (UNKNOWN_CODES.includes(problem.code)) return true;
  const request = toWords(JSON.stringify(sent));
  const isOwn = (pattern: RegExp): boolean => {
    const [words] = pattern.exec(message) ?? [];
    return words !== undefined && !request.includes(toWords(words));
  };
  if (isOwn(DEFAULT_ALONE)) return true;
  const value = own(sent as Readonly<Record<string, unknown>>, field);
  const isRepeated =
    (typeof value === 'number' || typeof value === 'string') &&
    ` ${toWords(message)} `.includes(` ${toWords(String(value))} `);
  return isOwn(NOT_TAKEN) && !isRepeated && !OF_A_VALUE.test(message);
}

const toPath = (text: string): Path => text.split(/[.[\]]+/).filter((name) => name !== '');

/** The words only: quoted texts have other punctuation and escapes. */
const toWords = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/\W+/g, ' ')
    .trim();

/** The body field at the start of the path, or for messages the one at its end. */
function findField(path: Path, sent: object): string | undefined {
  const messages = 'messages' in sent && Array.isArray(sent.messages) ? (sent.messages as object[]) : [];
  const first = path.find((name) => Object.hasOwn(sent, name));
  if (first !== undefined && first !== 'messages' && first !== 'input') return first;
  const last = path.at(-1) ?? '';
  return messages.some((message) => Object.hasOwn(message, last)) ? last : undefined;
}

function readRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const milliseconds = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(milliseconds) && milliseconds >= 0) {
    return milliseconds / 1000;
  }
  return parseRetryAfter(headers['retry-after'], Date.now());
}

/** Classifies the end of a call: the caller, the timeout, the connection, or an already classified error. */
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
