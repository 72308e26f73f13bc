import { randomInt, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LOOPBACK_HOST } from '../loopback-host.ts';
import { ApiError, toErrorBody } from './api-error.ts';
import { toGrammarSchema } from './grammar-schema.ts';
import {
  type AdapterRequest,
  type ChatRequest,
  parseAdapterRequest,
  parseChatRequest,
  parseEmbeddingsRequest,
} from './requests.ts';
import type { TextEmbedder } from './text-embedder.ts';
import type { AnswerFormat, Outcome, Prompt, Sampling, TextGenerator } from './text-generator.ts';
import { type AnswerPiece, type AnswerReader, type OfferedTools, readTools } from './tool-calls.ts';

export type Generator = Pick<TextGenerator, 'prepare' | 'generate'>;
export type Embedder = Pick<TextEmbedder, 'dimensions' | 'embed'>;

export type ServedModel =
  | { readonly kind: 'text'; readonly id: string; readonly generator: Generator }
  | { readonly kind: 'embedding'; readonly id: string; readonly embedder: Embedder };

/** An available model that is loaded on demand. */
export interface ListedModel {
  readonly id: string;
  readonly created: Date;
}

/** Models that may be added or removed while the server runs. */
export interface TrainedModels {
  list(): Promise<readonly ListedModel[]>;
  find(id: string): Promise<Generator | undefined>;
  /**
   * Serves an adapter of a base model of trainings, which it fetches from the URL.
   * @returns the id of the trained model
   * @throws {ApiError} if it does not serve the base model, or the adapter cannot be fetched
   */
  put(adapter: AdapterRequest, signal: AbortSignal): Promise<string>;
  /** Serves no adapter of this name any more. */
  remove(name: string): Promise<void>;
}

/** For a server that only serves its loaded models. */
const noTrainedModels: TrainedModels = {
  list: async () => [],
  find: async () => undefined,
  put: async ({ model }) => {
    throw new ApiError(404, `No adapters of ${model} are served here.`, { code: 'model_not_found' });
  },
  remove: async () => {},
};

const ADAPTERS = '/v1/adapters/';
const bodyBytesMax = 8 * 1024 * 1024;

/** An OpenAI-compatible API for models on this machine: chat completions, embeddings, the list of models. */
export function createModelApi(
  models: readonly ServedModel[],
  startedAt: Date,
  trained: TrainedModels = noTrainedModels,
): Server {
  const finder = createFinder(models, startedAt, trained);

  return createServer((request, response) => {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('The client has gone.'));
    });
    route(request, response, gone.signal).catch((error: unknown) => fail(response, gone.signal, error));
  });

  async function route(
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    if (!LOOPBACK_HOST.test(request.headers.host ?? '')) {
      throw new ApiError(421, 'Ask for 127.0.0.1 or localhost.', { code: 'wrong_host' });
    }
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    switch (`${request.method} ${pathname}`) {
      case 'GET /health':
        return sendJson(response, 200, { status: 'ok', models: models.map(({ id }) => id) });
      case 'GET /v1/models':
        return sendJson(response, 200, {
          object: 'list',
          data: (await finder.list()).map(({ id, created }) => ({
            id,
            object: 'model',
            created: Math.floor(created.getTime() / 1000),
            owned_by: 'local',
          })),
        });
      case 'POST /v1/chat/completions':
        return complete(finder, parseChatRequest(await readJson(request)), response, signal);
      case 'POST /v1/embeddings':
        return embed(finder, await readJson(request), response, signal);
      case 'POST /v1/adapters':
        return sendJson(response, 200, {
          id: await trained.put(parseAdapterRequest(await readJson(request)), signal),
        });
      default:
        if (request.method === 'DELETE' && pathname.startsWith(ADAPTERS)) {
          await trained.remove(decodeURIComponent(pathname.slice(ADAPTERS.length)));
          return sendJson(response, 200, { deleted: true });
        }
        throw new ApiError(
          404,
          `There is no ${request.method} ${pathname}. There are: GET /health, GET /v1/models, ` +
            'POST /v1/chat/completions, POST /v1/embeddings, POST /v1/adapters, DELETE /v1/adapters/{name}.',
          { code: 'unknown_url' },
        );
    }
  }
}

type Finder = ReturnType<typeof createFinder>;

/** Lists and finds the models that are served. */
function createFinder(models: readonly ServedModel[], startedAt: Date, trained: TrainedModels) {
  const list = async (): Promise<ListedModel[]> => [
    ...models.map(({ id }) => ({ id, created: startedAt })),
    ...(await trained.list()),
  ];

  async function requireModel<Kind extends ServedModel['kind']>(
    kind: Kind,
    id: string,
  ): Promise<Extract<ServedModel, { kind: Kind }>> {
    const model = models.find((candidate) => candidate.id === id) ?? (await findTrained(id));
    if (model === undefined) {
      const known = (await list()).map((candidate) => candidate.id).join(', ');
      throw new ApiError(404, `No model "${id}" is served here. There are: ${known}.`, {
        code: 'model_not_found',
        parameter: 'model',
      });
    }
    if (model.kind !== kind) {
      throw new ApiError(400, `"${id}" is a model for ${model.kind === 'text' ? 'chat' : 'embeddings'}.`, {
        code: 'model_not_supported',
        parameter: 'model',
      });
    }
    return model as Extract<ServedModel, { kind: Kind }>;
  }

  async function findTrained(id: string): Promise<ServedModel | undefined> {
    const generator = await trained.find(id);
    return generator === undefined ? undefined : { kind: 'text', id, generator };
  }

  return { list, requireModel };
}

async function complete(
  { requireModel }: Finder,
  request: ChatRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { generator } = await requireModel('text', request.model);
  const tools = readTools(request);
  const sampling = toSampling(request, tools);
  const prompt = generator.prepare(tools.turns, sampling.maxTokens, tools.opening);
  const calls = tools.createReader();
  const head = { id: `chatcmpl-${randomUUID()}`, created: nowSeconds(), model: request.model };
  if (request.stream === true) {
    await streamCompletion(generator, prompt, sampling, request, calls, head, response, signal);
    return;
  }
  let text = '';
  const called: WireCall[] = [];
  const take = (pieces: readonly AnswerPiece[]) => {
    for (const piece of pieces) {
      if (piece.type === 'text') text += piece.text;
      else called.push(toWireCall(piece));
    }
  };
  const outcome = await generator.generate(prompt, sampling, signal, (piece) => take(calls.push(piece)));
  take(calls.flush());
  sendJson(response, 200, {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && called.length > 0 ? null : text,
          refusal: null,
          ...(called.length === 0 ? {} : { tool_calls: called }),
        },
        logprobs: null,
        finish_reason: finishOf(outcome, called.length),
      },
    ],
    usage: usageOf(prompt, outcome),
  });
}

async function embed(
  { requireModel }: Finder,
  body: unknown,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const request = parseEmbeddingsRequest(body);
  const { embedder } = await requireModel('embedding', request.model);
  if (typeof request.dimensions === 'number' && request.dimensions !== embedder.dimensions) {
    throw new ApiError(400, `${request.model} has ${embedder.dimensions} dimensions and no other number.`, {
      code: 'invalid_value',
      parameter: 'dimensions',
    });
  }
  const texts = typeof request.input === 'string' ? [request.input] : request.input;
  const { vectors, tokens } = await embedder.embed(texts, signal);
  sendJson(response, 200, {
    object: 'list',
    model: request.model,
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: request.encoding_format === 'base64' ? toBase64(vector) : [...vector],
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

async function streamCompletion(
  generator: Generator,
  prompt: Prompt,
  sampling: Sampling,
  request: ChatRequest,
  calls: AnswerReader,
  head: { readonly id: string; readonly created: number; readonly model: string },
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const withUsage = request.stream_options?.include_usage === true;
  const send = (fields: object) => {
    const chunk = {
      ...head,
      object: 'chat.completion.chunk',
      ...(withUsage ? { usage: null } : {}),
      ...fields,
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const choice = (delta: object, finishReason: FinishReason | null) => ({
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  });
  // Before the first text an error can still be a status: a full queue is a 429, not an event.
  const start = () => {
    if (response.headersSent) return;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    send(choice({ role: 'assistant', content: '' }, null));
  };
  let called = 0;
  const show = (pieces: readonly AnswerPiece[]) => {
    for (const piece of pieces) {
      start();
      if (piece.type === 'text') {
        send(choice({ content: piece.text }, null));
        continue;
      }
      const call = toWireCall(piece);
      const begun = { ...call, function: { name: call.function.name, arguments: '' } };
      send(choice({ tool_calls: [{ index: called, ...begun }] }, null));
      const rest = { arguments: call.function.arguments };
      send(choice({ tool_calls: [{ index: called, function: rest }] }, null));
      called += 1;
    }
  };
  const outcome = await generator.generate(prompt, sampling, signal, (piece) => show(calls.push(piece)));
  show(calls.flush());
  start();
  send(choice({}, finishOf(outcome, called)));
  if (withUsage) send({ choices: [], usage: usageOf(prompt, outcome) });
  response.end('data: [DONE]\n\n');
}

type FinishReason = Outcome['finishReason'] | 'tool_calls';

interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

function toWireCall({ name, arguments: given }: Extract<AnswerPiece, { type: 'call' }>): WireCall {
  return {
    id: `call_${randomUUID().replaceAll('-', '')}`,
    type: 'function',
    function: { name, arguments: given },
  };
}

function finishOf({ finishReason }: Outcome, calls: number): FinishReason {
  return finishReason === 'stop' && calls > 0 ? 'tool_calls' : finishReason;
}

function toSampling(request: ChatRequest, tools: OfferedTools): Sampling {
  const stop = request.stop ?? [];
  return {
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    temperature: request.temperature ?? 1,
    topP: request.top_p ?? 1,
    seed: request.seed ?? randomInt(2 ** 31),
    stop: [...(typeof stop === 'string' ? [stop] : stop), ...tools.stops],
    frequencyPenalty: request.frequency_penalty ?? 0,
    presencePenalty: request.presence_penalty ?? 0,
    format: tools.format ?? toFormat(request.response_format),
  };
}

function toFormat(format: ChatRequest['response_format']): AnswerFormat {
  switch (format?.type) {
    case 'json_object':
      return 'json';
    case 'json_schema':
      return { schema: toGrammarSchema(format.json_schema.schema) };
    default:
      return 'text';
  }
}

function usageOf(prompt: Prompt, outcome: Outcome) {
  return {
    prompt_tokens: prompt.tokens.length,
    completion_tokens: outcome.completionTokens,
    total_tokens: prompt.tokens.length + outcome.completionTokens,
    prompt_tokens_details: { cached_tokens: outcome.cachedTokens },
  };
}

function toBase64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

/** @throws {ApiError} 413 if the body is too large, 400 if it is not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  // A web page can only send JSON to another origin after a preflight, which this server does not answer.
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ApiError(400, 'Send a JSON body with the header content-type: application/json.', {
      code: 'invalid_content_type',
    });
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) {
      throw new ApiError(413, `The body is larger than ${bodyBytesMax} bytes. Send it in several requests.`, {
        code: 'request_too_large',
      });
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new ApiError(400, `The body is no JSON: ${String(error)}`, { code: 'invalid_json' });
  }
}

function fail(response: ServerResponse, signal: AbortSignal, error: unknown): void {
  if (signal.aborted) return;
  const known = error instanceof ApiError;
  if (!known) console.error(error);
  const apiError = known ? error : new ApiError(500, 'The model server failed. Its log says why.');
  const body = toErrorBody(apiError);
  if (response.headersSent) {
    response.end(`data: ${JSON.stringify(body)}\n\n`);
    return;
  }
  if (apiError.retryAfterSeconds !== undefined) {
    response.setHeader('retry-after', String(apiError.retryAfterSeconds));
  }
  if (apiError.status === 413) response.setHeader('connection', 'close');
  sendJson(response, apiError.status, body);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
