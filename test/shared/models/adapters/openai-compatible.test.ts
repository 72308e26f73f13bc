import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnsweringApi,
  connectOpenAi,
  type OpenAiEndpoint,
} from '#shared/models/adapters/openai-compatible.ts';
import type { GenerateRequest, ModelError } from '#shared/models/decide/port.ts';
import type { TurnRequest } from '#shared/models/decide/turn.ts';
import { PNG } from '#test/helpers/images.ts';
import { answering, type Reply, startModelEndpoint, streaming } from '#test/helpers/model-endpoint.ts';
import { type Fault, type ScriptedModel, startScriptedModel } from '#test/helpers/scripted-model.ts';
import { newTurn } from '#test/helpers/turns.ts';

const REQUEST: GenerateRequest = {
  messages: [{ role: 'user', content: 'Say something of row-7.' }],
  maxOutputTokens: 50,
  temperature: 0,
  seed: 1,
};

let model: ScriptedModel;
let endpoint: OpenAiEndpoint;

beforeEach(async () => {
  model = await startScriptedModel();
  endpoint = connectOpenAi({ baseUrl: model.url, connectionsMax: 4, timeoutSeconds: 20 });
});

afterEach(async () => {
  await endpoint.close();
  await model.close();
});

async function failureOf(fault: Fault): Promise<ModelError> {
  model.setScript({ faults: [fault] });
  return endpoint
    .model('m')
    .generate(REQUEST)
    .then(
      () => expect.unreachable('the call should have failed'),
      (error: ModelError) => error,
    );
}

it('an OpenAI-compatible endpoint answers with the text, its end and its tokens', async () => {
  const generation = await endpoint.model('m').generate(REQUEST);

  expect(generation).toEqual({
    text: 'A scripted answer in one sentence.',
    finishReason: 'stop',
    usage: { input_tokens: 6, output_tokens: 9 },
  });
});

it('an OpenAI-compatible endpoint is shown images before the text that speaks of them', async () => {
  const images = [`data:image/png;base64,${PNG}`, 'https://example.com/cat.png'];
  const messages = [{ role: 'user' as const, content: 'What is on row-7?', images }];

  await endpoint.model('m').generate({ ...REQUEST, messages });

  expect(model.stats()).toMatchObject({ images: 2, byRow: { 7: 1 } });
});

it.each<[string, Fault, string]>([
  ['429', { kind: 'status', status: 429 }, 'throttled'],
  ['408', { kind: 'status', status: 408 }, 'timeout'],
  ['409', { kind: 'status', status: 409 }, 'unavailable'],
  ['425', { kind: 'status', status: 425 }, 'unavailable'],
  ['500', { kind: 'status', status: 500 }, 'unavailable'],
  ['503', { kind: 'status', status: 503 }, 'unavailable'],
  ['a reset', { kind: 'reset' }, 'unavailable'],
  ['half a body', { kind: 'half' }, 'unavailable'],
  ['broken JSON', { kind: 'garbage' }, 'garbage'],
  ['a page of HTML', { kind: 'html' }, 'garbage'],
  ['no choices', { kind: 'no_choices' }, 'garbage'],
  ['400', { kind: 'status', status: 400 }, 'rejected'],
  ['401', { kind: 'status', status: 401 }, 'misconfigured'],
  ['403', { kind: 'status', status: 403 }, 'misconfigured'],
  ['404', { kind: 'status', status: 404 }, 'misconfigured'],
  ['a redirect', { kind: 'status', status: 307 }, 'misconfigured'],
  ['413', { kind: 'status', status: 413 }, 'too_long'],
  [
    'a context that is too small',
    { kind: 'status', status: 400, body: { error: { message: 'x', code: 'context_length_exceeded' } } },
    'too_long',
  ],
  [
    'an account without quota',
    { kind: 'status', status: 429, body: { error: { message: 'x', code: 'insufficient_quota' } } },
    'exhausted',
  ],
  ['402', { kind: 'status', status: 402 }, 'exhausted'],
  [
    'a limit of tokens a minute',
    {
      kind: 'status',
      status: 429,
      body: {
        error: {
          message:
            'Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.',
          code: 'rate_limit_exceeded',
        },
      },
    },
    'throttled',
  ],
  [
    'a limit of tokens a day',
    {
      kind: 'status',
      status: 429,
      body: {
        error: {
          message:
            'Rate limit reached for m on tokens per day (TPD): Limit 100000, Used 99400, Requested 2000.',
          code: 'rate_limit_exceeded',
        },
      },
    },
    'exhausted',
  ],
  [
    "a limit of the day that only Google's details name",
    {
      kind: 'status',
      status: 429,
      body: [
        {
          error: {
            code: 429,
            message: 'You exceeded your current quota',
            status: 'RESOURCE_EXHAUSTED',
            details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }],
          },
        },
      ],
    },
    'exhausted',
  ],
  [
    'a limit of free models',
    {
      kind: 'status',
      status: 429,
      body: { error: { message: 'Rate limit exceeded: free-models-per-day', code: 429 } },
    },
    'exhausted',
  ],
])('an OpenAI-compatible endpoint calls %s by its kind', async (_, fault, kind) => {
  expect(await failureOf(fault)).toMatchObject({ name: 'ModelError', kind });
});

it('an OpenAI-compatible endpoint calls silence by its kind', async () => {
  await endpoint.close();
  endpoint = connectOpenAi({ baseUrl: model.url, connectionsMax: 1, timeoutSeconds: 0.4 });

  expect(await failureOf({ kind: 'never' })).toMatchObject({ name: 'ModelError', kind: 'timeout' });
});

it('an OpenAI-compatible endpoint hands on an empty answer, for the caller to judge', async () => {
  model.setScript({ faults: [{ kind: 'empty' }] });

  expect((await endpoint.model('m').generate(REQUEST)).text).toBe('');
});

it('an OpenAI-compatible endpoint reads Retry-After in seconds and as a date', async () => {
  const seconds = await failureOf({ kind: 'status', status: 429, retryAfter: '7' });
  const date = await failureOf({
    kind: 'status',
    status: 503,
    retryAfter: new Date(Date.now() + 20_000).toUTCString(),
  });

  expect(seconds.retryAfterSeconds).toBe(7);
  expect(date.retryAfterSeconds).toBeGreaterThan(17);
  expect(date.retryAfterSeconds).toBeLessThanOrEqual(20);
});

it('an OpenAI-compatible endpoint never repeats what was sent or answered in an error', async () => {
  const error = await failureOf({
    kind: 'status',
    status: 400,
    body: { error: { message: 'Say something of row-7.', code: 'Say something' } },
  });

  expect(error.message).not.toContain('Say something');
});

it('an OpenAI-compatible endpoint ends a call when its signal is aborted, with the reason', async () => {
  model.setScript({ faults: [{ kind: 'never' }] });
  const controller = new AbortController();
  const call = endpoint.model('m').generate(REQUEST, controller.signal);
  setTimeout(() => controller.abort(new Error('enough')), 30);

  await expect(call).rejects.toThrow('enough');
});

it('an OpenAI-compatible endpoint refuses a body above its limit', async () => {
  const small = connectOpenAi({
    baseUrl: model.url,
    connectionsMax: 1,
    timeoutSeconds: 20,
    bodyBytesMax: 100,
  });

  await expect(small.model('m').generate(REQUEST)).rejects.toMatchObject({ kind: 'garbage' });
  await small.close();
});

it('an OpenAI-compatible endpoint opens no more connections than it may, and keeps them', async () => {
  model.setScript({ latencyMilliseconds: 5 });

  await Promise.all(Array.from({ length: 20 }, () => endpoint.model('m').generate(REQUEST)));

  expect(model.stats()).toMatchObject({ requests: 20, inFlightMax: 4 });
});

it('an OpenAI-compatible endpoint gives one unit-length vector for each text, in order', async () => {
  const vectors = await endpoint.embeddings('e').embed(['one two', 'three', 'one two']);

  expect(vectors).toHaveLength(3);
  expect(vectors[0]).toEqual(vectors[2]);
  expect(vectors[0]).not.toEqual(vectors[1]);
  expect(Math.hypot(...(vectors[0] ?? []))).toBeCloseTo(1);
});

describe('a provider with fields of its own', () => {
  it('a provider with fields of its own is asked again without the field that it refuses, and never with it afterwards', async () => {
    const bodies: Record<string, unknown>[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part) => {
        text += part;
      });
      request.on('end', () => {
        const body = JSON.parse(text) as Record<string, unknown>;
        bodies.push(body);
        const refused = ['max_tokens', 'temperature'].find((field) => field in body);
        response.writeHead(refused === undefined ? 200 : 400, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify(
            refused === undefined
              ? { choices: [{ message: { content: 'ok' }, finish_reason: 'length' }] }
              : { error: { message: 'Unsupported parameter', param: refused } },
          ),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const leftOut: unknown[] = [];
    const peculiar = connectOpenAi({
      baseUrl: `http://127.0.0.1:${port}/v1/`,
      apiKey: 'k',
      connectionsMax: 1,
      timeoutSeconds: 20,
      onLeftOut: (...told) => void leftOut.push(told),
    });
    const client = peculiar.model('m');

    const first = await client.generate(REQUEST);
    await client.generate(REQUEST);

    expect(first).toMatchObject({ text: 'ok', finishReason: 'length' });
    expect(bodies).toHaveLength(4);
    expect(bodies[3]).toMatchObject({ max_completion_tokens: 50, seed: 1 });
    expect(bodies[3]).not.toHaveProperty('temperature');
    expect(leftOut).toEqual([['m', 'temperature']]);
    await peculiar.close();
    server.close();
  });

  const SAID = 'Unknown parameter:\n"temperature" is not supported, and my prompt is too long.';
  const TOO_LONG = { type: 'string_too_long', loc: ['body', 'messages', 0, 'user', 'content'], msg: 'x' };

  it.each<[string, unknown]>([
    ['FastAPI’s form', { detail: [{ ...TOO_LONG, input: SAID }] }],
    ['a form that nobody knows', { failure: SAID }],
    ['OpenAI’s form', { error: { message: `No unsupported words: ${JSON.stringify(SAID.slice(0, 50))}` } }],
    ['a text', { detail: `Not permitted: ${SAID.slice(0, 50)}` }],
  ])(
    'a provider with fields of its own is asked as before after a refusal that repeats a prompt in %s',
    async (_, refusal) => {
      const server = await startModelEndpoint();
      const peculiar = connectOpenAi({ baseUrl: server.url, connectionsMax: 1, timeoutSeconds: 20 });
      const client = peculiar.model('m');
      server.reply(answering(422, refusal), answering(500, {}));

      const messages = [{ role: 'user' as const, content: SAID }];
      await expect(client.generate({ ...REQUEST, messages })).rejects.toMatchObject({ kind: 'rejected' });
      await expect(client.generate(REQUEST)).rejects.toMatchObject({ kind: 'unavailable' });

      expect(server.requests).toHaveLength(2);
      expect(server.requests[1]?.body).toMatchObject({ temperature: 0, max_tokens: 50 });
      await peculiar.close();
      await server.close();
    },
  );
});

describe('a model that all callers share', () => {
  const MARKS = { user: 'unknown-u', safetyIdentifier: 's', cacheKey: 'c' };
  const TURN: Partial<TurnRequest> = { maxOutputTokens: 100_000, marks: MARKS };
  const SCHEMA = { name: 'unsupported', schema: { type: 'object' } };
  const GENERATION = { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] };
  const ENDS: Record<AnsweringApi, object> = {
    chat: { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    responses: { type: 'response.completed', response: { object: 'response', output: [] } },
  };
  const valueRefused = (param: string): object => ({ error: { message: `${param} is too large`, param } });

  /** The bodies of one caller's request, of which the first is refused, and of the next caller's on the same model. */
  async function bodiesOf(api: AnsweringApi | 'generate', ...replies: readonly Reply[]): Promise<unknown[]> {
    const server = await startModelEndpoint();
    const shared = connectOpenAi({ baseUrl: server.url, connectionsMax: 1, timeoutSeconds: 20 });
    const taken = api === 'generate' ? answering(200, GENERATION) : streaming([ENDS[api]]);
    server.reply(...replies, taken);
    const generating = shared.model('m');
    const turning = shared.answering('m', api === 'generate' ? 'chat' : api);
    const ask = async (): Promise<void> => {
      if (api === 'generate') {
        await generating.generate({ ...REQUEST, jsonSchema: SCHEMA });
        return;
      }
      for await (const _ of turning.answer(newTurn(TURN), new AbortController().signal));
    };
    await ask().catch(() => {});
    await ask();
    await shared.close();
    await server.close();
    return server.requests.map(({ body }) => body);
  }

  const FIELDS: readonly (readonly [AnsweringApi | 'generate', string])[] = [
    ...['max_tokens', 'temperature', 'seed', 'response_format'].map((field) => ['generate', field] as const),
    ...['max_tokens', 'stream_options', 'user', 'safety_identifier', 'prompt_cache_key'].map(
      (field) => ['chat', field] as const,
    ),
    ...['include', 'store', 'user', 'safety_identifier', 'prompt_cache_key'].map(
      (field) => ['responses', field] as const,
    ),
  ];

  it.each(FIELDS)(
    'a model that all callers share is sent by %s as before after it refused a value of %s',
    async (api, field) => {
      const bodies = await bodiesOf(api, answering(400, valueRefused(field)));

      expect(bodies).toHaveLength(3);
      expect(JSON.stringify(bodies[2])).toBe(JSON.stringify(bodies[0]));
    },
  );

  it.each<[string, object]>([
    ['a word of the value', { message: "Not taken: 'unknown-u' is too long", param: 'user' }],
    ['the number', { message: 'max_tokens: 100000 is not supported', param: 'max_tokens' }],
    ['its value', { message: 'Unsupported value of store', code: 'unsupported_value', param: 'user' }],
  ])(
    'a model that all callers share is sent the same as before after a refusal that names %s',
    async (_, error) => {
      const bodies = await bodiesOf('chat', answering(400, { error }));

      expect(JSON.stringify(bodies.at(-1))).toBe(JSON.stringify(bodies[0]));
    },
  );

  it.each(FIELDS)(
    'a model that all callers share is sent by %s as before where it answers neither with nor without %s',
    async (api, param) => {
      const error = { message: `Unsupported parameter: '${param}'`, code: 'unsupported_parameter', param };
      const bodies = await bodiesOf(api, answering(400, { error }), answering(403, {}));

      expect(bodies).toHaveLength(3);
      expect(JSON.stringify(bodies[2])).toBe(JSON.stringify(bodies[0]));
    },
  );

  it.each(FIELDS)(
    'a model that all callers share is sent by %s what it takes once it has answered without %s',
    async (api, param) => {
      const error = { message: `Unsupported parameter: '${param}'`, code: 'unsupported_parameter', param };
      const bodies = await bodiesOf(api, answering(400, { error }));

      expect(bodies).toHaveLength(3);
      expect(JSON.stringify(bodies[2])).toBe(JSON.stringify(bodies[1]));
      expect(JSON.stringify(bodies[2])).not.toBe(JSON.stringify(bodies[0]));
    },
  );

  it('a model that all callers share gets no temperature once it has said that it takes the default alone', async () => {
    const message =
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.";
    const error = { message, code: 'unsupported_value', param: 'temperature' };
    const bodies = await bodiesOf('generate', answering(400, { error }));

    expect(bodies).toHaveLength(3);
    expect(bodies[2]).not.toHaveProperty('temperature');
  });
});
