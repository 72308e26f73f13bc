import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import * as z from 'zod';
import {
  type ChatMessage,
  type EmbeddingClient,
  type GenerateRequest,
  type Generation,
  type ModelClient,
  ModelError,
} from '#shared/domain/model/port.ts';
import { parseRetryAfter } from './retry-after.ts';
import { toUnitLength } from './unit-length.ts';

export interface OpenAiOptions {
  /** Up to and including the version, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Connections kept open; calls above it wait inside the pool, so make it the calls' concurrency. */
  readonly connectionsMax: number;
  /** Until the answer begins, and again between any two of its pieces. */
  readonly timeoutSeconds: number;
  readonly bodyBytesMax?: number;
}

export interface OpenAiEndpoint {
  model(modelId: string): ModelClient;
  embeddings(modelId: string): EmbeddingClient;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;

const Completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
});

const Embeddings = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
});

const Problem = z.object({
  error: z.object({
    message: z.string().nullish(),
    code: z.union([z.string(), z.number()]).nullish(),
    type: z.string().nullish(),
    param: z.string().nullish(),
  }),
});
type Problem = z.infer<typeof Problem>['error'];

/** Request fields that newer or smaller providers refuse. Learned from their first refusal, once a model. */
interface Dialect {
  tokensField: 'max_tokens' | 'max_completion_tokens';
  readonly refused: Set<'temperature' | 'seed' | 'response_format'>;
}

/**
 * Any server that speaks OpenAI's chat completions and embeddings: vLLM, llama.cpp, Ollama, Together, OpenAI.
 * Connections are kept alive; an answer is read up to a limit; nothing is retried here.
 */
export function connectOpenAi(options: OpenAiOptions): OpenAiEndpoint {
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
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (options.apiKey) {
    headers.authorization = `Bearer ${options.apiKey}`;
  }

  async function post(path: string, body: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted();
    try {
      const response = await pool.request({
        method: 'POST',
        path: `${pathPrefix}${path}`,
        headers,
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await readBody(response.body, response.headers, bodyBytesMax);
      if (response.statusCode !== 200) {
        throw toModelError(response.statusCode, response.headers, text);
      }
      return parseBody(response.headers, text);
    } catch (error) {
      throw toCallError(error, signal, options.timeoutSeconds);
    }
  }

  function model(modelId: string): ModelClient {
    const dialect: Dialect = { tokensField: 'max_tokens', refused: new Set() };
    return {
      modelId,
      async generate(request, signal) {
        for (;;) {
          try {
            const body = await post('/chat/completions', toBody(modelId, request, dialect), signal);
            return toGeneration(body);
          } catch (error) {
            if (!(error instanceof FieldRefused) || !learn(dialect, error.field)) {
              throw error;
            }
          }
        }
      },
    };
  }

  function embeddings(modelId: string): EmbeddingClient {
    return {
      modelId,
      async embed(texts, signal) {
        if (texts.length === 0) {
          return [];
        }
        const body = await post(
          '/embeddings',
          { model: modelId, input: texts, encoding_format: 'float' },
          signal,
        );
        return toVectors(body, texts.length);
      },
    };
  }

  return { model, embeddings, close: () => pool.destroy() };
}

/** A 400 that names a field of ours: `field` can be left out, or is called otherwise. */
class FieldRefused extends ModelError {
  readonly field: string;

  constructor(field: string, message: string) {
    super('rejected', message);
    this.field = field;
  }
}

function learn(dialect: Dialect, field: string): boolean {
  if (field === 'max_tokens') {
    const isNew = dialect.tokensField === 'max_tokens';
    dialect.tokensField = 'max_completion_tokens';
    return isNew;
  }
  if (field === 'temperature' || field === 'seed' || field === 'response_format') {
    const isNew = !dialect.refused.has(field);
    dialect.refused.add(field);
    return isNew;
  }
  return false;
}

function toBody(modelId: string, request: GenerateRequest, dialect: Dialect): Record<string, unknown> {
  const body: Record<string, unknown> = {
    model: modelId,
    messages: request.messages.map(toMessage),
    [dialect.tokensField]: request.maxOutputTokens,
  };
  if (!dialect.refused.has('temperature')) {
    body.temperature = request.temperature;
  }
  if (request.seed !== undefined && !dialect.refused.has('seed')) {
    body.seed = request.seed;
  }
  if (request.jsonSchema !== undefined && !dialect.refused.has('response_format')) {
    const { name, schema } = request.jsonSchema;
    body.response_format = { type: 'json_schema', json_schema: { name, schema, strict: true } };
  }
  return body;
}

function toMessage({ role, content, images = [] }: ChatMessage): Record<string, unknown> {
  if (images.length === 0) return { role, content };
  const shown = images.map((url) => ({ type: 'image_url', image_url: { url } }));
  return { role, content: [...shown, { type: 'text', text: content }] };
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
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModelError('garbage', "The model endpoint's answer is not valid JSON", { cause });
  }
}

function toGeneration(body: unknown): Generation {
  const parsed = Completion.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined) {
    throw new ModelError('garbage', "The model endpoint's answer is not a chat completion");
  }
  const { usage } = parsed.data;
  return {
    text: choice.message.content ?? '',
    finishReason:
      choice.finish_reason === 'length'
        ? 'length'
        : choice.finish_reason === 'content_filter'
          ? 'filtered'
          : 'stop',
    usage: { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 },
  };
}

function toVectors(body: unknown, count: number): Float32Array[] {
  const parsed = Embeddings.safeParse(body);
  const rows = parsed.data?.data.toSorted((a, b) => a.index - b.index);
  if (rows?.length !== count || rows.some((row, n) => row.index !== n)) {
    throw new ModelError('garbage', "The model endpoint's answer is not one embedding for each text");
  }
  return rows.map((row) => toUnitLength(row.embedding));
}

function toModelError(status: number, headers: IncomingHttpHeaders, text: string): ModelError {
  const problem = readProblem(text);
  const code = String(problem?.code ?? problem?.type ?? '').slice(0, 60);
  const message = `The model endpoint answered ${status}${/^[\w.-]+$/.test(code) ? ` (${code})` : ''}`;
  const retryAfterSeconds = readRetryAfter(headers);
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
    return new ModelError('too_long', `${message}: the row does not fit the model's context`);
  }
  const field = status === 400 || status === 422 ? refusedField(problem) : undefined;
  return field === undefined ? new ModelError('rejected', message) : new FieldRefused(field, message);
}

function readProblem(text: string): Problem | undefined {
  try {
    return Problem.safeParse(JSON.parse(text)).data?.error;
  } catch {
    // An error page that is no JSON says nothing beyond its status.
    return undefined;
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

function refusedField(problem: Problem | undefined): string | undefined {
  const fields = ['max_tokens', 'temperature', 'seed', 'response_format'];
  const param = problem?.param?.split('.')[0];
  if (param && fields.includes(param)) {
    return param;
  }
  const message = problem?.message ?? '';
  return /unsupported|not supported|unrecognized|unknown|not permitted|extra/i.test(message)
    ? fields.find((field) => message.includes(field))
    : undefined;
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
