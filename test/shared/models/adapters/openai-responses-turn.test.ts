import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectOpenAi, type OpenAiEndpoint } from '#shared/models/adapters/openai-compatible.ts';
import type { AnsweringModel, TurnItem, TurnPart, TurnRequest } from '#shared/models/decide/turn.ts';
import {
  answering,
  type ModelEndpoint,
  type Reply,
  startModelEndpoint,
  streaming,
  streamingAndLingering,
} from '#test/helpers/model-endpoint.ts';
import { newTurn, userSays } from '#test/helpers/turns.ts';

let server: ModelEndpoint;
let endpoint: OpenAiEndpoint;
let model: AnsweringModel;

beforeEach(async () => {
  server = await startModelEndpoint();
  endpoint = connectOpenAi({ baseUrl: server.url, connectionsMax: 4, timeoutSeconds: 20 });
  model = endpoint.answering('m', 'responses');
});

afterEach(async () => {
  await endpoint.close();
  await server.close();
});

const USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 5 },
};

const completed = (fields: object = {}) => ({
  type: 'response.completed',
  response: { object: 'response', status: 'completed', output: [], usage: USAGE, ...fields },
});
const on = (output_index: number, type: string, fields: object) => ({
  type: `response.${type}`,
  output_index,
  ...fields,
});
const added = (at: number, item: object) => on(at, 'output_item.added', { item });
const done = (at: number, item: object) => on(at, 'output_item.done', { item });
const text = (at: number, delta: string) => on(at, 'output_text.delta', { content_index: 0, delta });
const call = (call_id: string, args: string) => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name: 'weather',
  arguments: args,
});

async function answer(request: Partial<TurnRequest> = {}): Promise<TurnPart[]> {
  const parts: TurnPart[] = [];
  for await (const part of model.answer(newTurn(request), new AbortController().signal)) parts.push(part);
  return parts;
}

async function answerTo(...replies: Reply[]): Promise<TurnPart[]> {
  server.reply(...replies);
  return answer();
}

const told = (...events: object[]) => answerTo(streaming([{ type: 'response.created' }, ...events], false));

async function bodyOf(request: Partial<TurnRequest>): Promise<Record<string, unknown>> {
  server.reply(streaming([completed()]));
  await answer(request);
  return server.requests.at(-1)?.body ?? {};
}

describe('an answer of the Responses API', () => {
  it('an answer of the Responses API is thoughts with what takes them up again, text and refusal, and what it took', async () => {
    const parts = await told(
      added(0, { type: 'reasoning', summary: [] }),
      on(0, 'reasoning_summary_part.added', { summary_index: 0 }),
      on(0, 'reasoning_summary_text.delta', { summary_index: 0, delta: 'Hm.' }),
      on(0, 'reasoning_summary_part.added', { summary_index: 1 }),
      on(0, 'reasoning_summary_text.delta', { summary_index: 1, delta: 'Yes.' }),
      done(0, {
        type: 'reasoning',
        encrypted_content: 'gAAA',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
      }),
      added(1, { type: 'message', content: [] }),
      text(1, 'One'),
      text(1, ' two.'),
      on(1, 'refusal.delta', { delta: 'No.' }),
      done(1, { type: 'message', content: [{ type: 'output_text', text: 'One two.' }] }),
      completed(),
    );

    expect(parts).toEqual([
      { type: 'reasoning_summary', part: 0, delta: 'Hm.' },
      { type: 'reasoning_summary', part: 1, delta: 'Yes.' },
      { type: 'reasoning_state', encrypted: 'gAAA' },
      { type: 'message', phase: null },
      { type: 'text', delta: 'One' },
      { type: 'text', delta: ' two.' },
      { type: 'refusal', delta: 'No.' },
      {
        type: 'end',
        reason: 'stop',
        usage: { inputTokens: 11, cachedTokens: 4, cacheWriteTokens: 3, outputTokens: 7, reasoningTokens: 5 },
      },
    ]);
  });

  it('an answer of the Responses API is messages by themselves, each with its phase, and the parts of one', async () => {
    const parts = await told(
      added(0, { type: 'message', phase: 'commentary', content: [] }),
      text(0, 'Wait.'),
      done(0, { type: 'message', phase: 'commentary', content: [{ type: 'output_text', text: 'Wait.' }] }),
      added(1, { type: 'message', phase: 'final_answer', content: [] }),
      text(1, 'One.'),
      on(1, 'output_text.delta', { content_index: 1, delta: 'Two.' }),
      completed(),
    );

    expect(parts.slice(0, -1)).toEqual([
      { type: 'message', phase: 'commentary' },
      { type: 'text', delta: 'Wait.' },
      { type: 'message', phase: 'final_answer' },
      { type: 'text', delta: 'One.' },
      { type: 'content' },
      { type: 'text', delta: 'Two.' },
    ]);
  });

  const link = { type: 'url_citation', url: 'https://a.test', title: 'A', start_index: 0, end_index: 4 };
  const other = { ...link, url: 'https://b.test' };
  const cited = { type: 'output_text', text: 'Rain.', annotations: [link, other] };
  const asAdded = (annotation: object) =>
    on(0, 'output_text.annotation.added', { content_index: 0, annotation_index: 0, annotation });

  it.each<[string, object[]]>([
    ['as they are found', [text(0, 'Rain.'), asAdded(link), asAdded(other)]],
    ['with the part', [text(0, 'Rain.'), on(0, 'content_part.done', { content_index: 0, part: cited })]],
    ['with the item', [text(0, 'Rain.'), asAdded(link)]],
    ['with the item alone', []],
  ])(
    'an answer of the Responses API has the links that its provider tells %s, each once',
    async (_, events) => {
      const parts = await told(
        added(0, { type: 'message', content: [] }),
        ...events,
        done(0, { type: 'message', content: [cited] }),
        completed({ output: [{ type: 'message', content: [cited] }] }),
      );

      expect(parts.slice(1, -1)).toEqual([
        { type: 'text', delta: 'Rain.' },
        { type: 'annotation', annotation: link },
        { type: 'annotation', annotation: other },
      ]);
    },
  );

  it('an answer of the Responses API has the links where its provider tells them, between the words', async () => {
    const parts = await told(text(0, 'Rain'), asAdded(link), text(0, '.'), completed());

    expect(parts.slice(1, -1)).toEqual([
      { type: 'text', delta: 'Rain' },
      { type: 'annotation', annotation: link },
      { type: 'text', delta: '.' },
    ]);
  });

  it('an answer of the Responses API is calls, whether their arguments come in pieces or whole', async () => {
    const parts = await told(
      added(0, call('a', '')),
      added(1, call('b', '')),
      on(1, 'function_call_arguments.delta', { delta: '{"place":' }),
      on(1, 'function_call_arguments.delta', { delta: '"Rome"}' }),
      done(0, call('a', '{"place":"Oslo"}')),
      done(1, call('b', '{"place":"Rome"}')),
      done(2, call('c', '')),
      completed(),
    );

    expect(parts).toEqual([
      { type: 'tool_call', index: 0, callId: 'a', name: 'weather' },
      { type: 'tool_call', index: 1, callId: 'b', name: 'weather' },
      { type: 'tool_arguments', index: 1, delta: '{"place":' },
      { type: 'tool_arguments', index: 1, delta: '"Rome"}' },
      { type: 'tool_arguments', index: 0, delta: '{"place":"Oslo"}' },
      { type: 'tool_call', index: 2, callId: 'c', name: 'weather' },
      { type: 'tool_arguments', index: 2, delta: '{}' },
      expect.objectContaining({ type: 'end', reason: 'tool_calls' }),
    ]);
  });

  it('an answer of the Responses API has what the provider’s own tools did, as it was told', async () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'weather' },
    };
    const parts = await told(added(0, search), done(0, search), text(1, 'Rain.'), completed());

    expect(parts[0]).toEqual({ type: 'provider_item', item: search });
    expect(parts.at(-1)).toMatchObject({ reason: 'stop' });
  });

  it('an answer of the Responses API keeps its connection where the provider ends the stream a moment after its last event', async () => {
    const lone = connectOpenAi({ baseUrl: server.url, connectionsMax: 1, timeoutSeconds: 20 });
    server.reply(streamingAndLingering([text(0, 'Hi'), completed()], false, 5));
    for (let n = 0; n < 5; n += 1) {
      const parts = lone.answering('m', 'responses').answer(newTurn(), new AbortController().signal);
      for await (const part of parts) if (part.type === 'end') break;
    }

    expect(server.connections()).toBe(1);
    await lone.close();
  });

  it.each<[string, Reply]>([
    [
      'with its last event alone',
      streaming([
        completed({
          output: [{ type: 'message', content: [{ type: 'output_text', text: 'Rain.' }] }, call('a', '{}')],
        }),
      ]),
    ],
    [
      'without a stream',
      answering(200, {
        object: 'response',
        status: 'completed',
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Rain.' }] }, call('a', '{}')],
        usage: USAGE,
      }),
    ],
  ])('an answer of the Responses API is whole where a provider tells it %s', async (_, reply) => {
    expect(await answerTo(reply)).toEqual([
      { type: 'message', phase: null },
      { type: 'text', delta: 'Rain.' },
      { type: 'tool_call', index: 0, callId: 'a', name: 'weather' },
      { type: 'tool_arguments', index: 0, delta: '{}' },
      expect.objectContaining({ reason: 'tool_calls', usage: expect.objectContaining({ inputTokens: 11 }) }),
    ]);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filtered'],
  ])('an answer of the Responses API that is incomplete for %s ends with %s', async (reason, expected) => {
    const parts = await told(text(0, 'One'), {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason } },
    });

    expect(parts.at(-1)).toEqual({ type: 'end', reason: expected, usage: null });
  });
});

describe('a response that fails', () => {
  const failed = (error: object | null) => ({
    type: 'response.failed',
    response: { status: 'failed', error },
  });

  it.each<[string, object[], string]>([
    ['by its status', [failed({ code: 'server_error', message: 'x' })], 'unavailable'],
    ['without a reason', [failed(null)], 'unavailable'],
    ['by a limit', [failed({ code: 'rate_limit_exceeded', message: 'x' })], 'throttled'],
    ['by an error', [{ type: 'error', code: 'server_error', message: 'x', param: null }], 'unavailable'],
    [
      'by an error within an error',
      [{ type: 'error', error: { code: 'context_length_exceeded', message: 'x' } }],
      'too_long',
    ],
    ['by an end in the middle', [text(0, 'One')], 'garbage'],
    ['by arguments of no call', [on(0, 'function_call_arguments.delta', { delta: '{' })], 'garbage'],
    ['by a call without a name', [added(0, { type: 'function_call' })], 'garbage'],
    ['by what is no event', [{ choices: [] }], 'garbage'],
  ])('%s says so', async (_, events, kind) => {
    await expect(told(...events)).rejects.toMatchObject({ name: 'ModelError', kind });
  });

  it('a response that fails of a tool that the provider does not have says so', async () => {
    const refusal = { error: { message: 'Unknown tool type', param: 'tools[0].type' } };

    server.reply(answering(400, refusal));

    await expect(answer({ providerTools: [{ type: 'web_search' }] })).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('"tools"'),
    });
  });
});

it('a conversation for the Responses API has all of its items in their order', async () => {
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
  const items: TurnItem[] = [
    { type: 'message', role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'text', text: 'Weather here?' },
        { type: 'image', url: 'https://example.com/map.png', detail: 'original' },
      ],
    },
    { type: 'reasoning', text: 'A map.', encrypted: 'gAAA' },
    { type: 'reasoning', text: '', encrypted: 'gBBB' },
    { type: 'reasoning', text: 'Of an open model.', encrypted: null },
    { type: 'provider_item', item: search },
    { type: 'tool_call', callId: 'a', name: 'weather', arguments: '{}' },
    { type: 'tool_result', callId: 'a', output: 'rain' },
    {
      type: 'message',
      role: 'assistant',
      phase: 'final_answer',
      content: [
        { type: 'text', text: 'Rain.', annotations: [{ type: 'url_citation', url: 'https://a.test' }] },
        { type: 'text', text: 'Really.' },
      ],
    },
  ];
  const body = await bodyOf({ instructions: 'Speak English.', items });

  expect(body).toEqual({
    model: 'm',
    instructions: 'Speak English.',
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    input: [
      { role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Weather here?' },
          { type: 'input_image', image_url: 'https://example.com/map.png', detail: 'original' },
        ],
      },
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'A map.' }],
        encrypted_content: 'gAAA',
      },
      { type: 'reasoning', summary: [], encrypted_content: 'gBBB' },
      {
        type: 'reasoning',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'Of an open model.' }],
      },
      search,
      { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'rain' },
      {
        role: 'assistant',
        phase: 'final_answer',
        content: [
          {
            type: 'output_text',
            text: 'Rain.',
            annotations: [{ type: 'url_citation', url: 'https://a.test' }],
          },
          { type: 'output_text', text: 'Really.' },
        ],
      },
    ],
  });
});

it('an answer of the Responses API has its tokens with their probabilities, streamed or whole', async () => {
  const likely = { token: 'One', logprob: -0.5 };
  const logprobs = [{ ...likely, top_logprobs: [likely] }];
  const read = { ...likely, bytes: [79, 110, 101] };
  const expected = { type: 'text', delta: 'One', logprobs: [{ ...read, top_logprobs: [read] }] };

  expect(
    await told(
      added(0, { type: 'message', content: [] }),
      on(0, 'output_text.delta', { content_index: 0, delta: 'One', logprobs }),
      completed(),
    ),
  ).toContainEqual(expected);
  const whole = { type: 'message', content: [{ type: 'output_text', text: 'One', logprobs }] };
  expect(await told(done(0, whole), completed())).toContainEqual(expected);
});

it('a conversation for the Responses API asks for as many likely tokens as are wanted', async () => {
  const body = await bodyOf({ logprobs: 3 });

  expect(body).toMatchObject({
    include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    top_logprobs: 3,
  });
  expect('top_logprobs' in (await bodyOf({}))).toBe(false);
});

it.each([
  ['stop', { stop: ['END'] }],
  ['seed', { seed: 4 }],
])(
  'a conversation for the Responses API has no %s, which is refused by name',
  async (requestField, request) => {
    await expect(answer(request)).rejects.toMatchObject({ kind: 'rejected', requestField });
  },
);

it('a conversation for the Responses API hands settings on, and the provider’s tools behind those that are answered for here', async () => {
  const parameters = { type: 'object', properties: {} };
  const body = await bodyOf({
    items: [userSays('Hello.')],
    tools: [{ name: 'weather', description: null, parameters, strict: null }],
    providerTools: [{ type: 'web_search', search_context_size: 'low' }],
    toolChoice: { name: 'weather' },
    parallelToolCalls: false,
    maxOutputTokens: 99,
    temperature: 0.5,
    topP: 0.9,
    format: {
      type: 'json_schema',
      name: 'place',
      description: 'A town.',
      schema: { type: 'object' },
      strict: true,
    },
    reasoning: { effort: 'low', summary: 'detailed' },
    include: ['web_search_call.action.sources'],
    cacheRetention: 'in_memory',
    marks: { user: 'u', safetyIdentifier: 's', cacheKey: 'c' },
  });

  expect(body).toMatchObject({
    tools: [
      { type: 'function', name: 'weather', parameters, strict: false },
      { type: 'web_search', search_context_size: 'low' },
    ],
    tool_choice: { type: 'function', name: 'weather' },
    parallel_tool_calls: false,
    max_output_tokens: 99,
    temperature: 0.5,
    top_p: 0.9,
    text: {
      format: {
        type: 'json_schema',
        name: 'place',
        description: 'A town.',
        schema: { type: 'object' },
        strict: true,
      },
    },
    reasoning: { effort: 'low', summary: 'detailed' },
    include: ['reasoning.encrypted_content', 'web_search_call.action.sources'],
    prompt_cache_retention: 'in_memory',
    user: 'u',
    safety_identifier: 's',
    prompt_cache_key: 'c',
  });
});

it('a conversation for the Responses API forwards the tools of every type that is not answered for here', () => {
  expect(['web_search', 'code_interpreter', 'custom'].map(model.forwards)).toEqual([true, true, true]);
  expect(['function', 'mcp', 'file_search'].map(model.forwards)).toEqual([false, false, false]);
  expect(endpoint.answering('m', 'chat').forwards('web_search')).toBe(false);
});

it('a conversation for the Responses API is asked again without what a model that does not reason refuses', async () => {
  const refusal = { error: { message: 'Encrypted content is not supported', param: 'include' } };
  server.reply(answering(400, refusal), streaming([completed()]));

  await answer();

  expect(server.requests).toHaveLength(2);
  expect(server.requests[1]?.body).not.toHaveProperty('include');
});

it('a conversation for the Responses API is refused where the provider does not show what the caller wants to see', async () => {
  const refusal = { error: { message: 'Not supported', param: 'include' } };
  server.reply(answering(400, refusal), answering(400, refusal));

  await expect(answer({ include: ['web_search_call.results'] })).rejects.toMatchObject({
    kind: 'rejected',
    requestField: 'include',
  });
  expect(server.requests[1]?.body).toMatchObject({ include: ['web_search_call.results'] });
});
