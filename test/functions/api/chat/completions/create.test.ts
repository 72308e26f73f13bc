import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/chat/completions/create.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import type { TurnPart } from '#shared/models/decide/turn.ts';
import { foldChat } from '#shared/openai/decide/chat.ts';
import type { ChatChunk } from '#shared/openai/schema/chat.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { context, eventOf } from '#test/helpers/call.ts';
import { PNG } from '#test/helpers/images.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createResponding } from '#test/helpers/responding.ts';
import { calling, createScriptedAnswerer, saying } from '#test/helpers/scripted-answerer.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
});

const HI = [{ role: 'user', content: 'Hi' }];
const ADD = { type: 'function', function: { name: 'add', parameters: { type: 'object', properties: {} } } };

function answering(script: readonly TurnPart[] = saying('Hello there')) {
  const model = createScriptedAnswerer([script]);
  const { respond, settled } = createResponding({ model });
  const ask = (body: object) =>
    world.call(handler, { as: owner, body: { model: 'scripted', messages: HI, ...body } }, { respond });
  /** The chunks of a stream, and whether it ends in [DONE]. */
  const stream = async (body: object) => {
    const event = eventOf(handler.contract, {
      as: owner,
      body: { model: 'scripted', messages: HI, stream: true, ...body },
    });
    const { statusCode, body: text } = await handler.with({ respond })(event, context());
    const parts = text.split('\n\n').slice(0, -1);
    expect(parts.every((part) => part.startsWith('data: '))).toBe(true);
    const datas = parts.map((part) => part.slice('data: '.length));
    expect(datas.pop()).toBe('[DONE]');
    return { statusCode, chunks: datas.map((data) => JSON.parse(data) as ChatChunk) };
  };
  return { model, ask, stream, settled };
}

const deltas = (chunks: readonly ChatChunk[]) =>
  chunks.flatMap((chunk) => ('error' in chunk ? [] : chunk.choices.map(({ delta }) => delta)));

test('a chat is answered with its text, its tokens and why it ended', async () => {
  const { ask, settled } = answering();
  const { body } = await ask({});

  expect(body).toMatchObject({
    object: 'chat.completion',
    model: 'scripted',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        logprobs: null,
        message: { role: 'assistant', content: 'Hello there', refusal: null, annotations: [] },
      },
    ],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
  });
  expect(body.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
  expect(settled).toHaveLength(1);
});

test('a stream tells the role, the words and the reason, in chunks of one id, and then [DONE]', async () => {
  const { statusCode, chunks } = await answering().stream({});

  expect(statusCode).toBe(200);
  expect(deltas(chunks)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    { content: 'Hello ' },
    { content: 'there' },
    {},
  ]);
  expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  expect(new Set(chunks.map((chunk) => ('error' in chunk ? '' : chunk.id))).size).toBe(1);
  expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
});

test('a stream tells the tokens in a last chunk where it is asked to', async () => {
  const { chunks } = await answering().stream({ stream_options: { include_usage: true } });

  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 15 } });
  expect(chunks.slice(0, -1).every((chunk) => 'usage' in chunk && chunk.usage === null)).toBe(true);
});

test('parallel calls of functions are answered as tool_calls, and streamed by their numbers', async () => {
  const calls = calling(['add', { a: 1 }], ['add', { a: 2 }]);
  const { body } = await answering(calls).ask({ tools: [ADD] });
  const made = [
    { id: 'call_add_0', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
    { id: 'call_add_1', type: 'function', function: { name: 'add', arguments: '{"a":2}' } },
  ];
  expect(body.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: null, tool_calls: made },
  });

  const { chunks } = await answering(calls).stream({ tools: [ADD] });
  const streamed = deltas(chunks).flatMap(({ tool_calls = [] }) => tool_calls);
  expect(streamed.filter(({ id }) => id !== undefined)).toMatchObject(
    made.map(({ id }, index) => ({ index, id, type: 'function', function: { name: 'add', arguments: '' } })),
  );
  for (const [n, { function: called }] of made.entries()) {
    const text = streamed.filter(({ index }) => index === n).map((each) => each.function.arguments);
    expect(text.join('')).toBe(called.arguments);
  }
});

test('a conversation with instructions, images, calls and their results reaches the model in order', async () => {
  const { ask, model } = answering();
  const url = `data:image/png;base64,${PNG}`;
  await ask({
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url, detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'add', arguments: '{}' } },
          { id: 'c2', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'two' }] },
      { role: 'assistant', content: 'A lamp.', annotations: [], audio: null, function_call: null },
      { role: 'user', content: 'Sure?' },
    ],
    tools: [ADD],
  });

  expect(model.asked[0]?.items).toEqual([
    { type: 'message', role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
    { type: 'message', role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', url, detail: 'low' },
      ],
    },
    { type: 'tool_call', callId: 'c1', name: 'add', arguments: '{}' },
    { type: 'tool_call', callId: 'c2', name: 'add', arguments: '{"a":1}' },
    { type: 'tool_result', callId: 'c1', output: 'one' },
    { type: 'tool_result', callId: 'c2', output: 'two' },
    { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'A lamp.' }] },
    { type: 'message', role: 'user', content: [{ type: 'text', text: 'Sure?' }] },
  ]);
});

test.each([
  [{ max_tokens: 7 }, { maxOutputTokens: 7 }],
  [{ max_completion_tokens: 7 }, { maxOutputTokens: 7 }],
  [
    { temperature: 0.5, top_p: 0.9 },
    { temperature: 0.5, topP: 0.9 },
  ],
  [
    { stop: 'END', seed: 4 },
    { stop: ['END'], seed: 4 },
  ],
  [{ stop: ['a', 'b'] }, { stop: ['a', 'b'] }],
  [{ response_format: { type: 'json_object' } }, { format: { type: 'json_object' } }],
  [
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { type: 'object' }, strict: true },
      },
    },
    {
      format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true, description: null },
    },
  ],
  [{ tools: [ADD], tool_choice: 'required' }, { toolChoice: 'required' }],
  [{ tools: [ADD], parallel_tool_calls: false }, { parallelToolCalls: false }],
  [{ reasoning_effort: 'low' }, { reasoning: { effort: 'low', summary: null } }],
  [{ logprobs: true, top_logprobs: 2 }, { logprobs: 2 }],
  [{ logprobs: true }, { logprobs: 0 }],
  // What changes nothing is taken.
  [{ n: 1, logprobs: false, logit_bias: {}, modalities: ['text'], store: false, metadata: { a: 'b' } }, {}],
])('a request with %o asks the model for it', async (fields, expected) => {
  const { ask, model } = answering();
  await ask(fields);

  expect(model.asked[0]).toMatchObject(expected);
});

const called = {
  role: 'assistant',
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '' } }],
};
test.each([
  ['n', { n: 2 }],
  ['top_logprobs', { top_logprobs: 2 }],
  ['top_logprobs', { logprobs: true, top_logprobs: 21 }],
  ['store', { store: true }],
  ['logit_bias.50256', { logit_bias: { 50256: -100 } }],
  ['modalities[1]', { modalities: ['text', 'audio'] }],
  ['functions', { functions: [] }],
  ['frequency_penalty', { frequency_penalty: 1 }],
  ['max_tokens', { max_tokens: 1, max_completion_tokens: 2 }],
  ['surprise', { surprise: 1 }],
  ['messages[0].name', { messages: [{ role: 'user', content: 'Hi', name: 'ann' }] }],
  ['messages[0].content[0].type', { messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] }],
  ['messages[1].tool_calls[0]', { messages: [...HI, called] }],
  ['messages[1].tool_call_id', { messages: [...HI, { role: 'tool', tool_call_id: 'x', content: '' }] }],
  ['tools[1].function.name', { tools: [ADD, ADD] }],
  [
    'messages',
    {
      messages: [
        { role: 'system', content: '' },
        ...Array.from({ length: 101 }, (_, n) => ({
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: `https://a.example/${n}.png` } }],
        })),
      ],
    },
  ],
])('what is not offered is refused by its name: %s', async (path, fields) => {
  const { status, problem } = await answering().ask(fields);

  expect([status, problem.error.param], problem.message).toEqual([400, path]);
});

const likely = (token: string) => ({ token, bytes: [...Buffer.from(token)], logprob: -0.5 });
const LIKELY: readonly TurnPart[] = [
  { type: 'text', delta: 'Hello ', logprobs: [{ ...likely('Hello '), top_logprobs: [likely('Hi ')] }] },
  { type: 'text', delta: 'there', logprobs: [{ ...likely('there'), top_logprobs: [] }] },
  ...saying('').slice(-1),
];

test('a chat tells how likely its tokens were, also in a stream', async () => {
  const content = LIKELY.flatMap((part) => (part.type === 'text' ? (part.logprobs ?? []) : []));
  const { body } = await answering(LIKELY).ask({ logprobs: true, top_logprobs: 1 });
  expect(body.choices[0]?.logprobs).toEqual({ content, refusal: null });

  const { chunks } = await answering(LIKELY).stream({ logprobs: true, top_logprobs: 1 });
  const told = chunks.flatMap((chunk) => ('error' in chunk ? [] : chunk.choices));
  expect(told.flatMap(({ logprobs }) => logprobs?.content ?? [])).toEqual(content);
  expect(told.filter(({ delta }) => delta.content === '').map(({ logprobs }) => logprobs)).toEqual([null]);
});

test('a model whose provider does not tell probabilities answers without them', async () => {
  const { body } = await answering().ask({ logprobs: true });

  expect(body.choices[0]?.logprobs).toBeNull();
});

test('a provider that refuses to tell probabilities is told of as logprobs', async () => {
  const refused = new ModelError('rejected', 'no', { requestField: 'include' });
  const { statusCode, body } = await breaking([], refused).send({ logprobs: true });

  expect([statusCode, JSON.parse(body).error.param]).toEqual([400, 'logprobs']);
});

test('a model that refuses is told as a refusal', async () => {
  const script: TurnPart[] = [{ type: 'refusal', delta: 'No.' }, ...saying('').slice(-1)];
  const { body } = await answering(script).ask({});
  expect(body.choices[0]?.message).toMatchObject({ content: null, refusal: 'No.' });

  const { chunks } = await answering(script).stream({});
  expect(deltas(chunks)).toContainEqual({ refusal: 'No.' });
});

test.each([
  ['length', 'length'],
  ['filtered', 'content_filter'],
] as const)('an answer that was ended (%s) says so', async (reason, finish_reason) => {
  const { body } = await answering(saying('Hello', reason)).ask({});

  expect(body.choices[0]?.finish_reason).toBe(finish_reason);
});

const breaking = (said: readonly TurnPart[], error: Error) => {
  const model = createScriptedAnswerer([
    async function* () {
      yield* said;
      throw error;
    },
  ]);
  const { respond } = createResponding({ model });
  const send = async (body: object) => {
    const sent = eventOf(handler.contract, { as: owner, body: { model: 'scripted', messages: HI, ...body } });
    return handler.with({ respond })(sent, context());
  };
  return { send };
};

test('a failure before the first chunk has a status, and one after it is the last chunk', async () => {
  const busy = new ModelError('throttled', 'slow down');
  const { statusCode, body } = await breaking([], busy).send({ stream: true });
  expect([statusCode, JSON.parse(body).error.code]).toEqual([429, 'model_busy']);

  const begun = await breaking(saying('Hello').slice(0, 1), busy).send({ stream: true });
  const last = begun.body.split('\n\n').at(-3) ?? '';
  expect(begun.statusCode).toBe(200);
  expect(JSON.parse(last.slice('data: '.length)).error).toMatchObject({
    type: 'rate_limit_error',
    code: 'model_busy',
  });
});

test('a failure after the answer began has a status where it is not streamed', async () => {
  const { statusCode, body } = await breaking(
    saying('Hello').slice(0, 1),
    new ModelError('timeout', 'slow'),
  ).send({});

  expect([statusCode, JSON.parse(body).error.code]).toEqual([503, 'service_unavailable']);
});

test('an answer without the function that was demanded is an error of the model', async () => {
  const { status, problem } = await answering().ask({
    tools: [ADD],
    tool_choice: { type: 'function', function: { name: 'add' } },
  });

  expect([status, problem.code]).toEqual([422, 'model_refused']);
});

test('a chat that is too long is told so in the words of its request, without advice that it cannot take', async () => {
  const { body } = await breaking([], new ModelError('too_long', 'x')).send({});

  const { message, error, details } = JSON.parse(body);
  expect(error).toMatchObject({ code: 'context_too_long', param: 'messages' });
  expect(message).toBe('messages: the conversation does not fit the context of the model. Shorten it.');
  expect(details).toMatchObject([
    { path: 'messages', message: 'the conversation does not fit the context of the model. Shorten it.' },
  ]);
});

test('a chat whose answer is too large is told the fields that it has for that', async () => {
  const error = {
    code: 'answer_too_large',
    message: 'It is long. Lower max_output_tokens, top_logprobs or max_tool_calls.',
  };
  async function* events() {
    yield { type: 'response.failed', response: { status: 'failed', error, output: [] } };
  }

  await expect(foldChat(events())).rejects.toThrow(
    'It is long. Lower max_completion_tokens or top_logprobs.',
  );
});

test('a chat whose provider refuses the length of its answer is told the field that it has for it', async () => {
  const refused = new ModelError('rejected', 'the model does not write that many tokens', {
    requestField: 'max_output_tokens',
  });
  const { body } = await breaking([], refused).send({});

  const { message, error } = JSON.parse(body);
  expect(error).toMatchObject({ param: 'max_completion_tokens' });
  expect(message).toBe('max_completion_tokens: the model does not write that many tokens');
});
