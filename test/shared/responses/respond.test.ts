import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ModelError } from '#shared/models/decide/port.ts';
import type { TurnPart } from '#shared/models/decide/turn.ts';
import { CallerGone } from '#shared/platform/errors/caller-gone.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { OUTPUT_TOKENS_DEFAULT } from '#shared/responses/decide/budget.ts';
import { readAnswered } from '#shared/responses/decide/chain.ts';
import { withoutOrphans } from '#shared/responses/decide/conversation.ts';
import {
  HISTORY_BYTES_MAX,
  pageOfInput,
  STORED_MILLISECONDS,
} from '#shared/responses/decide/stored-response.ts';
import { ModelResponse, type ResponseEvent } from '#shared/responses/schema/response.ts';
import { IMAGE_BYTES_MAX } from '#shared/tabular/decide/images/image-cell.ts';
import { PNG } from '#test/helpers/images.ts';
import { makeCaller, makeStack } from '#test/helpers/records.ts';
import {
  createResponding,
  expectEnded,
  makeTool,
  type RespondingOptions,
  textOf,
} from '#test/helpers/responding.ts';
import { calling, createScriptedAnswerer, saying, usage } from '#test/helpers/scripted-answerer.ts';

const typesOf = (events: readonly ResponseEvent[]) => events.map(({ type }) => type);
const weather = { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } };
const code = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof ServiceError ? error.code : error),
  );

test('an answer is told in order, from its first word to its end, with numbers without a gap', async () => {
  const { events } = createResponding({ model: createScriptedAnswerer([saying('Hello there')]) });

  const told = await events({ input: 'Hi' });

  expect(typesOf(told)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(told.map(({ sequence_number }) => sequence_number)).toEqual(told.map((_, n) => n));
});

test('an answer is the same folded as it was told, and is of its schema', async () => {
  const model = () => createScriptedAnswerer([saying('Hello there')]);
  const body = { input: 'Hi', metadata: { ticket: '7' }, temperature: 0.5, instructions: 'Be brief.' };

  const folded = await createResponding({ model: model() }).ask(body);
  const last = (await createResponding({ model: model() }).events(body)).at(-1);

  const { id: _a, created_at: _b, completed_at: _c, output: _d, ...rest } = folded;
  expect(last).toMatchObject({ type: 'response.completed', response: rest });
  expect(ModelResponse.safeParse(folded).error).toBeUndefined();
  expect(folded).toMatchObject({
    status: 'completed',
    temperature: 0.5,
    instructions: 'Be brief.',
    metadata: { ticket: '7' },
    store: false,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      output_tokens: 5,
      total_tokens: 15,
    },
  });
  expect(textOf(folded)).toBe('Hello there');
});

test('an answer rests on the whole conversation that was sent', async () => {
  const model = createScriptedAnswerer([saying('Alice')]);
  await createResponding({ model }).ask({
    instructions: 'Answer.',
    input: [
      { type: 'message', role: 'developer', content: 'Speak English.' },
      { role: 'user', content: 'My name is Alice.' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'My name?' },
          { type: 'input_image', image_url: 'https://public.example/a.png' },
        ],
      },
    ],
  });

  expect(model.asked[0]).toMatchObject({
    instructions: 'Answer.',
    items: [
      { role: 'developer', content: [{ type: 'text', text: 'Speak English.' }] },
      { role: 'user', content: [{ text: 'My name is Alice.' }] },
      { role: 'assistant', content: [{ text: 'Hello.' }] },
      {
        role: 'user',
        content: [{ text: 'My name?' }, { type: 'image', url: `data:image/png;base64,${PNG}` }],
      },
    ],
  });
});

test('an answer that is cut off says where it stopped', async () => {
  const long = createResponding({ model: createScriptedAnswerer([saying('Hello', 'length')]) });
  const filtered = createResponding({ model: createScriptedAnswerer([saying('Hello', 'filtered')]) });

  expect(await long.ask({ input: 'Hi', max_output_tokens: 5 })).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ type: 'message', status: 'incomplete' }],
  });
  expect(await filtered.ask({ input: 'Hi' })).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  });
});

test('an answer shows what the model thought, apart from what it says', async () => {
  const parts: TurnPart[] = [
    { type: 'reasoning', delta: 'Let me ' },
    { type: 'reasoning', delta: 'think.' },
    { type: 'reasoning_state', encrypted: 'sealed' },
    ...saying('Four.'),
  ];
  const ask = (include?: string[]) =>
    createResponding({ model: createScriptedAnswerer([parts]) }).ask({
      input: '2 + 2',
      ...(include ? { include } : {}),
    });

  expect((await ask()).output).toMatchObject([
    {
      type: 'reasoning',
      content: [{ type: 'reasoning_text', text: 'Let me think.' }],
      encrypted_content: null,
    },
    { type: 'message', content: [{ text: 'Four.' }] },
  ]);
  expect((await ask(['reasoning.encrypted_content'])).output[0]).toMatchObject({
    encrypted_content: 'sealed',
  });
});

test('an answer shows what the provider sums its thoughts up to as a summary, and replays it', async () => {
  const model = createScriptedAnswerer([
    [
      { type: 'reasoning_summary', part: 0, delta: 'Let me ' },
      { type: 'reasoning_summary', part: 0, delta: 'think.' },
      { type: 'reasoning_summary', part: 1, delta: 'So.' },
      { type: 'reasoning_state', encrypted: 'sealed' },
      ...saying('Four.'),
    ],
    saying('Yes.'),
  ]);
  const { events, ask } = createResponding({ model });

  const told = await events({ input: '2 + 2', reasoning: { summary: 'auto' }, store: true });
  const last = told.at(-1);
  const response = last?.type === 'response.completed' ? last.response : undefined;
  await ask({ input: 'Sure?', previous_response_id: response?.id });

  const thought = told.filter((event) => 'output_index' in event && event.output_index === 0);
  expect(thought.map((event) => [event.type, 'summary_index' in event ? event.summary_index : null])).toEqual(
    [
      ['response.output_item.added', null],
      ['response.reasoning_summary_part.added', 0],
      ['response.reasoning_summary_text.delta', 0],
      ['response.reasoning_summary_text.delta', 0],
      ['response.reasoning_summary_text.done', 0],
      ['response.reasoning_summary_part.done', 0],
      ['response.reasoning_summary_part.added', 1],
      ['response.reasoning_summary_text.delta', 1],
      ['response.reasoning_summary_text.done', 1],
      ['response.reasoning_summary_part.done', 1],
      ['response.output_item.done', null],
    ],
  );
  expect(thought.at(-1)).toMatchObject({
    item: {
      status: 'completed',
      summary: [
        { type: 'summary_text', text: 'Let me think.' },
        { type: 'summary_text', text: 'So.' },
      ],
      content: [],
    },
  });
  expect(model.asked[1]?.items[1]).toEqual({
    type: 'reasoning',
    text: 'Let me think.\n\nSo.',
    encrypted: 'sealed',
  });
});

test('an answer keeps thoughts of which the model says nothing, each by itself, for the calls that follow them', async () => {
  const model = createScriptedAnswerer([
    [
      { type: 'reasoning_state', encrypted: 'one' },
      { type: 'reasoning_state', encrypted: 'two' },
      ...calling(['get_weather', {}]),
    ],
  ]);
  const { events } = createResponding({ model });

  const told = await events({
    input: 'Weather?',
    tools: [weather],
    include: ['reasoning.encrypted_content'],
  });

  const done = told.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
  expect(done).toMatchObject([
    { type: 'reasoning', content: [], encrypted_content: 'one' },
    { type: 'reasoning', content: [], encrypted_content: 'two' },
    { type: 'function_call' },
  ]);
  expect(typesOf(told)).not.toContain('response.reasoning_text.done');
});

test('an answer counts its tokens by itself where the provider does not', async () => {
  const parts: TurnPart[] = [
    { type: 'text', delta: 'x'.repeat(40) },
    { type: 'end', reason: 'stop', usage: null },
  ];
  const { ask, settled } = createResponding({ model: createScriptedAnswerer([parts]) });

  const response = await ask({ input: 'y'.repeat(400) });

  expect(response.usage?.output_tokens).toBe(10);
  expect(response.usage?.input_tokens).toBeGreaterThanOrEqual(100);
  expect(settled).toMatchObject([{ output_tokens: 10 }]);
});

test('functions of the caller’s are returned as calls, with their arguments as they come, and the answer ends there', async () => {
  const { events } = createResponding({
    model: createScriptedAnswerer([calling(['get_weather', { city: 'Rome' }])]),
  });

  const told = await events({ input: 'Weather?', tools: [weather] });

  expect(typesOf(told)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(told.at(-2)).toMatchObject({
    item: { type: 'function_call', status: 'completed', name: 'get_weather', arguments: '{"city":"Rome"}' },
  });
});

test('functions of the caller’s answer in the next request, by the id of their call', async () => {
  const model = createScriptedAnswerer([saying('Sunny.')]);
  await createResponding({ model }).ask({
    input: [
      { role: 'user', content: 'Weather?' },
      { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'sun' },
    ],
    tools: [weather],
  });

  expect(model.asked[0]?.items.slice(1)).toEqual([
    { type: 'tool_call', callId: 'c1', name: 'get_weather', arguments: '{}' },
    { type: 'tool_result', callId: 'c1', output: 'sun' },
  ]);
});

test('functions of the caller’s that were called and not answered are a 400 which names the call', async () => {
  const { events } = createResponding({ model: createScriptedAnswerer([]) });

  await expect(
    events({ input: [{ type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' }] }),
  ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('c1') });
});

test.each([
  [{ type: 'function', name: 'get_weather' }, { name: 'get_weather' }],
  ['required', 'required'],
  ['none', 'none'],
  ['auto', 'auto'],
])('functions of the caller’s are demanded by tool_choice %j', async (choice, expected) => {
  const model = createScriptedAnswerer([
    choice === 'none' || choice === 'auto' ? saying('No.') : calling(['get_weather', {}]),
  ]);

  await createResponding({ model }).ask({ input: 'Weather?', tools: [weather], tool_choice: choice });

  expect(model.asked[0]?.toolChoice).toEqual(expected);
});

test('functions of the caller’s that are demanded and not called fail the response, and nothing else is shown', async () => {
  const { ask, failures, settled } = createResponding({
    model: createScriptedAnswerer([saying('It is sunny.')]),
  });

  const response = await ask({
    input: 'Weather?',
    tools: [weather],
    tool_choice: { type: 'function', name: 'get_weather' },
  });

  expect(response).toMatchObject({ status: 'failed', error: { code: 'tool_not_called' }, output: [] });
  expect(failures).toHaveLength(1);
  // What the model wrote is billed.
  expect(settled).toMatchObject([{ output_tokens: expect.toSatisfy((tokens: number) => tokens > 0) }]);
});

test('functions of the caller’s that are demanded and not among the tools are a 400', async () => {
  const { events } = createResponding({ model: createScriptedAnswerer([]) });
  const tool_choice = { type: 'function', name: 'other' };

  expect(await code(events({ input: 'Hi', tools: [weather], tool_choice }))).toBe('invalid_request');
  expect(await code(events({ input: 'Hi', tool_choice }))).toBe('invalid_request');
});

describe('tools of the provider’s', () => {
  const item = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'news' } };

  test('go to a provider that runs them, and what they did is shown and replayed as it came', async () => {
    const model = createScriptedAnswerer(
      [[{ type: 'provider_item', item }, ...saying('News.')], saying('More.')],
      ['web_search', 'web_search_call'],
    );
    const { ask } = createResponding({ model });
    const tools = [{ type: 'web_search', search_context_size: 'low' }];

    const first = await ask({ input: 'News?', tools });
    await ask({ input: [...first.output, { role: 'user', content: 'More?' }], tools });

    expect(first.output[0]).toEqual(item);
    expect(model.asked[0]?.providerTools).toEqual(tools);
    expect(model.asked[1]?.items[0]).toEqual({ type: 'provider_item', item });
  });

  test('tools of the provider’s have what they found cited in the text, told as it comes and replayed with it', async () => {
    const link = (n: number) => ({
      type: 'url_citation',
      url: `https://a.test/${n}`,
      title: 'A',
      start_index: 0,
      end_index: 4,
    });
    const model = createScriptedAnswerer(
      [
        [
          { type: 'message', phase: 'commentary' },
          { type: 'text', delta: 'Wait.' },
          { type: 'message', phase: 'final_answer' },
          { type: 'text', delta: 'Rain.' },
          { type: 'annotation', annotation: link(1) },
          { type: 'text', delta: ' Sun.' },
          { type: 'annotation', annotation: link(2) },
          { type: 'content' },
          { type: 'text', delta: 'Snow.' },
          { type: 'annotation', annotation: link(3) },
          { type: 'end', reason: 'stop', usage: usage(1, 1) },
        ],
        saying('Yes.'),
        saying('Yes.'),
      ],
      ['web_search'],
    );
    const { events, ask } = createResponding({ model });
    const tools = [{ type: 'web_search' }];

    const told = await events({ input: 'Weather?', tools, store: true });

    const last = told.at(-1);
    const response = last?.type === 'response.completed' ? last.response : undefined;
    expect(response?.output).toMatchObject([
      { phase: 'commentary', content: [{ text: 'Wait.', annotations: [] }] },
      {
        phase: 'final_answer',
        content: [
          { text: 'Rain. Sun.', annotations: [link(1), link(2)] },
          { text: 'Snow.', annotations: [link(3)] },
        ],
      },
    ]);
    expect(ModelResponse.parse(response).output).toEqual(response?.output);
    const second = told.filter((event) => 'output_index' in event && event.output_index === 1);
    expect(
      second.map((event) => [event.type, 'annotation_index' in event ? event.annotation_index : null]),
    ).toEqual([
      ['response.output_item.added', null],
      ['response.content_part.added', null],
      ['response.output_text.delta', null],
      ['response.output_text.annotation.added', 0],
      ['response.output_text.delta', null],
      ['response.output_text.annotation.added', 1],
      ['response.output_text.done', null],
      ['response.content_part.done', null],
      ['response.content_part.added', null],
      ['response.output_text.delta', null],
      ['response.output_text.annotation.added', 0],
      ['response.output_text.done', null],
      ['response.content_part.done', null],
      ['response.output_item.done', null],
    ]);
    await ask({ input: 'Sure?', tools, previous_response_id: response?.id });
    await ask({ input: [...(response?.output ?? []), { role: 'user', content: 'Sure?' }], tools });
    const replayed = [
      { type: 'message', role: 'assistant', phase: 'commentary', content: [{ type: 'text', text: 'Wait.' }] },
      {
        type: 'message',
        role: 'assistant',
        phase: 'final_answer',
        content: [
          { type: 'text', text: 'Rain. Sun.', annotations: [link(1), link(2)] },
          { type: 'text', text: 'Snow.', annotations: [link(3)] },
        ],
      },
    ];
    expect(model.asked[1]?.items.slice(1, 3)).toEqual(replayed);
    expect(model.asked[2]?.items.slice(0, 2)).toEqual(replayed);
  });

  test('tools of the provider’s that the caller has to answer for end the response, and what answers goes back as it came', async () => {
    const call = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'run', input: 'ls' };
    const output = { type: 'custom_tool_call_output', call_id: 'c1', output: 'files' };
    const model = createScriptedAnswerer(
      [
        [
          { type: 'provider_item', item: call },
          { type: 'end', reason: 'stop', usage: null },
        ],
        saying('Done.'),
      ],
      ['custom', 'custom_tool_call', 'custom_tool_call_output'],
    );
    const { ask } = createResponding({ model });
    const tools = [{ type: 'custom', name: 'run' }];

    const first = await ask({ input: 'List.', tools, store: true });
    await ask({ input: [output], tools, previous_response_id: first.id });

    expect(model.asked[1]?.items.slice(1)).toEqual([
      { type: 'provider_item', item: call },
      { type: 'provider_item', item: output },
    ]);
  });

  test('tools of the provider’s are refused by name where the provider does not run them', async () => {
    const { events } = createResponding({ model: createScriptedAnswerer([]) });

    await expect(events({ input: 'News?', tools: [weather, { type: 'web_search' }] })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('web_search'),
      details: [{ path: 'tools[1]' }],
    });
  });

  test('tools of the provider’s whose items its provider does not run are refused where they come from', async () => {
    const end = { type: 'end', reason: 'stop', usage: null } as const;
    const model = createScriptedAnswerer([[{ type: 'provider_item', item }, end]], ['web_search']);
    const { ask } = createResponding({ model });
    const first = await ask({ input: 'News?', tools: [{ type: 'web_search' }], store: true });

    await expect(ask({ input: [{ role: 'user', content: 'More?' }, ...first.output] })).rejects.toMatchObject(
      {
        code: 'invalid_request',
        message: expect.stringContaining('web_search_call'),
        details: [{ path: 'input[1]' }],
      },
    );
    await expect(ask({ input: 'More?', previous_response_id: first.id })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('web_search_call'),
      details: [{ path: 'previous_response_id' }],
    });
  });

  test('tools of the provider’s whose items have no id are given one, which the provider is not told', async () => {
    const nameless = { type: 'web_search_call', status: 'completed' };
    const end = { type: 'end', reason: 'stop', usage: null } as const;
    const model = createScriptedAnswerer(
      [[{ type: 'provider_item', item: nameless }, end], saying('More.')],
      ['web_search', 'web_search_call'],
    );
    const { ask } = createResponding({ model });

    const { output } = await ask({ input: 'News?', tools: [{ type: 'web_search' }] });
    await ask({ input: output });

    expect(output).toMatchObject([{ ...nameless, id: expect.any(String) }]);
    expect(model.asked[1]?.items).toEqual([{ type: 'provider_item', item: nameless }]);
  });
});

describe('a failure', () => {
  const failing = (error: Error, ...before: TurnPart[]) =>
    createScriptedAnswerer([
      async function* () {
        yield* before;
        throw error;
      },
    ]);

  test('a failure of a model that is being started tells the caller so, and when to ask again', async () => {
    const error = new ModelError('unavailable', 'No.', { toldCaller: 'Starting.', retryAfterSeconds: 60 });
    const { events } = createResponding({ model: failing(error) });

    await expect(events({ input: 'Hi' })).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'Starting.',
      retryAfterSeconds: 60,
    });
  });

  test.each([
    ['throttled', 'model_busy'],
    ['unavailable', 'service_unavailable'],
    ['timeout', 'service_unavailable'],
    ['garbage', 'service_unavailable'],
    ['misconfigured', 'service_unavailable'],
    ['exhausted', 'model_quota_exhausted'],
    ['too_long', 'context_too_long'],
    ['rejected', 'model_refused'],
  ] as const)('a failure of the model (%s) before its first word is %s', async (kind, expected) => {
    const { events, released, settled } = createResponding({ model: failing(new ModelError(kind, 'No.')) });

    expect(await code(events({ input: 'Hi' }))).toBe(expected);
    // A model that was given up has read the prompt.
    expect(kind === 'timeout' ? settled : released).toHaveLength(1);
  });

  test('a failure of the model after words that are not shown, since a tool is demanded, is an error and is billed', async () => {
    const { events, settled, released } = createResponding({
      model: failing(new ModelError('unavailable', 'Gone.'), { type: 'text', delta: 'Hello ' }),
    });
    const tool_choice = { type: 'function', name: 'get_weather' };

    expect(await code(events({ input: 'Hi', tools: [weather], tool_choice }))).toBe('service_unavailable');
    expect([settled, released]).toMatchObject([[{ output_tokens: 2 }], []]);
  });

  test('a failure after the first word is a response.failed event, with what was said until then, and is billed', async () => {
    const error = new ModelError('unavailable', 'Gone.');
    const { events, settled, failures } = createResponding({
      model: failing(error, { type: 'text', delta: 'Hello ' }),
    });

    const told = await events({ input: 'Hi' });

    expect(told.at(-1)).toMatchObject({
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'server_error' },
        output: [{ content: [{ text: 'Hello ' }] }],
      },
    });
    expect(failures).toEqual([error]);
    expect(settled).toMatchObject([{ output_tokens: 2 }]);
  });

  test('a failure before the first word is an event too once something was sent, such as a ping', async () => {
    const { events } = createResponding({ model: failing(new ModelError('throttled', 'Busy.')) });

    const told = await events({ input: 'Hi' }, { isCommitted: () => true });

    expect(typesOf(told)).toEqual(['response.created', 'response.in_progress', 'response.failed']);
    expect(told.at(-1)).toMatchObject({ response: { error: { code: 'rate_limit_exceeded' } } });
  });

  test('a failure of what the request names is an event too once something was sent, and the id is told', async () => {
    const begun: string[] = [];
    const { respond, ports, events, released, settled, caller } = createResponding({
      model: createScriptedAnswerer([]),
    });
    const missing = new ServiceError('model_not_found', 'There is no such model.');
    Object.assign(ports.models, { choose: async () => Promise.reject(missing) });

    expect(await code(events({ input: 'Hi' }))).toBe('model_not_found');
    const told = await events({ input: 'Hi' }, { isCommitted: () => true });

    expect(typesOf(told)).toEqual(['response.created', 'response.in_progress', 'response.failed']);
    const { response } = told.at(-1) as { response: ModelResponse };
    expect(ModelResponse.parse(response)).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      status: 'failed',
      error: { code: 'invalid_prompt', message: 'There is no such model.' },
      output: [],
    });
    expect([settled, released]).toEqual([[], []]);
    const request = { model: 'scripted', input: 'Hi' };
    const input = { caller, request, signal: AbortSignal.abort(), isCommitted: () => true };
    for await (const event of respond({ ...input, onBegun: (id) => begun.push(id) })) {
      if ('response' in event) expect(event.response.id).toBe(begun[0]);
    }
  });

  test('a failure of credits is an event too once something was sent', async () => {
    const { events } = createResponding({
      model: createScriptedAnswerer([saying('Hello')]),
      admit: async () => Promise.reject(new ServiceError('credits_insufficient', 'No credits.')),
    });

    const told = await events({ input: 'Hi' }, { isCommitted: () => true });

    expect(typesOf(told)).toEqual(['response.created', 'response.in_progress', 'response.failed']);
    expect(told.map(({ sequence_number }) => sequence_number)).toEqual([0, 1, 2]);
    expect(told.at(-1)).toMatchObject({ response: { output: [], usage: null } });
  });

  test('a failure of time ends a look-up that does not', async () => {
    const { events, ports } = createResponding({ model: createScriptedAnswerer([]) });
    Object.assign(ports.models, { choose: () => new Promise(() => {}) });
    const late = new AbortController();
    setTimeout(() => late.abort(new ServiceError('service_unavailable', 'Too late.')), 20);

    expect(await code(events({ input: 'Hi' }, { signal: late.signal }))).toBe('service_unavailable');
  });

  test.each<[string, TurnPart[], object]>([
    ['a text', [{ type: 'text', delta: 'Hel' }], { type: 'message', content: [{ text: 'Hel' }] }],
    ['a refusal', [{ type: 'refusal', delta: 'No' }], { type: 'message', content: [{ refusal: 'No' }] }],
    ['a thought', [{ type: 'reasoning', delta: 'Hm' }], { type: 'reasoning', content: [{ text: 'Hm' }] }],
    [
      'a call',
      [
        { type: 'tool_call', index: 0, callId: 'c', name: 'get_weather' },
        { type: 'tool_arguments', index: 0, delta: '{"at' },
      ],
      { type: 'function_call', arguments: '{"at' },
    ],
    [
      'a call without arguments yet',
      [{ type: 'tool_call', index: 0, callId: 'c', name: 'get_weather' }],
      { type: 'function_call', arguments: '' },
    ],
  ])('a failure in the middle of %s ends its item as incomplete, in order', async (_what, parts, item) => {
    const { events } = createResponding({ model: failing(new ModelError('unavailable', 'Gone.'), ...parts) });

    const told = await events({ input: 'Hi', tools: [weather] });

    expectEnded(told);
    const last = told.at(-1) as { response: ModelResponse };
    expect(last.response.output).toMatchObject([{ ...item, status: 'incomplete' }]);
    // What began within the item ended before it.
    const opened = told.filter(({ type }) => type === 'response.content_part.added').length;
    expect(told.filter(({ type }) => type === 'response.content_part.done')).toHaveLength(opened);
  });

  test('a failure of a model that goes on without end comes before memory does', async () => {
    let pieces = 0;
    const model = createScriptedAnswerer([
      async function* () {
        for (;;) {
          pieces += 1;
          yield { type: 'text', delta: 'x'.repeat(1024 * 1024) };
        }
      },
    ]);
    const { ask, settled } = createResponding({ model });

    const response = await ask({ input: 'Hi', store: true });

    expect(response).toMatchObject({
      status: 'failed',
      error: { code: 'answer_too_large', message: expect.stringContaining('max_output_tokens') },
      output: [{ status: 'incomplete' }],
    });
    expect(pieces).toBeLessThan(20);
    expect(settled).toHaveLength(1);
  });

  test('what the service breaks off is billed by what the provider counts at the end of the call', async () => {
    const model = createScriptedAnswerer([
      [
        ...Array.from({ length: 17 }, (): TurnPart => ({ type: 'text', delta: 'x'.repeat(1024 * 1024) })),
        {
          type: 'end',
          reason: 'stop',
          usage: {
            inputTokens: 9_000,
            outputTokens: 70_000,
            cachedTokens: 0,
            cacheWriteTokens: 0,
            reasoningTokens: 0,
          },
        },
      ],
    ]);
    const untilAborted = (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    const { ask, settled } = createResponding({ model, sleep: untilAborted });

    expect(await ask({ input: 'Hi' })).toMatchObject({ error: { code: 'answer_too_large' } });
    expect(settled).toMatchObject([{ input_tokens: 9_000, output_tokens: 70_000 }]);
  });

  test('a failure that nobody expected says nothing of its cause', async () => {
    const { events } = createResponding({
      model: failing(new Error('secret detail'), { type: 'text', delta: 'a' }),
    });

    expect(JSON.stringify(await events({ input: 'Hi' }))).not.toContain('secret detail');
  });

  test('a failure of a caller who has gone ends the model’s call after a moment, and what was said is billed', async () => {
    const gone = new AbortController();
    let ended: unknown;
    const model = createScriptedAnswerer([
      async function* (_request, signal) {
        yield { type: 'text', delta: 'Hello' };
        gone.abort(new Error('gone'));
        await once(signal, 'abort');
        ended = signal.reason;
        signal.throwIfAborted();
      },
    ]);
    const { events, settled } = createResponding({ model });

    await events({ input: 'Hi' }, { signal: gone.signal });

    expect(ended).toMatchObject({ message: 'gone' });
    expect(settled).toMatchObject([{ output_tokens: 2 }]);
  });
});

describe('a dataset search', () => {
  const tools = [{ type: 'file_search', dataset_ids: ['11111111-1111-4111-8111-111111111111'] }];
  const { scopes, ...others } = makeCaller();
  const caller = { ...others, scopes: scopes.filter((scope) => scope !== 'datasets:read') };

  test('a dataset search needs the scope that reads datasets', async () => {
    const { ask, searched, settled } = createResponding({ model: createScriptedAnswerer([saying('Hi')]) });

    await expect(ask({ input: 'Hi', tools }, { caller })).rejects.toMatchObject({
      code: 'scope_missing',
      status: 403,
      message: expect.stringContaining('datasets:read'),
    });
    expect([searched, settled]).toEqual([[], []]);
  });

  test('a dataset search of a stack needs no scope but the one of answers: the stack grants it', async () => {
    const stack = makeStack(caller, { slug: 'desk', dataset_ids: tools[0]?.dataset_ids ?? [] });
    const { ask } = createResponding({ model: createScriptedAnswerer([saying('Hi')]), stacks: [stack] });

    expect(await ask({ model: 'stack:desk', input: 'Hi', tools }, { caller })).toMatchObject({
      status: 'completed',
    });
  });
});

describe('a link that the model’s server would open', () => {
  const image = (url: string) => [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];
  const news = { type: 'web_search', filters: { source: { url: 'https://inside.example/' } } };
  const opened = { type: 'computer_call_output', output: { image_url: 'http://127.0.0.1/' } };
  const nested = (depth: number, whole: unknown): unknown =>
    depth === 0 ? whole : [nested(depth - 1, whole)];

  test.each([
    ['of an image at an inside address', { input: image('https://10.0.0.1/a.png') }],
    ['of an image at a name of an inside address', { input: image('https://inside.example/a.png') }],
    ['of an image without TLS', { input: image('http://public.example/a.png') }],
    ['of an image at an address of IPv6', { input: image('https://[::1]/a.png') }],
    ['of metadata of the machine', { input: image('https://169.254.169.254/latest/meta-data/') }],
    [
      'that other parsers read as one of another host',
      { input: [{ ...opened, output: { image_url: 'https://public.example\\@169.254.169.254/' } }] },
    ],
    ['of a name that only a private network knows', { input: image('https://vllm.internal/a.png') }],
    ['of a name without a domain', { input: image('https://metadata/a.png') }],
    ['with a user', { input: image('https://public.example:x@10.0.0.1/') }],
    [
      'with blanks in it',
      { input: [{ ...opened, output: { image_url: 'https://public.example/a b.png' } }] },
    ],
    ['of a name that does not resolve', { input: image('https://unknown.here.org/a.png') }],
    [
      'of a name that does not resolve, in an item',
      { input: [{ ...opened, output: { image_url: 'https://unknown.here.org/a.png' } }] },
    ],
    [
      'that many lists nest',
      { input: [{ ...opened, output: nested(40, { image_url: 'http://127.0.0.1/' }) }] },
    ],
    ['after a blank', { input: [{ ...opened, output: { image_url: ' http://127.0.0.1/' } }] }],
    ['in a tool of the provider', { input: 'Hi', tools: [news] }],
    ['in an item of a tool of the provider', { input: [opened] }],
  ])('%s is refused before the model is asked', async (_what, body) => {
    const model = createScriptedAnswerer([saying('Hi')], ['web_search', 'computer_call_output']);
    const { events, settled } = createResponding({ model });

    await expect(events(body)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/public|https/),
    });
    expect([model.asked, settled]).toEqual([[], []]);
  });

  test('a link that the model’s server would open is one of at most 64', async () => {
    const { ask } = createResponding({ model: createScriptedAnswerer([saying('Hi')]) });
    const content = Array.from({ length: 65 }, (_, n) => ({
      type: 'input_image',
      image_url: `https://public.example/${n}.png`,
    }));

    await expect(ask({ input: [{ role: 'user', content }] })).rejects.toMatchObject({
      message: expect.stringContaining('65 links'),
    });
  });

  test('a link that the model’s server would open that never resolves holds nothing once the caller has gone', async () => {
    const { events, ports, released } = createResponding({ model: createScriptedAnswerer([]) });
    Object.assign(ports, { fetchImage: () => new Promise(() => {}) });
    const late = new AbortController();
    setTimeout(() => late.abort(new ServiceError('service_unavailable', 'Too late.')), 20);

    expect(
      await code(events({ input: image('https://public.example/a.png') }, { signal: late.signal })),
    ).toBe('service_unavailable');
    expect(released).toHaveLength(1);
  });

  test('a link that the model’s server would open is an image that the service has fetched', async () => {
    const model = createScriptedAnswerer([saying('Hi')]);
    const { ask } = createResponding({ model });

    expect(await ask({ input: image('https://public.example/a.png') })).toMatchObject({
      status: 'completed',
    });
    expect(model.asked[0]?.items).toMatchObject([{ content: [{ url: `data:image/png;base64,${PNG}` }] }]);
  });

  test('a link that the model’s server would open is refused if its image takes longer than a minute', async () => {
    const { ask, ports } = createResponding({
      model: createScriptedAnswerer([saying('Hi')]),
      sleep: async () => {},
    });
    Object.assign(ports, { fetchImage: () => new Promise(() => {}) });

    await expect(ask({ input: image('https://public.example/a.png') })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('60 seconds'),
    });
  });

  test('a link that the model’s server would open is refused with others whose images are too large together', async () => {
    const { ask, ports } = createResponding({ model: createScriptedAnswerer([saying('Hi')]) });
    const large = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(IMAGE_BYTES_MAX - 100)]);
    Object.assign(ports, { fetchImage: async () => large });
    const content = Array.from({ length: 5 }, (_, n) => ({
      type: 'input_image',
      image_url: `https://public.example/${n}.png`,
    }));

    await expect(ask({ input: [{ role: 'user', content }] })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('20 MiB'),
    });
  });
});

describe('credits', () => {
  const insufficient = new ServiceError('credits_insufficient', 'No credits.');

  const nothing = async () => Promise.reject(insufficient);

  test('credits that are missing refuse the answer before a model or a tool server is asked', async () => {
    const model = createScriptedAnswerer([saying('Hello')]);
    const { events, listed } = createResponding({
      model,
      servers: { 'https://tools.example': { tools: [] } },
      admit: nothing,
    });
    const tools = [{ type: 'mcp', server_label: 'a', server_url: 'https://tools.example' }];

    expect(await code(events({ input: 'Hi' }))).toBe('credits_insufficient');
    expect(await code(events({ input: 'Hi', tools }))).toBe('credits_insufficient');
    expect([model.asked, listed]).toEqual([[], []]);
  });

  test('credits are reserved before each call of the model, for all that it can cost beside what was used', async () => {
    const order: unknown[] = [];
    const say = (name: string) =>
      async function* (): AsyncGenerator<TurnPart> {
        order.push('asked');
        yield { type: 'tool_call', index: 0, callId: name, name };
        yield { type: 'tool_arguments', index: 0, delta: '{}' };
        yield { type: 'end', reason: 'tool_calls', usage: usage(5000, 5) };
      };
    const model = createScriptedAnswerer([say('look'), say('look'), saying('Done')]);
    const { ask, settled } = createResponding({
      model,
      servers: { 'https://tools.example': { tools: [makeTool('look')] } },
      admit: async (_caller, { microcredits }) => {
        order.push(microcredits);
        return {
          reserve: async (total) => void order.push(total),
          settle: async (used) => void settled.push(used),
          release: async () => {},
        };
      },
    });
    const tools = [{ type: 'mcp', server_label: 'a', server_url: 'https://tools.example' }];

    await ask({ input: 'Hi', tools, max_output_tokens: 100 });

    // What is known before the server lists its tools, then each call with what those before it have used.
    const [known, first, , second, , third] = order as number[];
    expect(order.map((each) => typeof each)).toEqual([
      'number',
      'number',
      'string',
      'number',
      'string',
      'number',
    ]);
    expect(known).toBeGreaterThanOrEqual(2 * 100);
    expect(first).toBeGreaterThan(known ?? 0);
    expect(second).toBeGreaterThan((first ?? 0) + 5000);
    expect(third).toBeGreaterThan((second ?? 0) + 5000);
  });

  test('credits that run out between two calls of the model end the answer, which is billed', async () => {
    const model = createScriptedAnswerer([calling(['look', {}]), saying('Never')]);
    const settled: unknown[] = [];
    const { ask } = createResponding({
      model,
      servers: { 'https://tools.example': { tools: [makeTool('look')] } },
      admit: async () => {
        let covered = Number.POSITIVE_INFINITY;
        return {
          reserve: async (total) => {
            if (total > covered) throw insufficient;
            covered = total;
          },
          settle: async (used) => void settled.push(used),
          release: async () => {},
        };
      },
    });
    const tools = [{ type: 'mcp', server_label: 'a', server_url: 'https://tools.example' }];

    const response = await ask({ input: 'Hi', tools, max_output_tokens: 1000 });

    expect(model.asked).toHaveLength(1);
    expect(response).toMatchObject({ status: 'failed', error: { message: 'No credits.' } });
    expect(settled).toHaveLength(1);
  });

  test('credits that suffice for a limited answer limit one without a limit', async () => {
    const model = createScriptedAnswerer([saying('Hello')]);
    const covered: number[] = [];
    const { ask } = createResponding({
      model,
      admit: async (_caller, { microcredits }) => {
        if (microcredits > 2 * OUTPUT_TOKENS_DEFAULT + 1000) throw insufficient;
        covered.push(microcredits);
        return {
          reserve: async (total) => {
            if (total > microcredits) throw insufficient;
          },
          settle: async () => {},
          release: async () => {},
        };
      },
    });

    await ask({ input: 'Hi' });

    expect(model.asked[0]?.maxOutputTokens).toBe(OUTPUT_TOKENS_DEFAULT);
    expect(covered).toHaveLength(1);
  });

  test('credits are billed for the prompt to a caller who leaves before the first word', async () => {
    const gone = new AbortController();
    const model = createScriptedAnswerer([
      // biome-ignore lint/correctness/useYield: the caller leaves before the first piece
      async function* (_request, signal) {
        gone.abort(new Error('gone'));
        signal.throwIfAborted();
      },
    ]);
    const { events, settled } = createResponding({ model });

    await events({ input: 'x'.repeat(4000) }, { signal: gone.signal }).catch(() => {});

    expect(settled).toMatchObject([{ input_tokens: expect.any(Number) }]);
    expect(settled[0]?.input_tokens).toBeGreaterThanOrEqual(1000);
  });

  test('no credits are billed for the time in which a model is started', async () => {
    const gone = new AbortController();
    const model = createScriptedAnswerer([
      // biome-ignore lint/correctness/useYield: the caller leaves before the first piece
      async function* () {
        gone.abort(new CallerGone());
        throw new ModelError('unavailable', 'The model is being started', { isStarting: true });
      },
    ]);
    const { events, settled } = createResponding({ model });

    await expect(events({ input: 'x'.repeat(4000) }, { signal: gone.signal })).rejects.toThrow(CallerGone);

    expect(settled).toEqual([]);
  });

  test('credits are billed for a prompt as often as its provider has read it, with the format that it demands', async () => {
    const gone = new AbortController();
    const item = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'news' } };
    const model = createScriptedAnswerer(
      [
        async function* (_request, signal) {
          yield { type: 'provider_item', item };
          gone.abort(new Error('gone'));
          signal.throwIfAborted();
        },
      ],
      ['web_search', 'web_search_call'],
    );
    const { events, settled } = createResponding({ model });
    const schema = {
      type: 'object',
      properties: { text: { type: 'string', description: 'x'.repeat(4000) } },
    };

    await events(
      {
        input: 'x'.repeat(4000),
        tools: [{ type: 'web_search' }],
        text: { format: { type: 'json_schema', name: 'news', schema } },
      },
      { signal: gone.signal },
    ).catch(() => {});

    expect(settled[0]?.input_tokens).toBeGreaterThanOrEqual(4000);
  });

  test('credits are billed for what a model may have thought that was given up before its first word', async () => {
    let clock = 0;
    const model = createScriptedAnswerer([
      // biome-ignore lint/correctness/useYield: the model says nothing
      async function* () {
        clock += 60_000;
        throw new ModelError('timeout', 'The model did not answer within 60 s');
      },
    ]);
    const { events, settled } = createResponding({ model, now: () => clock });

    await events({ input: 'Hi' }).catch(() => {});

    expect(settled).toMatchObject([{ output_tokens: 3000 }]);
  });

  // Each character of this prompt is a token of its provider, four times what an estimate says of it.
  const prompt = '7'.repeat(4000);
  const counted = { type: 'end', reason: 'stop', usage: usage(4000, 5) } as const;

  test.each<[string, (leave: () => void, signal: AbortSignal) => AsyncGenerator<TurnPart>]>([
    [
      'before the first word',
      // biome-ignore lint/correctness/useYield: the caller leaves before the first part
      async function* (leave, signal) {
        leave();
        await once(signal, 'abort');
        signal.throwIfAborted();
      },
    ],
    [
      'within the answer',
      async function* (leave, signal) {
        yield { type: 'text', delta: 'Hello' };
        leave();
        await once(signal, 'abort');
        signal.throwIfAborted();
      },
    ],
    [
      'at the last word',
      async function* (leave) {
        yield { type: 'text', delta: 'Hello' };
        leave();
        yield counted;
      },
    ],
    [
      'of an answer that then breaks off',
      async function* (leave) {
        yield { type: 'text', delta: 'Hello' };
        leave();
        throw new ModelError('unavailable', 'The connection broke.');
      },
    ],
  ])('credits of a caller who leaves %s are no less than the provider counts', async (_when, write) => {
    // One caller's connection is lost; the other also stops reading.
    for (const stopsReading of [false, true]) {
      const caller = new AbortController();
      const leave = () => caller.abort(new Error('gone'));
      const model = createScriptedAnswerer([(_turn, signal) => write(leave, signal)]);
      const { stream, settled } = createResponding({ model });
      const read = async () => {
        for await (const event of stream({ input: prompt }, { signal: caller.signal })) {
          if (stopsReading && event.type === 'response.output_text.delta') break;
        }
      };
      await read().catch(() => {});
      expect(settled[0]?.input_tokens).toBeGreaterThanOrEqual(4000);
    }
  });

  test('credits are billed for each call of a tool that the provider runs', async () => {
    const end = { type: 'end', reason: 'stop', usage: usage(10, 5) } as const;
    const item = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'news' } };
    const model = createScriptedAnswerer(
      [[{ type: 'provider_item', item }, { type: 'provider_item', item: { ...item, id: 'ws_2' } }, end]],
      ['web_search', 'web_search_call'],
    );
    const { ask, settled } = createResponding({ model });

    await ask({ input: 'News?', tools: [{ type: 'web_search' }], max_tool_calls: 3 });

    expect(settled).toMatchObject([{ microcredits: 10 + 2 * 5 + 2 * 100 }]);
    expect(model.asked[0]?.providerCallsMax).toBe(3);
  });

  test('credits are billed for calls of the provider that the response does not show, as a demanded call never came', async () => {
    const item = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const model = createScriptedAnswerer(
      [
        [
          { type: 'provider_item', item },
          { type: 'end', reason: 'stop', usage: usage(10, 5) },
        ],
      ],
      ['web_search', 'web_search_call'],
    );
    const { events, settled } = createResponding({ model });
    const body = {
      tools: [weather, { type: 'web_search' }],
      tool_choice: { type: 'function', name: 'get_weather' },
    };

    await events({ input: 'News?', ...body }).catch(() => {});

    expect(settled).toMatchObject([{ microcredits: 10 + 2 * 5 + 100 }]);
  });

  test('credits are billed for a call of a priced tool, also if it has a call_id', async () => {
    const item = { type: 'web_search_call', id: 'ws_1', call_id: 'call_1', status: 'completed' };
    const model = createScriptedAnswerer(
      [
        [
          { type: 'provider_item', item },
          { type: 'end', reason: 'stop', usage: usage(10, 5) },
        ],
      ],
      ['web_search', 'web_search_call'],
    );
    const { ask, settled } = createResponding({ model });

    await ask({ input: 'News?', tools: [{ type: 'web_search' }] });

    expect(settled).toMatchObject([{ microcredits: 10 + 2 * 5 + 100 }]);
  });

  test('credits bound calls of the provider and of the service together: max_tool_calls counts both', async () => {
    const item = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const turn = (): TurnPart[] => [
      { type: 'provider_item', item },
      { type: 'tool_call', index: 0, callId: 'c', name: 'look' },
      { type: 'tool_arguments', index: 0, delta: '{}' },
      { type: 'end', reason: 'tool_calls', usage: usage(10, 5) },
    ];
    const model = createScriptedAnswerer([turn(), turn(), saying('Done')], ['web_search', 'web_search_call']);
    const { ask } = createResponding({
      model,
      servers: { 'https://tools.example': { tools: [makeTool('look')] } },
    });
    const tools = [
      { type: 'mcp', server_label: 'a', server_url: 'https://tools.example' },
      { type: 'web_search' },
    ];

    await ask({ input: 'News?', tools, max_tool_calls: 3 });

    expect(model.asked.map(({ providerCallsMax, toolChoice }) => [providerCallsMax, toolChoice])).toEqual([
      [3, 'auto'],
      [1, 'auto'],
      [0, 'none'],
    ]);
  });

  test.each([
    ['a file by its address', { output: [{ type: 'input_file', file_url: 'https://public.example/a.pdf' }] }],
    ['a file by its id', { output: { type: 'computer_screenshot', file_id: 'file-1' } }],
    ['a file in itself', { output: [[{ type: 'input_file', file_data: 'JVBERi0=' }]] }],
  ])('credits have no bound for %s in an item of the provider: it is refused', async (_what, changes) => {
    const model = createScriptedAnswerer([], ['custom_tool_call_output']);
    const { events } = createResponding({ model });

    await expect(
      events({ input: [{ type: 'custom_tool_call_output', call_id: 'c', ...changes }] }),
    ).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'input[0]' }] });
  });

  test.each([
    ['a container', { container: 'cntr_1' }],
    ['files of a container', { container: { type: 'auto', file_ids: ['file-1'] } }],
  ])(
    'credits of the operator pay for %s that a tool of the provider names: it is refused',
    async (_what, changes) => {
      const model = createScriptedAnswerer([], ['web_search']);
      const { events } = createResponding({ model });

      await expect(
        events({ input: 'Hi', tools: [{ type: 'web_search', ...changes }] }),
      ).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path: 'tools[0]' }],
      });
    },
  );

  test('credits have no price for a tool that its provider runs: it is refused', async () => {
    const model = createScriptedAnswerer([], ['code_interpreter']);
    const { events } = createResponding({ model });

    await expect(
      events({ input: 'Hi', tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('provider_tools'),
      details: [{ path: 'tools[0]' }],
    });
  });

  test('credits that cannot be settled take no answer back', async () => {
    const error = new Error('The table does not answer.');
    const { ask, failures, unbilled } = createResponding({
      model: createScriptedAnswerer([saying('Hello')]),
      admit: async () => ({
        reserve: async () => {},
        settle: () => Promise.reject(error),
        release: () => Promise.reject(error),
      }),
    });

    expect(await ask({ input: 'Hi' })).toMatchObject({ status: 'completed' });
    expect([failures, unbilled]).toEqual([[], [error]]);
  });

  test('credits are settled once, for all calls of the model together', async () => {
    const model = createScriptedAnswerer([calling(['get_weather', {}])]);
    const { ask, settled, released } = createResponding({ model });

    const { id } = await ask({ input: 'Hi', tools: [weather] });

    expect(settled).toEqual([
      {
        response_id: id,
        model: 'scripted',
        microcredits: 10 + 2 * 5,
        input_tokens: 10,
        output_tokens: 5,
      },
    ]);
    expect(released).toEqual([]);
  });
});

test('a conversation that is kept goes on from the response that it names, with all that came before', async () => {
  const model = createScriptedAnswerer([saying('Hello Alice.'), saying('Fine.'), saying('Alice.')]);
  const { ask } = createResponding({ model });

  const first = await ask({ input: 'I am Alice.', store: true });
  const second = await ask({ input: 'How are you?', store: true, previous_response_id: first.id });
  const third = await ask({ input: 'Who am I?', previous_response_id: second.id });

  const said = model.asked[2]?.items.map((item) => (item.type === 'message' ? item.content[0] : item));
  expect(said).toEqual(
    ['I am Alice.', 'Hello Alice.', 'How are you?', 'Fine.', 'Who am I?'].map((text) => ({
      type: 'text',
      text,
    })),
  );
  expect(third.previous_response_id).toBe(second.id);
});

describe('a long conversation that is kept', () => {
  const long = { role: 'user', content: 'x'.repeat(400_000) };
  const start = async (options: Partial<RespondingOptions> = {}) => {
    const model = createScriptedAnswerer([
      saying('1.'),
      saying('2.'),
      saying('3.'),
      saying('4.'),
      saying('5.'),
      saying('6.'),
    ]);
    const responding = createResponding({ model, ...options });
    let previous: string | undefined;
    for (let n = 0; n < 4; n += 1) {
      const asked = {
        input: [long],
        store: true,
        truncation: 'auto',
        previous_response_id: previous,
      } as const;
      previous = (await responding.ask(asked)).id;
    }
    const read: string[] = [];
    const { find, findWithin } = responding.ports.responses;
    Object.assign(responding.ports.responses, {
      find: async (teamId: string, id: string, now: number) => {
        read.push(id);
        return find(teamId, id, now);
      },
      findWithin: async (...asked: Parameters<typeof findWithin>) => {
        const found = await findWithin(...asked);
        if (typeof found !== 'number') read.push(asked[1]);
        return found;
      },
    });
    return { ...responding, model, previous, read };
  };

  test('a long conversation is read for no team that cannot pay, but for its last response', async () => {
    let isBroke = false;
    const { ask, previous, read } = await start({
      admit: async () => {
        if (isBroke) throw new ServiceError('credits_insufficient', 'The team has no credits.');
        return { reserve: async () => {}, settle: async () => {}, release: async () => {} };
      },
    });
    isBroke = true;

    await expect(
      ask({ input: 'On.', truncation: 'auto', previous_response_id: previous }),
    ).rejects.toMatchObject({
      code: 'credits_insufficient',
    });
    expect(read).toEqual([previous]);
  });

  test('a long conversation is read only once there is memory for it', async () => {
    const { ask, previous, read } = await start();
    const seen: number[] = [];
    const beforeLong = async (): Promise<void> => void seen.push(read.length);

    await ask({ input: 'On.', truncation: 'auto', previous_response_id: previous }, { beforeLong });

    expect(seen).toEqual([1]);
    expect(read.length).toBeGreaterThan(1);
  });

  test('a last response that is long itself is not read before there is memory for it, and the team can pay', async () => {
    const { ask, model, read } = await start();
    const input = [{ role: 'user', content: 'x'.repeat(1_200_000) }];
    const { id } = await ask({ input, store: true, truncation: 'auto' });
    read.length = 0;
    const seen: number[] = [];
    const beforeLong = async (): Promise<void> => void seen.push(read.length);

    await ask({ input: 'On.', truncation: 'auto', previous_response_id: id }, { beforeLong });

    expect(seen).toEqual([0]);
    expect(read).toEqual([id]);
    expect(JSON.stringify(model.asked.at(-1)?.items)).toContain('On.');
  });

  test('a last response that is long and has expired is not found, also for a team that cannot pay', async () => {
    let now = Date.now();
    let isBroke = false;
    const { ask } = createResponding({
      model: createScriptedAnswerer([saying('1.')]),
      now: () => now,
      admit: async () => {
        if (isBroke) throw new ServiceError('credits_insufficient', 'The team has no credits.');
        return { reserve: async () => {}, settle: async () => {}, release: async () => {} };
      },
    });
    const input = [{ role: 'user', content: 'x'.repeat(1_200_000) }];
    const { id } = await ask({ input, store: true });
    isBroke = true;
    await expect(ask({ input: 'On.', previous_response_id: id })).rejects.toMatchObject({
      code: 'credits_insufficient',
    });
    now += STORED_MILLISECONDS + 60_000;

    await expect(ask({ input: 'On.', previous_response_id: id })).rejects.toMatchObject({
      code: 'response_not_found',
    });
  });

  const bulk = 'A'.repeat(1_200_000);
  test.each([
    [
      'an image',
      [{ role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${bulk}` }] }],
    ],
    ['a long text', [{ role: 'user', content: bulk }]],
    [
      'the output of a function',
      [
        { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: bulk },
      ],
    ],
    [
      'encrypted reasoning',
      [
        { role: 'user', content: 'Think.' },
        { type: 'reasoning', summary: [], encrypted_content: bulk },
      ],
    ],
    [
      'rows of a search',
      [
        {
          type: 'file_search_call',
          id: 'fs_1',
          queries: ['a'],
          results: Array.from({ length: 60 }, (_, row) => ({
            text: 'a row',
            filename: 'rows',
            attributes: { dataset_id: 'd', row, note: bulk.slice(0, 20_000) },
          })),
        },
      ],
    ],
  ])('the plan counts a long conversation with %s as the same one that is sent whole', async (_, input) => {
    const counted: number[] = [];
    const { ask } = createResponding({
      model: createScriptedAnswerer([saying('1.'), saying('2.'), saying('3.')]),
      admit: async (_caller, { tokens }) => {
        counted.push(tokens);
        return {
          reserve: async (_microcredits, more = 0) => void counted.push(Math.max(counted.pop() ?? 0, more)),
          settle: async () => {},
          release: async () => {},
        };
      },
    });
    const first = await ask({ input, store: true });
    const next = { role: 'user', content: 'On.' };
    counted.length = 0;

    await ask({ input: [next], previous_response_id: first.id });
    await ask({ input: [...input, ...first.output, next] });

    const [continued, whole] = counted;
    expect(continued).toBe(whole);
  });

  test('an answer to a long conversation has one reservation, which grows to what the answer may cost, and none that stays of a refused request', async () => {
    const { ask, previous, settled, released } = await start();
    const billed = settled.length;
    await ask({ input: 'On.', truncation: 'auto', previous_response_id: previous });
    expect([settled.length, released.length]).toEqual([billed + 1, 0]);

    const reference = { type: 'item_reference', id: 'nothing' };
    await expect(
      ask({ input: [reference], truncation: 'auto', previous_response_id: previous }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    expect([settled.length, released.length]).toEqual([billed + 1, 1]);
  });

  test('a request that is refused while its long conversation is being read reserves nothing that stays', async () => {
    let held = 0;
    const { ask, ports, previous } = await start({
      admit: async () => {
        held += 1;
        const end = async (): Promise<void> => {
          held -= 1;
        };
        return { reserve: async () => {}, settle: end, release: end };
      },
    });
    const find = ports.responses.find;
    let goOn = (): void => {};
    const isRefused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    Object.assign(ports.responses, {
      find: async (teamId: string, id: string, now: number) => {
        await isRefused;
        return find(teamId, id, now);
      },
    });
    Object.assign(ports.datasetSearch, {
      requireSearchable: async () => {
        throw new ServiceError('dataset_not_found', 'There is no such dataset.');
      },
    });
    const tools = [{ type: 'file_search' as const, vector_store_ids: [crypto.randomUUID()] }];

    await expect(
      ask({ input: 'On.', truncation: 'auto', previous_response_id: previous, tools }),
    ).rejects.toMatchObject({ code: 'dataset_not_found' });
    goOn();
    for (let n = 0; n < 20; n += 1) await new Promise(setImmediate);
    expect(held).toBe(0);
  });
});

test('a conversation that is kept has the thoughts that its caller did not ask to see, for the model that had them and no other', async () => {
  const thinking: TurnPart[] = [
    { type: 'reasoning', delta: 'Hm.' },
    { type: 'reasoning_state', encrypted: 'sealed' },
    ...saying('One.'),
  ];
  const model = createScriptedAnswerer([thinking, saying('Two.'), saying('Two.')]);
  const { ask } = createResponding({ model });
  const { id, output } = await ask({ input: 'Count.', store: true });

  await ask({ input: 'On.', previous_response_id: id });
  await ask({ input: 'On.', previous_response_id: id, model: 'other' });

  expect(output[0]).toMatchObject({ type: 'reasoning', encrypted_content: null });
  expect(model.asked[1]?.items[1]).toEqual({ type: 'reasoning', text: 'Hm.', encrypted: 'sealed' });
  expect(model.asked[2]?.items[1]).toEqual({ type: 'reasoning', text: 'Hm.', encrypted: null });
});

test.each([
  ['by its type', { type: 'item_reference' }],
  ['without a type', {}],
  ['by a type of null', { type: null }],
])('a conversation that is kept has an item that is referenced %s once, where it stands', async (_, form) => {
  const model = createScriptedAnswerer([saying('One.'), saying('Two.'), saying('Three.')]);
  const { ask } = createResponding({ model });
  const first = await ask({ input: 'Count.', store: true });
  const second = await ask({
    input: [
      { ...form, id: (first.output[0] as { id: string }).id },
      { role: 'user', content: 'On.' },
    ],
    store: true,
    previous_response_id: first.id,
  });
  await ask({ input: 'On.', previous_response_id: second.id });

  const said = model.asked[2]?.items.flatMap((item) => (item.type === 'message' ? item.content : []));
  expect(said?.map((part) => 'text' in part && part.text)).toEqual(['Count.', 'One.', 'On.', 'Two.', 'On.']);
});

test('a conversation that is kept lists what its caller numbers anew in each request, each under an id of its own', async () => {
  const model = createScriptedAnswerer([saying('One.'), saying('Two.')]);
  const { ask, ports, caller } = createResponding({ model });
  const said = (content: string) => [{ type: 'message', id: 'msg_1', role: 'user', content }];
  const first = await ask({ input: said('Count.'), store: true });
  const { id } = await ask({ input: said('On.'), store: true, previous_response_id: first.id });

  const items = await readAnswered(ports.responses, caller.team_id, id, Date.now(), []);
  const { data } = pageOfInput(items, { order: 'asc', limit: 20 });

  expect(data).toMatchObject([
    { id: 'msg_1', content: [{ text: 'Count.' }] },
    { content: [{ text: 'One.' }] },
    { id: expect.not.stringMatching(/^msg_1$/), content: [{ text: 'On.' }] },
  ]);
});

test('a conversation that is kept has no item that is referenced and not there, which is a 400 that says what to send', async () => {
  const { ask } = createResponding({ model: createScriptedAnswerer([]) });

  await expect(
    ask({
      input: [
        { role: 'user', content: 'On.' },
        { type: 'item_reference', id: 'msg_1' },
      ],
    }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('previous_response_id'),
    details: [{ path: 'input[1].id' }],
  });
});

test('a conversation that is kept needs no new input', async () => {
  const model = createScriptedAnswerer([saying('One.'), saying('Two.')]);
  const { ask } = createResponding({ model });
  const { id } = await ask({ input: 'Count.', store: true });

  await ask({ previous_response_id: id });

  expect(model.asked[1]?.items).toHaveLength(2);
  await expect(ask({})).rejects.toMatchObject({ code: 'invalid_request' });
});

describe('of many bytes', () => {
  const LARGE = 'x'.repeat(3_900_000);
  /** A conversation of so many responses, each of nearly 4 MB, and how it is read. */
  async function converse(count: number) {
    const model = createScriptedAnswerer(Array.from({ length: count + 2 }, () => saying('ok')));
    const responding = createResponding({ model });
    const { objects, caller } = responding;
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const previous = ids.at(-1);
      const { id } = await responding.ask({
        input: [{ role: 'user', content: `${n}` }],
        store: true,
        ...(previous === undefined ? {} : { previous_response_id: previous }),
      });
      ids.push(id);
    }
    // What is too much could not be gone on from, so it grows afterwards.
    for (const [n, id] of ids.entries()) {
      const key = objects.keys().find((each) => each.includes(id)) as string;
      const stored = JSON.parse(objects.text(key));
      stored.input[0].content[0].text = `${n} ${LARGE}`;
      stored.ancestors = stored.ancestors.map((each: { id: string }) => ({ ...each, bytes: 3_901_500 }));
      await objects.write(key, JSON.stringify(stored), 'application/json');
    }
    const { read } = objects;
    const reads = { count: 0, bytes: 0, bytesAtOnce: 0 };
    let open = 0;
    Object.assign(objects, {
      read: async (key: string) => {
        const body = await read(key);
        reads.count += 1;
        reads.bytes += body?.length ?? 0;
        open += body?.length ?? 0;
        reads.bytesAtOnce = Math.max(reads.bytesAtOnce, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= body?.length ?? 0;
        return body;
      },
    });
    const starts = (): (string | false | undefined)[] =>
      (model.asked.at(-1)?.items ?? [])
        .flatMap((item) => (item.type === 'message' && item.role === 'user' ? item.content : []))
        .map((part) => 'text' in part && part.text.split(' ')[0]);
    return { ...responding, caller, model, ids, reads, starts };
  }

  test('a conversation that is kept of many bytes is refused before more is read than a conversation may have, and says what to do', async () => {
    const { ask, ids, model, reads } = await converse(12);
    const asked = model.asked.length;

    await expect(ask({ input: 'more', previous_response_id: ids.at(-1) as string })).rejects.toMatchObject({
      status: 400,
      code: 'context_too_long',
      message: expect.stringContaining('truncation "auto"'),
      details: [{ path: 'previous_response_id' }],
    });

    expect(model.asked).toHaveLength(asked);
    expect(reads.bytes).toBeLessThan(HISTORY_BYTES_MAX + 4_000_000);
    expect(reads.bytesAtOnce).toBeLessThanOrEqual(8 * 1024 * 1024);
  });

  test('a conversation that is kept of many bytes goes on with the end of it where the request may be shortened', async () => {
    const { ask, ids, starts } = await converse(12);

    await ask({ input: 'more', previous_response_id: ids.at(-1) as string, truncation: 'auto' });
    // The model's context is far smaller: what is left is what fits it.
    expect(starts().at(-1)).toBe('more');
  });

  test('a conversation that is kept of many bytes is whole where it stays within the bound, or what is too much was deleted', async () => {
    const { ask, ids, starts, ports, caller } = await converse(9);

    await ask({ input: 'more', previous_response_id: ids[7] as string });
    expect(starts()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', 'more']);

    await ports.responses.remove(caller.team_id, ids[0] as string);
    await ask({ input: 'more', previous_response_id: ids[8] as string });
    expect(starts()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', 'more']);
  });
});

test('a conversation that is kept begins after an ancestor that was deleted', async () => {
  const model = createScriptedAnswerer([saying('1'), saying('2'), saying('3'), saying('4')]);
  const { ask, ports, caller } = createResponding({ model });
  const a = await ask({ input: 'a', store: true });
  const b = await ask({ input: 'b', store: true, previous_response_id: a.id });
  const c = await ask({ input: 'c', store: true, previous_response_id: b.id });
  await ports.responses.remove(caller.team_id, a.id);

  await ask({ input: 'd', previous_response_id: c.id });

  const said = model.asked[3]?.items.flatMap((item) => (item.type === 'message' ? item.content : []));
  expect(said?.map((part) => 'text' in part && part.text)).toEqual(['b', '2', 'c', '3', 'd']);
});

test('a conversation that is kept that was cut between a question and its answer goes on without the answer', async () => {
  const model = createScriptedAnswerer([calling(['get_weather', {}]), saying('Sunny.'), saying('Yes.')]);
  const { ask, ports, caller } = createResponding({ model });
  const a = await ask({ input: 'Weather?', tools: [weather], store: true });
  const [call] = a.output as { call_id?: string }[];
  const output = { type: 'function_call_output', call_id: call?.call_id, output: 'sun' };
  const b = await ask({ input: [output], tools: [weather], store: true, previous_response_id: a.id });
  await ports.responses.remove(caller.team_id, a.id);

  await ask({ input: 'Sure?', previous_response_id: b.id });

  expect(model.asked[2]?.items).toMatchObject([
    { content: [{ text: 'Sunny.' }] },
    { content: [{ text: 'Sure?' }] },
  ]);
});

test('a conversation that is kept that cannot be kept fails the response, in its last event', async () => {
  const { events, ports, failures } = createResponding({ model: createScriptedAnswerer([saying('1')]) });
  const error = new Error('The bucket does not answer.');
  Object.assign(ports.responses, { put: async () => Promise.reject(error) });

  const told = await events({ input: 'a', store: true });

  expect(told.at(-1)).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', completed_at: null },
  });
  expect(told.map(({ sequence_number }) => sequence_number)).toEqual(told.map((_, n) => n));
  expect(failures).toEqual([error]);
});

test('a conversation that is kept is not gone on from where it was not stored, has expired, or is another team’s', async () => {
  let now = Date.now();
  const model = createScriptedAnswerer([saying('1'), saying('2'), saying('3')]);
  const { ask } = createResponding({ model, now: () => now });
  const unstored = await ask({ input: 'a' });
  const foreign = await ask({ input: 'a', store: true }, { caller: makeCaller() });
  const expiring = await ask({ input: 'a', store: true });
  now += 30 * 24 * 60 * 60 * 1000;

  for (const { id } of [unstored, foreign, expiring]) {
    await expect(ask({ input: 'b', previous_response_id: id })).rejects.toMatchObject({
      code: 'response_not_found',
      details: [{ path: 'previous_response_id' }],
    });
  }
});

test('a conversation that is kept is there before its last event is told, and where it failed after its beginning too', async () => {
  const { stream, objects, ports } = createResponding({ model: createScriptedAnswerer([saying('1')]) });
  const { put } = ports.responses;
  Object.assign(ports.responses, {
    put: async (...args: Parameters<typeof put>) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await put(...args);
    },
  });
  const seen: number[] = [];
  for await (const event of stream({ input: 'a', store: true })) {
    if (event.type === 'response.completed') seen.push(objects.keys().length);
  }
  const failed = createResponding({
    model: createScriptedAnswerer([
      async function* () {
        yield { type: 'text', delta: 'a' };
        throw new ModelError('unavailable', 'Gone.');
      },
    ]),
  });
  const told = await failed.events({ input: 'a', store: true });

  expect(seen).toEqual([1]);
  const { response } = told.at(-1) as { response: ModelResponse };
  const stored = await failed.ports.responses.find(failed.caller.team_id, response.id, Date.now());
  expect(stored?.response).toEqual(response);
  expect(response).toMatchObject({ status: 'failed', store: true, output: [{ status: 'incomplete' }] });
});

const brokenCall: readonly TurnPart[] = [
  { type: 'text', delta: 'Let me look.' },
  { type: 'tool_call', index: 0, callId: 'call_1', name: 'get_weather' },
  { type: 'tool_arguments', index: 0, delta: '{"ci' },
];

test.each<[string, () => AsyncIterable<TurnPart>]>([
  [
    'failed',
    async function* () {
      yield* brokenCall;
      throw new ModelError('timeout', 'Too slow.');
    },
  ],
  [
    'incomplete',
    async function* () {
      yield* brokenCall;
      yield { type: 'end', reason: 'length', usage: usage(10, 5) };
    },
  ],
])(
  'a conversation that is kept goes on from a response that is %s within a call, which the model is not shown',
  async (status, broken) => {
    const model = createScriptedAnswerer([
      broken,
      ...['Well.', 'Again.', 'So.', 'On.'].map((text) => saying(text)),
    ]);
    const { ask } = createResponding({ model });
    const first = await ask({ input: 'Rain?', store: true, tools: [weather] });
    const next = { input: 'Go on.', tools: [weather] };
    const output = { type: 'function_call_output', call_id: 'call_1', output: 'Sun.' };

    expect(first).toMatchObject({ status, output: [{}, { type: 'function_call', status: 'incomplete' }] });
    await ask({ ...next, previous_response_id: first.id });
    await ask({ ...next, input: [...first.output, { role: 'user', content: 'Go on.' }] });
    expect(model.asked.slice(1).map(({ items }) => items.map(({ type }) => type))).toEqual([
      ['message', 'message', 'message'],
      ['message', 'message'],
    ]);
    // Some loops answer each call, and conversations are stored in which they did.
    const answered = await ask({
      input: [output],
      previous_response_id: first.id,
      store: true,
      tools: [weather],
    });
    await ask({ ...next, previous_response_id: answered.id });
    expect(model.asked.slice(3).map(({ items }) => items.map(({ type }) => type))).toEqual([
      ['message', 'message'],
      ['message', 'message', 'message', 'message'],
    ]);
  },
);

test('a call of a tool server that broke off is not shown to the model, and one that was made is', async () => {
  const model = createScriptedAnswerer([saying('Well.')]);
  const call = { type: 'mcp_call', status: 'incomplete', server_label: 'a', name: 'add', output: null };

  await createResponding({ model }).ask({
    input: [
      { ...call, id: 'mcp_1', arguments: '{"a":' },
      { ...call, id: 'mcp_2', arguments: '{"a":1}' },
      { role: 'user', content: 'Go on.' },
    ],
  });

  expect(model.asked[0]?.items).toMatchObject([
    { type: 'tool_call', callId: 'mcp_2' },
    { type: 'tool_result', callId: 'mcp_2' },
    { type: 'message' },
  ]);
});

test('a response that failed before its beginning is not kept, and says so', async () => {
  const { events, objects } = createResponding({
    model: createScriptedAnswerer([
      // biome-ignore lint/correctness/useYield: it fails before its first part.
      async function* () {
        throw new ModelError('unavailable', 'Gone.');
      },
    ]),
  });

  const told = await events({ input: 'a', store: true }, { isCommitted: () => true });

  expect(told.at(-1)).toMatchObject({ type: 'response.failed', response: { store: false } });
  expect(objects.keys()).toEqual([]);
});

test('a conversation that was cut between a call of a provider’s tool and its output goes on without the output', async () => {
  const call = { type: 'computer_call', call_id: 'c1', id: 'cu_1', action: { type: 'wait' } };
  const output = { type: 'computer_call_output', call_id: 'c1', output: { type: 'computer_screenshot' } };
  const other = { type: 'web_search_call', id: 'ws_1', status: 'completed' };

  expect(withoutOrphans([output, other])).toEqual([other]);
  expect(withoutOrphans([call, output, other])).toEqual([call, output, other]);
});

test('a conversation that is kept is not cut for an answer that may be longer than there is room', async () => {
  const model = createScriptedAnswerer([saying('1')]);
  await createResponding({ model }).ask({
    input: [
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'Three?' },
    ],
    truncation: 'auto',
    max_output_tokens: 8192,
  });

  expect(model.asked[0]?.items).toHaveLength(3);
});

test('a long conversation that is shortened reserves what the rest of it may cost, and counts the rest', async () => {
  const input = Array.from({ length: 40 }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: 'x'.repeat(4000),
  }));
  const admitted: number[] = [];
  const reserved: number[] = [];
  const { ask } = createResponding({
    model: createScriptedAnswerer([saying('1')]),
    admit: async (_caller, { microcredits, tokens }) => {
      admitted.push(microcredits, tokens);
      return {
        reserve: async (total) => void reserved.push(total),
        settle: async () => {},
        release: async () => {},
      };
    },
  });

  await ask({ input, truncation: 'auto', max_output_tokens: 1000 });

  const [microcredits, tokens] = admitted;
  expect(tokens).toBeLessThanOrEqual(8192);
  expect(reserved).toEqual([microcredits]);
});

test('too long for the model is cut from its beginning where truncation is auto', async () => {
  const model = createScriptedAnswerer([saying('1')]);
  const long = 'x'.repeat(40_000);
  await createResponding({ model }).ask({
    input: [
      { role: 'system', content: 'Stay.' },
      { role: 'user', content: long },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Now?' },
    ],
    truncation: 'auto',
  });

  const said = model.asked[0]?.items.flatMap((item) => (item.type === 'message' ? item.content : []));
  // The answer to what is gone goes with it.
  expect(said?.map((part) => 'text' in part && part.text)).toEqual(['Stay.', 'Now?']);
});

test.each([[{ input: '' }], [{ input: [] }], [{}]])(
  '%j is refused where no conversation goes before it',
  async (body) => {
    const { ask } = createResponding({ model: createScriptedAnswerer([saying('What?')]) });

    await expect(ask(body)).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'input' }] });
  },
);
