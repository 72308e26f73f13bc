import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectOpenAi, type OpenAiEndpoint } from '#shared/models/adapters/openai-compatible.ts';
import type { TurnItem, TurnPart, TurnRequest } from '#shared/models/decide/turn.ts';
import {
  answering,
  eventBytes,
  type ModelEndpoint,
  type Reply,
  startModelEndpoint,
  streaming,
  streamingAndLingering,
  streamingBy,
} from '#test/helpers/model-endpoint.ts';
import { newTurn, userSays } from '#test/helpers/turns.ts';

let server: ModelEndpoint;
let endpoint: OpenAiEndpoint;

beforeEach(async () => {
  server = await startModelEndpoint();
  endpoint = connectOpenAi({ baseUrl: server.url, apiKey: 'k', connectionsMax: 4, timeoutSeconds: 20 });
});

afterEach(async () => {
  await endpoint.close();
  await server.close();
});

const chunk = (delta: object, finish: string | null = null) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const call = (fields: object) => chunk({ tool_calls: [fields] });
const STOP = chunk({}, 'stop');
const EXTRA_FIELD = {
  detail: [{ loc: ['body', 'safety_identifier'], msg: 'Extra inputs are not permitted' }],
};
const WEATHER = {
  name: 'weather',
  description: 'Weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
  strict: null,
};

async function answer(
  request: Partial<TurnRequest> = {},
  signal = new AbortController().signal,
): Promise<TurnPart[]> {
  const parts: TurnPart[] = [];
  for await (const part of endpoint.answering('m', 'chat').answer(newTurn(request), signal)) parts.push(part);
  return parts;
}

async function answerTo(...replies: Reply[]): Promise<TurnPart[]> {
  server.reply(...replies);
  return answer();
}

/** The calls that the pieces make up. */
function callsOf(parts: readonly TurnPart[]): { id: string; name: string; arguments: string }[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool_call') return [];
    const texts = parts.flatMap((each) =>
      each.type === 'tool_arguments' && each.index === part.index ? [each.delta] : [],
    );
    return [{ id: part.callId, name: part.name, arguments: texts.join('') }];
  });
}

async function bodyOf(request: Partial<TurnRequest>): Promise<Record<string, unknown>> {
  server.reply(streaming([STOP]));
  await answer(request);
  return server.requests.at(-1)?.body ?? {};
}

it('an answer of chat completions comes piece by piece, while the model is still writing', async () => {
  let finish = (): void => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  server.reply(
    streamingBy(async (response) => {
      response.write(
        eventBytes([chunk({ role: 'assistant', content: '' }), chunk({ content: 'One' })], false),
      );
      await held;
      response.end(eventBytes([chunk({ content: ' two.' }), STOP]));
    }),
  );
  const parts = endpoint.answering('m', 'chat').answer(newTurn(), new AbortController().signal);

  expect((await parts.next()).value).toEqual({ type: 'text', delta: 'One' });
  finish();
  expect((await parts.next()).value).toEqual({ type: 'text', delta: ' two.' });
  expect((await parts.next()).value).toEqual({ type: 'end', reason: 'stop', usage: null });
  expect((await parts.next()).done).toBe(true);
});

it('of many tokens without a text, an answer of chat completions has the last ones alone with the next text', async () => {
  const told = (text: string, tokens: number) => ({
    choices: [
      {
        index: 0,
        delta: { content: text },
        logprobs: {
          content: Array.from({ length: tokens }, () => ({ token: 'x', logprob: -1, bytes: null })),
        },
        finish_reason: null,
      },
    ],
  });
  const parts = await answerTo(streaming([told('', 150_000), told('a', 1), STOP]));

  expect(parts.flatMap((part) => (part.type === 'text' ? [part.logprobs?.length] : []))).toEqual([65]);
});

it('an answer of chat completions has its tokens with their probabilities, those without a text before the next one', async () => {
  const likely = (token: string, bytes?: readonly number[]) => ({
    token,
    logprob: -0.25,
    bytes: bytes ?? null,
  });
  const told = (delta: object, ...content: object[]) => ({
    choices: [{ index: 0, delta, logprobs: { content }, finish_reason: null }],
  });
  const parts = await answerTo(
    streaming([
      told({ reasoning_content: 'Hm.' }, likely('Hm.')),
      told({ content: '' }, likely('\\xc3', [0xc3])),
      told({ content: 'ä' }, { ...likely('\\xa4', [0xa4]), top_logprobs: [likely('ä')] }),
      told({ content: '!' }, { surprise: true }),
      STOP,
    ]),
  );

  expect(parts.filter(({ type }) => type !== 'end')).toEqual([
    { type: 'reasoning', delta: 'Hm.' },
    {
      type: 'text',
      delta: 'ä',
      logprobs: [
        { token: '\\xc3', logprob: -0.25, bytes: [0xc3], top_logprobs: [] },
        {
          token: '\\xa4',
          logprob: -0.25,
          bytes: [0xa4],
          top_logprobs: [{ token: 'ä', logprob: -0.25, bytes: [0xc3, 0xa4] }],
        },
      ],
    },
    { type: 'text', delta: '!' },
  ]);
});

it('a conversation for chat completions asks for as many likely tokens as are wanted', async () => {
  expect(await bodyOf({ logprobs: 3 })).toMatchObject({ logprobs: true, top_logprobs: 3 });
  const alone = await bodyOf({ logprobs: 0 });
  expect([alone.logprobs, 'top_logprobs' in alone]).toEqual([true, false]);
  expect('logprobs' in (await bodyOf({}))).toBe(false);
});

it('an answer of chat completions is the same wherever the network cuts it, also within a character', async () => {
  const bytes = Buffer.from(
    `: ping\r\n\r\n${eventBytes([chunk({ content: 'Zürich 🌧' }), call({ index: 0, id: 'c', function: { name: 'weather', arguments: '{"place":"Zürich"}' } }), chunk({}, 'tool_calls')])}`,
  );
  const whole = await answerTo(streamingBy((response) => void response.end(bytes)));
  const cut = await answerTo(
    streamingBy(async (response) => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        if (byte % 16 === 0) await new Promise(setImmediate);
      }
      response.end();
    }),
  );

  expect(whole).toContainEqual({ type: 'text', delta: 'Zürich 🌧' });
  expect(cut).toEqual(whole);
});

it('an answer of chat completions tells what it took, with what was cached and what was thought', async () => {
  const usage = {
    prompt_tokens: 11,
    completion_tokens: 7,
    prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 5 },
  };
  const parts = await answerTo(streaming([chunk({ content: 'a' }), STOP, { choices: [], usage }]));

  expect(parts.at(-1)).toEqual({
    type: 'end',
    reason: 'stop',
    usage: { inputTokens: 11, cachedTokens: 4, cacheWriteTokens: 3, outputTokens: 7, reasoningTokens: 5 },
  });
});

it.each([
  ['length', 'length'],
  ['content_filter', 'filtered'],
  ['eos', 'stop'],
])('an answer of chat completions that ends with %s ends with %s', async (finish, reason) => {
  expect((await answerTo(streaming([chunk({}, finish)]))).at(-1)).toMatchObject({ reason });
});

it('an answer of chat completions has the links that its provider tells', async () => {
  const annotation = { type: 'url_citation', url_citation: { url: 'https://a.test', start_index: 0 } };
  const parts = await answerTo(
    streaming([
      chunk({ content: 'Rain.' }),
      chunk({ annotations: [annotation] }),
      chunk({ annotations: 'none' }),
      STOP,
    ]),
  );

  expect(parts.slice(0, -1)).toEqual([
    { type: 'text', delta: 'Rain.' },
    { type: 'annotation', annotation: { type: 'url_citation', url: 'https://a.test', start_index: 0 } },
  ]);
});

it('an answer of chat completions tells thoughts and refusals apart from text', async () => {
  const parts = await answerTo(
    streaming([
      chunk({ reasoning_content: 'Hm', reasoning: 'Hm' }),
      chunk({ reasoning: 'm.' }),
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Well' }] }] }),
      chunk({ content: [{ type: 'text', text: 'Yes' }] }),
      chunk({ refusal: 'No' }),
      STOP,
    ]),
  );

  expect(parts.slice(0, -1)).toEqual([
    { type: 'reasoning', delta: 'Hm' },
    { type: 'reasoning', delta: 'm.' },
    { type: 'reasoning', delta: 'Well' },
    { type: 'text', delta: 'Yes' },
    { type: 'refusal', delta: 'No' },
  ]);
});

it('an answer of chat completions is read whole where the provider does not stream', async () => {
  const message = {
    content: 'Rain.',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'weather', arguments: '{}' } }],
  };
  const parts = await answerTo(
    answering(200, {
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    }),
  );

  expect(parts[0]).toEqual({ type: 'text', delta: 'Rain.' });
  expect(callsOf(parts)).toEqual([{ id: 'c', name: 'weather', arguments: '{}' }]);
  expect(parts.at(-1)).toMatchObject({ reason: 'tool_calls', usage: { inputTokens: 1, outputTokens: 2 } });
});

describe('calls of tools', () => {
  const whole = (fields: object) => call({ ...fields, type: 'function' });
  const TWO = [
    { id: 'a', name: 'weather', arguments: '{"place":"Oslo"}' },
    { id: 'b', name: 'weather', arguments: '{"place":"Rome"}' },
  ];

  it.each<[string, object[]]>([
    [
      'interleaved by number',
      [
        call({ index: 0, id: 'a', function: { name: 'weather', arguments: '' } }),
        call({ index: 1, id: 'b', function: { name: 'weather', arguments: '{"pla' } }),
        call({ index: 0, function: { arguments: '{"place":' } }),
        call({ index: 1, function: { arguments: 'ce":"Rome"}' } }),
        call({ index: 0, function: { arguments: '"Oslo"}' } }),
      ],
    ],
    [
      'all with the same number',
      [
        whole({ index: 0, id: 'a', function: { name: 'weather', arguments: '{"place":"Oslo"}' } }),
        whole({ index: 0, id: 'b', function: { name: 'weather', arguments: '{"place":' } }),
        call({ index: 0, function: { arguments: '"Rome"}' } }),
      ],
    ],
    [
      'without numbers, with the id again in each piece',
      [
        whole({ id: 'a', function: { name: 'weather', arguments: '{"place":' } }),
        whole({ id: 'a', function: { name: 'weather', arguments: '"Oslo"}' } }),
        whole({ id: 'b', function: { name: 'weather', arguments: '{"place":"Rome"}' } }),
      ],
    ],
    [
      'with arguments that are no text',
      [
        whole({ index: 0, id: 'a', function: { name: 'weather', arguments: { place: 'Oslo' } } }),
        whole({ index: 1, id: 'b', function: { name: 'weather', arguments: { place: 'Rome' } } }),
      ],
    ],
    [
      'with arguments before the name',
      [
        call({ index: 0, id: 'a', function: { arguments: '{"place":"Oslo"}' } }),
        call({ index: 0, function: { name: 'weather' } }),
        call({ index: 1, id: 'b', function: { name: 'weather', arguments: '{"place":"Rome"}' } }),
      ],
    ],
  ])('calls of tools are put together, %s', async (_, events) => {
    const parts = await answerTo(streaming([...events, STOP]));

    expect(callsOf(parts)).toEqual(TWO);
    expect(parts.at(-1)).toMatchObject({ type: 'end', reason: 'tool_calls' });
  });

  it('calls of tools get an id of their own where the provider gives none', async () => {
    const parts = await answerTo(
      streaming([
        call({ index: 0, function: { name: 'weather', arguments: '{}' } }),
        call({ index: 1, function: { name: 'weather', arguments: '{}' } }),
        STOP,
      ]),
    );
    const ids = callsOf(parts).map(({ id }) => id);

    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^call_[0-9a-f]{32}$/);
  });

  it('calls of tools without arguments have an empty object of them', async () => {
    const parts = await answerTo(streaming([call({ index: 0, id: 'a', function: { name: 'now' } }), STOP]));

    expect(callsOf(parts)).toEqual([{ id: 'a', name: 'now', arguments: '{}' }]);
  });

  it('calls of tools that were cut off stay cut off', async () => {
    const parts = await answerTo(
      streaming([
        call({ index: 0, id: 'a', function: { name: 'weather', arguments: '{"pl' } }),
        chunk({}, 'length'),
      ]),
    );

    expect(callsOf(parts)).toEqual([{ id: 'a', name: 'weather', arguments: '{"pl' }]);
    expect(parts.at(-1)).toMatchObject({ reason: 'length' });
  });

  it('calls of tools without a name are no answer', async () => {
    const events = [call({ index: 0, id: 'a', function: { arguments: '{}' } }), STOP];

    await expect(answerTo(streaming(events))).rejects.toMatchObject({ kind: 'garbage' });
  });
});

describe('a stream that fails', () => {
  const FIRST = chunk({ content: 'One' });

  it.each<[string, unknown, string]>([
    ['of OpenAI', { error: { message: 'x', type: 'server_error', code: null } }, 'unavailable'],
    ['of a limit', { error: { message: 'x', code: 'rate_limit_exceeded' } }, 'throttled'],
    ['of OpenRouter', { ...FIRST, error: { message: 'x', code: 502 } }, 'unavailable'],
    ['that is told by the finish', chunk({}, 'error'), 'unavailable'],
    ['of vLLM', { object: 'error', message: 'x', type: 'BadRequestError', code: 400 }, 'rejected'],
    [
      'of the context',
      { error: { message: 'x', type: 'invalid_request_error', code: 'context_length_exceeded' } },
      'too_long',
    ],
    ['that is only a text', { error: 'overloaded' }, 'unavailable'],
  ])('a stream that fails with an error %s says so', async (_, event, kind) => {
    await expect(answerTo(streaming([FIRST, event]))).rejects.toMatchObject({ name: 'ModelError', kind });
  });

  it.each<[string, Reply, string]>([
    ['ends in the middle', streaming([FIRST]), 'garbage'],
    ['ends in the middle without a word', streaming([FIRST], false), 'garbage'],
    [
      'is reset',
      streamingBy((response) => void response.write(eventBytes([FIRST], false), () => response.destroy())),
      'unavailable',
    ],
    ['is no JSON', streamingBy((response) => void response.end('data: {{{\n\n')), 'garbage'],
    ['is JSON of another kind', streaming(['text']), 'garbage'],
    [
      'is a page',
      (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'garbage',
    ],
    ['is refused', answering(400, { error: { message: 'x' } }), 'rejected'],
    ['is throttled', answering(429, { error: { message: 'x' } }, { 'retry-after': '3' }), 'throttled'],
  ])('a stream that fails that %s says so', async (_, reply, kind) => {
    await expect(answerTo(reply)).rejects.toMatchObject({ name: 'ModelError', kind });
  });

  it.each<[string, Reply]>([
    ['falls silent', streamingBy((response) => void response.write(eventBytes([FIRST], false)))],
    ['never begins', () => {}],
  ])('a stream that fails that %s says that its time is over', async (_, reply) => {
    await endpoint.close();
    endpoint = connectOpenAi({ baseUrl: server.url, connectionsMax: 1, timeoutSeconds: 0.4 });

    await expect(answerTo(reply)).rejects.toMatchObject({ name: 'ModelError', kind: 'timeout' });
  });

  it('a stream that fails is whole where only its count is missing', async () => {
    const parts = await answerTo(
      streamingBy(
        (response) => void response.write(eventBytes([FIRST, STOP], false), () => response.destroy()),
      ),
    );

    expect(parts.at(-1)).toEqual({ type: 'end', reason: 'stop', usage: null });
  });

  it('a stream that fails of an event above the limit is given up', async () => {
    const small = connectOpenAi({
      baseUrl: server.url,
      connectionsMax: 1,
      timeoutSeconds: 20,
      bodyBytesMax: 500,
    });
    server.reply(
      streamingBy(async (response) => {
        for (let n = 0; n < 100 && !response.destroyed; n += 1) {
          response.write(n === 0 ? 'data: {"choices":"' : 'x'.repeat(100));
          await new Promise(setImmediate);
        }
      }),
    );
    const parts = small.answering('m', 'chat').answer(newTurn(), new AbortController().signal);

    await expect(parts.next()).rejects.toMatchObject({ kind: 'garbage' });
    await server.requests[0]?.left;
    await small.close();
  });

  it('a stream that fails of an aborted signal throws its reason and leaves the provider', async () => {
    const controller = new AbortController();
    server.reply(streamingBy((response) => void response.write(eventBytes([FIRST], false))));
    const parts = endpoint.answering('m', 'chat').answer(newTurn(), controller.signal);
    await parts.next();
    controller.abort(new Error('enough'));

    await expect(parts.next()).rejects.toThrow('enough');
    await server.requests[0]?.left;
  });

  it('a stream that fails goes on with the trace that its caller is in', async () => {
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'a=1' };
    const tracing = connectOpenAi({
      baseUrl: server.url,
      connectionsMax: 1,
      timeoutSeconds: 20,
      trace: () => trace,
    });
    server.reply(streaming([FIRST, STOP]));
    const parts = tracing.answering('m', 'chat').answer(newTurn(), new AbortController().signal);
    for await (const part of parts) if (part.type === 'end') break;

    expect(server.requests[0]?.headers).toMatchObject(trace);
    await tracing.close();
  });

  it('a stream that fails keeps its connection where the provider ends the stream a moment after its last event', async () => {
    const lone = connectOpenAi({ baseUrl: server.url, connectionsMax: 1, timeoutSeconds: 20 });
    server.reply(streamingAndLingering([FIRST, STOP], true, 5));
    for (let n = 0; n < 5; n += 1) {
      const parts = lone.answering('m', 'chat').answer(newTurn(), new AbortController().signal);
      for await (const part of parts) if (part.type === 'end') break;
    }

    expect(server.connections()).toBe(1);
    await lone.close();
  });

  it('a stream that fails is left soon where the provider never ends it, and nobody waits for that', async () => {
    const patient = connectOpenAi({ baseUrl: server.url, connectionsMax: 1, timeoutSeconds: 60 });
    server.reply(streamingBy((response) => void response.write(eventBytes([FIRST, STOP]))));
    const parts = patient.answering('m', 'chat').answer(newTurn(), new AbortController().signal);
    for await (const part of parts) if (part.type === 'end') break;
    let hasLeft = false;
    const left = server.requests[0]?.left.then(() => {
      hasLeft = true;
    });
    await new Promise(setImmediate);

    expect(hasLeft).toBe(false);
    await left;
    await patient.close();
  });

  it('a stream that fails that nobody reads on is left', async () => {
    server.reply(streamingBy((response) => void response.write(eventBytes([FIRST, FIRST], false))));
    for await (const part of endpoint
      .answering('m', 'chat')
      .answer(newTurn(), new AbortController().signal)) {
      expect(part).toEqual({ type: 'text', delta: 'One' });
      break;
    }

    await server.requests[0]?.left;
  });
});

it('a conversation for chat completions has its instructions and first system messages in one message, and steps of the assistant in one', async () => {
  const items: TurnItem[] = [
    { type: 'message', role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    userSays('Weather?'),
    { type: 'reasoning', text: 'Which place?', encrypted: null },
    { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'I look.' }] },
    { type: 'tool_call', callId: 'a', name: 'weather', arguments: '{"place":"Oslo"}' },
    { type: 'tool_call', callId: 'b', name: 'weather', arguments: '{"place":"Rome"}' },
    { type: 'tool_result', callId: 'a', output: 'rain' },
    { type: 'tool_result', callId: 'b', output: 'sun' },
    { type: 'message', role: 'system', content: [{ type: 'text', text: 'Be short.' }] },
  ];

  const body = await bodyOf({ instructions: 'Speak English.', items, tools: [WEATHER] });

  const called = (id: string, place: string) => ({
    id,
    type: 'function',
    function: { name: 'weather', arguments: `{"place":"${place}"}` },
  });
  expect(body.messages).toEqual([
    { role: 'system', content: 'Speak English.\n\nBe kind.' },
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: 'I look.',
      reasoning_content: 'Which place?',
      tool_calls: [called('a', 'Oslo'), called('b', 'Rome')],
    },
    { role: 'tool', content: 'rain', tool_call_id: 'a' },
    { role: 'tool', content: 'sun', tool_call_id: 'b' },
    { role: 'system', content: 'Be short.' },
  ]);
});

it('a conversation for chat completions has nothing between calls and their results: images of a tool follow the last of them', async () => {
  const image = (url: string): TurnItem => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'image', url: `https://example.com/${url}` }],
  });
  const called = (callId: string): TurnItem => ({
    type: 'tool_call',
    callId,
    name: 'see',
    arguments: '{}',
  });
  const answered = (callId: string): TurnItem => ({ type: 'tool_result', callId, output: callId });

  const { messages } = await bodyOf({
    items: [
      userSays('Look.'),
      called('a'),
      called('b'),
      called('c'),
      answered('a'),
      image('a.png'),
      answered('b'),
      image('b.png'),
      answered('c'),
      userSays('And?'),
      called('d'),
      answered('d'),
      image('d.png'),
    ],
  });

  const seen = (messages as { role: string; content: unknown; tool_call_id?: string }[]).map(
    ({ role, content, tool_call_id: id }) => {
      if (id !== undefined) return id;
      if (role === 'assistant') return role;
      return typeof content === 'string' ? content : /[a-d]\.png/.exec(JSON.stringify(content))?.[0];
    },
  );
  expect(seen).toEqual([
    'Look.',
    'assistant',
    'a',
    'b',
    'c',
    'a.png',
    'b.png',
    'And?',
    'assistant',
    'd',
    'd.png',
  ]);
});

it('a conversation for chat completions shows images, and no thoughts about requests that were answered', async () => {
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image', url: 'https://example.com/cat.png', detail: 'low' },
  ] as const;
  const body = await bodyOf({
    items: [
      userSays('Now?'),
      { type: 'reasoning', text: 'A clock.', encrypted: null },
      { type: 'tool_call', callId: 'a', name: 'now', arguments: '{}' },
      { type: 'tool_result', callId: 'a', output: 'noon' },
      { type: 'message', role: 'user', content },
    ],
  });

  expect(JSON.stringify(body.messages)).not.toContain('A clock.');
  expect((body.messages as unknown[]).at(-1)).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'https://example.com/cat.png', detail: 'low' } },
    ],
  });
});

it('a conversation for chat completions leaves to the provider what nobody has set', async () => {
  expect(await bodyOf({})).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hello.' }],
    stream: true,
    stream_options: { include_usage: true },
  });
});

it('a conversation for chat completions hands settings, tools and the form of the answer on', async () => {
  const schema = { type: 'object' };
  const body = await bodyOf({
    tools: [{ ...WEATHER, strict: true }],
    toolChoice: { name: 'weather' },
    parallelToolCalls: false,
    maxOutputTokens: 9,
    temperature: 0.5,
    topP: 0.9,
    stop: ['END'],
    seed: 4,
    format: { type: 'json_schema', name: 'place', description: 'A town.', schema, strict: null },
    reasoning: { effort: 'low', summary: 'auto' },
    cacheRetention: '24h',
    marks: { user: 'u', safetyIdentifier: 's', cacheKey: 'c' },
  });

  expect(body).toMatchObject({
    tools: [{ type: 'function', function: { ...WEATHER, strict: true } }],
    tool_choice: { type: 'function', function: { name: 'weather' } },
    parallel_tool_calls: false,
    max_tokens: 9,
    temperature: 0.5,
    top_p: 0.9,
    stop: ['END'],
    seed: 4,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'place', description: 'A town.', schema },
    },
    reasoning_effort: 'low',
    prompt_cache_retention: '24h',
    user: 'u',
    safety_identifier: 's',
    prompt_cache_key: 'c',
  });
});

it('a conversation for chat completions says nothing of the choice of tools without tools', async () => {
  const body = await bodyOf({ toolChoice: 'none', parallelToolCalls: true });

  expect(body).not.toHaveProperty('tool_choice');
  expect(body).not.toHaveProperty('parallel_tool_calls');
});

it('a conversation for chat completions is asked again without what only the service wants, and never with it afterwards', async () => {
  const refuse = (param: string) => answering(400, { error: { message: 'Unknown parameter', param } });
  server.reply(refuse('stream_options'), refuse('max_tokens'), streaming([STOP]));
  const model = endpoint.answering('m', 'chat');
  const ask = async () => {
    for await (const _ of model.answer(newTurn({ maxOutputTokens: 5 }), new AbortController().signal));
  };

  await ask();
  await ask();

  expect(server.requests).toHaveLength(4);
  expect(server.requests[3]?.body).toMatchObject({ max_completion_tokens: 5 });
  expect(server.requests[3]?.body).not.toHaveProperty('stream_options');
});

it.each([
  ['OpenAI’s form', { error: { message: 'Unknown parameter', param: 'safety_identifier' } }],
  ['words of OpenAI’s form', { error: { message: "Unknown parameter: 'safety_identifier'." } }],
  ['older words', { error: { message: 'Unrecognized request argument supplied: safety_identifier' } }],
  ['Google’s form', [{ error: { message: 'Unknown name "safety_identifier": Cannot find field.' } }]],
  ['vLLM’s form', { object: 'error', message: "[{'loc': ('body', 'safety_identifier'), 'msg': 'Extra'}]" }],
  ['a text', { detail: '`safety_identifier` is not supported' }],
  ['FastAPI’s form', EXTRA_FIELD],
  ['Mistral’s form', { object: 'error', message: EXTRA_FIELD }],
])(
  'a conversation for chat completions is asked again without names of users that the provider refuses in %s',
  async (_, refusal) => {
    server.reply(answering(422, refusal), streaming([STOP]));

    await answer({ marks: { user: 'u', safetyIdentifier: 's', cacheKey: null } });

    expect(server.requests[1]?.body).toMatchObject({ user: 'u' });
    expect(server.requests[1]?.body).not.toHaveProperty('safety_identifier');
  },
);

it.each([
  ['Groq’s form', { error: { message: "'messages.1' : property 'reasoning_content' is unsupported" } }],
  [
    'Mistral’s form',
    {
      detail: [{ type: 'extra_forbidden', loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'] }],
    },
  ],
])(
  'a conversation for chat completions is asked again without thoughts that the provider does not take back in %s',
  async (_, refusal) => {
    server.reply(answering(400, refusal), streaming([STOP]));

    await answer({
      items: [
        userSays('Now?'),
        { type: 'reasoning', text: 'A clock.', encrypted: null },
        { type: 'tool_call', callId: 'a', name: 'clock', arguments: '{}' },
        { type: 'tool_result', callId: 'a', output: 'noon' },
      ],
    });

    expect(JSON.stringify(server.requests[0]?.body)).toContain('reasoning_content');
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('reasoning_content');
  },
);

it('a conversation for chat completions does not take the part of a message for the field of that name', async () => {
  const loc = ['body', 'messages', 0, 'user', 'name'];
  server.reply(answering(422, { detail: [{ type: 'extra_forbidden', loc }] }));

  await expect(
    answer({ marks: { user: 'u', safetyIdentifier: null, cacheKey: null } }),
  ).rejects.toMatchObject({ kind: 'rejected', requestField: undefined });
  expect(server.requests).toHaveLength(1);
});

it('a conversation for chat completions is not refused by a field that it does not have', async () => {
  server.reply(answering(400, { error: { message: 'Unknown parameter', param: 'top_p' } }));

  await expect(answer({ temperature: 1 })).rejects.toMatchObject({
    kind: 'rejected',
    requestField: undefined,
  });
});

it('a conversation for chat completions is refused where it wants a summary of thoughts, of which the provider has none', async () => {
  await expect(answer({ reasoning: { effort: null, summary: 'detailed' } })).rejects.toMatchObject({
    kind: 'rejected',
    requestField: 'reasoning.summary',
  });
  expect(server.requests).toHaveLength(0);
});

it('a conversation for chat completions does not go on without what its caller asked for, but names it', async () => {
  server.reply(answering(400, { error: { message: 'Unsupported value', param: 'temperature' } }));

  await expect(answer({ temperature: 1.5 })).rejects.toMatchObject({
    kind: 'rejected',
    requestField: 'temperature',
    message: expect.stringContaining('"temperature"'),
  });
  expect(server.requests).toHaveLength(1);
});
