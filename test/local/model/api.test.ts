import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelApi, type Embedder, type Generator, type TrainedModels } from '#local/model/api.ts';
import { ApiError } from '#local/model/api-error.ts';
import { deferred } from '../deferred.ts';

let server: Server | undefined;

afterEach(() => server?.close());

/** A generator that answers with the given pieces and notes what it was asked. */
function scriptedGenerator(
  pieces: readonly string[],
  behaviour: Partial<Generator> = {},
): Generator & { asked: Parameters<Generator['generate']>[1][] } {
  const asked: Parameters<Generator['generate']>[1][] = [];
  return {
    asked,
    prepare: (_messages, maxTokens) => ({ tokens: [1, 2, 3], maxTokens: maxTokens ?? 9 }),
    generate: async (_prompt, sampling, _signal, onText) => {
      asked.push(sampling);
      for (const piece of pieces) onText(piece);
      return { finishReason: 'stop', completionTokens: pieces.length, cachedTokens: 2 };
    },
    ...behaviour,
  };
}

const embedder: Embedder = {
  dimensions: 2,
  embed: async (texts) => ({
    vectors: texts.map((text) => Float32Array.of(text.length, 0.5)),
    tokens: texts.length,
  }),
};

async function serve(generator: Generator, trained?: TrainedModels): Promise<string> {
  server = createModelApi(
    [
      { kind: 'text', id: 'chat', generator },
      { kind: 'embedding', id: 'vectors', embedder },
    ],
    new Date('2026-01-02T03:04:05Z'),
    trained,
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const chat = { model: 'chat', messages: [{ role: 'user', content: 'Hi' }] };

describe('the model API', () => {
  it('the model API refuses a page elsewhere whose name leads to this machine', async () => {
    const url = await serve(scriptedGenerator([]));
    const status = await new Promise((resolve, reject) => {
      request(`${url}/v1/models`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

    expect(status).toBe(421);
  });

  it('the model API lists its models', async () => {
    const url = await serve(scriptedGenerator([]));

    const body = await (await fetch(`${url}/v1/models`)).json();

    expect(body).toEqual({
      object: 'list',
      data: [
        { id: 'chat', object: 'model', created: 1_767_323_045, owned_by: 'local' },
        { id: 'vectors', object: 'model', created: 1_767_323_045, owned_by: 'local' },
      ],
    });
  });

  it('the model API answers by models that came after it was started, and lists them', async () => {
    const url = await serve(scriptedGenerator(['Hello']), {
      list: async () => [{ id: 'chat:mine', created: new Date('2026-02-03T04:05:06Z') }],
      find: async (id) => (id === 'chat:mine' ? scriptedGenerator(['Ahoy']) : undefined),
      put: async () => 'chat:mine',
      remove: async () => {},
    });
    const ask = async (model: string) => post(`${url}/v1/chat/completions`, { ...chat, model });

    const mine = await ask('chat:mine');
    const unknown = await ask('chat:other');
    const list = await (await fetch(`${url}/v1/models`)).json();

    expect(await mine.json()).toMatchObject({
      model: 'chat:mine',
      choices: [{ message: { content: 'Ahoy' } }],
    });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({
      error: { code: 'model_not_found', message: expect.stringContaining('chat, vectors, chat:mine') },
    });
    expect(list).toMatchObject({
      data: [{ id: 'chat' }, { id: 'vectors' }, { id: 'chat:mine', created: 1_770_091_506 }],
    });
  });

  it('the model API answers a chat with its text, usage and reason', async () => {
    const url = await serve(scriptedGenerator(['Hel', 'lo']));

    const body = await (await post(`${url}/v1/chat/completions`, chat)).json();

    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'chat',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
  });

  it('the model API streams the same text in chunks, with usage where asked, and ends with [DONE]', async () => {
    const url = await serve(scriptedGenerator(['Hel', 'lo']));

    const response = await post(`${url}/v1/chat/completions`, {
      ...chat,
      stream: true,
      stream_options: { include_usage: true },
    });
    const events = (await response.text()).split('\n\n').filter((event) => event !== '');
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)));

    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(events.at(-1)).toBe('data: [DONE]');
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello');
    expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toEqual([
      null,
      null,
      null,
      'stop',
      undefined,
    ]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 5 } });
  });

  it('the model API passes on what was asked for', async () => {
    const generator = scriptedGenerator([]);
    const url = await serve(generator);

    await post(`${url}/v1/chat/completions`, {
      ...chat,
      temperature: 0,
      top_p: 0.5,
      seed: 7,
      stop: 'END',
      presence_penalty: 0.3,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { type: 'boolean' } },
      },
    });

    expect(generator.asked).toEqual([
      expect.objectContaining({
        temperature: 0,
        topP: 0.5,
        seed: 7,
        stop: ['END'],
        presencePenalty: 0.3,
        frequencyPenalty: 0,
        format: { schema: { type: 'boolean' } },
      }),
    ]);
  });

  it.each([
    ['an unknown field', { ...chat, logit_bias: {} }, 'unsupported_parameter', 'logit_bias'],
    [
      'a picture',
      { ...chat, messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
      'invalid_value',
      'messages.0.content',
    ],
    ['no messages', { ...chat, messages: [] }, 'invalid_value', 'messages'],
    ['a temperature out of range', { ...chat, temperature: 3 }, 'invalid_value', 'temperature'],
    ['several answers', { ...chat, n: 2 }, 'invalid_value', 'n'],
    ['a broken body', '{"model":', 'invalid_json', null],
  ])('the model API answers 400 to %s', async (_case, body, code, param) => {
    const url = await serve(scriptedGenerator([]));

    const response = await post(`${url}/v1/chat/completions`, body);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', code, param } });
  });

  const tools = [
    { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
  ];
  const calling = [
    'Well. <tool_',
    'call>\n{"name": "weather", "arguments": {"place"',
    ': "Oslo"}}\n</tool_call>',
  ];

  it('answers with the calls that the model writes', async () => {
    const url = await serve(scriptedGenerator(calling));

    const body = await (await post(`${url}/v1/chat/completions`, { ...chat, tools })).json();

    const call = {
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'weather', arguments: '{"place":"Oslo"}' },
    };
    expect(body).toMatchObject({
      choices: [{ message: { content: 'Well.', tool_calls: [call] }, finish_reason: 'tool_calls' }],
    });
  });

  it('the model API streams calls as clients of OpenAI put them together', async () => {
    const url = await serve(scriptedGenerator(calling));

    const response = await post(`${url}/v1/chat/completions`, { ...chat, tools, stream: true });
    const events = (await response.text()).split('\n\n').slice(0, -2);
    const deltas = events.map((event) => JSON.parse(event.slice('data: '.length)).choices[0]);
    const calls = deltas.flatMap(({ delta }) => delta.tool_calls ?? []);

    expect(deltas.map(({ delta }) => delta.content ?? '').join('')).toBe('Well.');
    expect(calls).toEqual([
      { index: 0, id: expect.any(String), type: 'function', function: { name: 'weather', arguments: '' } },
      { index: 0, function: { arguments: '{"place":"Oslo"}' } },
    ]);
    expect(deltas.at(-1).finish_reason).toBe('tool_calls');
  });

  it('the model API answers 404 to a model that is not served, and names those that are', async () => {
    const url = await serve(scriptedGenerator([]));

    const response = await post(`${url}/v1/chat/completions`, { ...chat, model: 'gpt-4' });

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { code: 'model_not_found', message: expect.stringContaining('chat, vectors') },
    });
  });

  it('the model API answers 404 to a path that it does not have', async () => {
    const url = await serve(scriptedGenerator([]));

    expect((await fetch(`${url}/v1/responses`)).status).toBe(404);
  });

  it('the model API answers 400 to a chat with a model for embeddings, and the other way round', async () => {
    const url = await serve(scriptedGenerator([]));

    const responses = await Promise.all([
      post(`${url}/v1/chat/completions`, { ...chat, model: 'vectors' }),
      post(`${url}/v1/embeddings`, { model: 'chat', input: 'a' }),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([400, 400]);
  });

  it('the model API answers 413 to a body that is too large', async () => {
    const url = await serve(scriptedGenerator([]));

    const response = await post(`${url}/v1/embeddings`, { model: 'vectors', input: 'x'.repeat(9_000_000) });

    expect(response.status).toBe(413);
  });

  it('the model API takes no body that a web page could send unasked', async () => {
    const url = await serve(scriptedGenerator([]));

    const response = await post(`${url}/v1/chat/completions`, chat, { 'content-type': 'text/plain' });

    expect(response.status).toBe(400);
  });

  it.each([false, true])(
    'the model API answers 429 with Retry-After when the queue is full (stream: %s)',
    async (stream) => {
      const full = async () => {
        throw new ApiError(429, 'Too many wait.', { code: 'rate_limit_exceeded', retryAfterSeconds: 5 });
      };
      const url = await serve(scriptedGenerator([], { generate: full }));

      const response = await post(`${url}/v1/chat/completions`, { ...chat, stream });

      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
      expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
    },
  );

  it('the model API says in the stream that it failed, once it has begun', async () => {
    const breaking: Generator['generate'] = async (_prompt, _sampling, _signal, onText) => {
      onText('Hel');
      throw new ApiError(500, 'Broken.');
    };
    const url = await serve(scriptedGenerator([], { generate: breaking }));

    const text = await (await post(`${url}/v1/chat/completions`, { ...chat, stream: true })).text();

    expect(text).toContain('"content":"Hel"');
    expect(text).toMatch(/data: \{"error":\{"message":"Broken\.","type":"server_error".*\n\n$/);
  });

  it('the model API stops generating when the client goes', async () => {
    const { promise: aborted, resolve } = deferred<unknown>();
    const { promise: started, resolve: start } = deferred<void>();
    const endless: Generator['generate'] = (_prompt, _sampling, signal) => {
      start();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          resolve(signal.reason);
          reject(signal.reason);
        });
      });
    };
    const url = new URL(await serve(scriptedGenerator([], { generate: endless })));
    const body = JSON.stringify(chat);

    const socket = connect(Number(url.port), url.hostname);
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await started;
    socket.destroy();

    expect(await aborted).toEqual(new Error('The client has gone.'));
  });

  it('the model API embeds one text or several, as numbers or as base64 of 32-bit floats', async () => {
    const url = await serve(scriptedGenerator([]));
    const embed = async (fields: object) => {
      const response = await post(`${url}/v1/embeddings`, { model: 'vectors', ...fields });
      return (await response.json()) as { data: { index: number; embedding: unknown }[] };
    };

    const one = await embed({ input: 'abc' });
    const several = await embed({ input: ['a', 'abc'], encoding_format: 'base64' });

    expect(one).toMatchObject({
      object: 'list',
      data: [{ index: 0, embedding: [3, 0.5] }],
      usage: { prompt_tokens: 1 },
    });
    expect(several.data.map(({ embedding }) => embedding)).toEqual([
      Buffer.from(Float32Array.of(1, 0.5).buffer).toString('base64'),
      Buffer.from(Float32Array.of(3, 0.5).buffer).toString('base64'),
    ]);
  });

  it.each([[{ input: '' }], [{ input: [] }], [{ input: 'a', dimensions: 5 }], [{ input: [[1, 2]] }]])(
    'the model API answers 400 to embeddings of %j',
    async (fields) => {
      const url = await serve(scriptedGenerator([]));

      expect((await post(`${url}/v1/embeddings`, { model: 'vectors', ...fields })).status).toBe(400);
    },
  );
});

it('the model server takes adapters of trainings and gives them up by name', async () => {
  const calls: unknown[] = [];
  const trained: TrainedModels = {
    list: async () => [],
    find: async () => undefined,
    put: async (adapter) => {
      calls.push(adapter);
      return 'small:x';
    },
    remove: async (name) => void calls.push(name),
  };
  const url = await serve(scriptedGenerator([]), trained);
  const adapter = { model: 'acme/small', name: 'x', url: 'http://127.0.0.1:1/adapter' };

  const put = await post(`${url}/v1/adapters`, adapter);
  const removed = await fetch(`${url}/v1/adapters/x`, { method: 'DELETE' });
  const invalid = await post(`${url}/v1/adapters`, { ...adapter, name: '../x' });

  expect([put.status, await put.json()]).toEqual([200, { id: 'small:x' }]);
  expect(removed.status).toBe(200);
  expect(invalid.status).toBe(400);
  expect(calls).toEqual([adapter, 'x']);
});
