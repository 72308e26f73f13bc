import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BedrockEndpoint as Bedrock, connectBedrock } from '#shared/models/adapters/bedrock.ts';
import type { TurnItem, TurnPart, TurnRequest } from '#shared/models/decide/turn.ts';
import {
  type BedrockEndpoint,
  beginEvents,
  type ConverseReply,
  connectBedrockEndpoint,
  event,
  exception,
  refusing,
  streamingEvents,
} from '#test/helpers/bedrock-endpoint.ts';
import { PNG } from '#test/helpers/images.ts';
import { newTurn, userSays } from '#test/helpers/turns.ts';

let server: BedrockEndpoint;
let bedrock: Bedrock;

beforeEach(async () => {
  ({ server, bedrock } = await connectBedrockEndpoint());
});

afterEach(async () => {
  vi.unstubAllEnvs();
  bedrock.close();
  await server.close();
});

const MODEL = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
const WEATHER = {
  name: 'weather',
  description: 'Weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
  strict: null,
};

const delta = (contentBlockIndex: number, value: object) =>
  event('contentBlockDelta', { contentBlockIndex, delta: value });
const start = (contentBlockIndex: number, toolUseId: string, name = 'weather') =>
  event('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId, name } } });
const stop = (stopReason: string) => event('messageStop', { stopReason });
const USAGE = event('metadata', {
  usage: {
    inputTokens: 3,
    outputTokens: 5,
    totalTokens: 20,
    cacheReadInputTokens: 10,
    cacheWriteInputTokens: 2,
  },
  metrics: { latencyMs: 1 },
});

/** Connects anew, to wait no longer than this for a silent model. */
function waitAtMost(timeoutSeconds: number): void {
  bedrock.close();
  bedrock = connectBedrock({ region: 'eu-west-1', timeoutSeconds, connectionsMax: 2 });
}

async function answer(
  request: Partial<TurnRequest> = {},
  { modelId = MODEL, signal = new AbortController().signal } = {},
): Promise<TurnPart[]> {
  const parts: TurnPart[] = [];
  for await (const part of bedrock.answering(modelId).answer(newTurn(request), signal)) parts.push(part);
  return parts;
}

async function answerTo(reply: ConverseReply, request: Partial<TurnRequest> = {}): Promise<TurnPart[]> {
  server.reply(reply);
  return answer(request);
}

async function bodyOf(request: Partial<TurnRequest>, modelId = MODEL): Promise<Record<string, unknown>> {
  server.reply(streamingEvents(stop('end_turn')));
  await answer(request, { modelId });
  return server.requests.at(-1)?.body ?? {};
}

it('an answer of a model on Bedrock comes piece by piece, while the model is still writing', async () => {
  let finish = (): void => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  server.reply(async (stream) => {
    beginEvents(stream);
    stream.write(Buffer.concat([event('messageStart', { role: 'assistant' }), delta(0, { text: 'One' })]));
    await held;
    stream.end(Buffer.concat([delta(0, { text: ' two.' }), stop('end_turn'), USAGE]));
  });
  const parts = bedrock.answering(MODEL).answer(newTurn(), new AbortController().signal);

  expect((await parts.next()).value).toEqual({ type: 'text', delta: 'One' });
  finish();
  expect((await parts.next()).value).toEqual({ type: 'text', delta: ' two.' });
  expect((await parts.next()).value).toEqual({
    type: 'end',
    reason: 'stop',
    usage: { inputTokens: 15, cachedTokens: 10, cacheWriteTokens: 2, outputTokens: 5, reasoningTokens: 0 },
  });
  expect(server.requests[0]?.path).toBe(`/model/${encodeURIComponent(MODEL)}/converse-stream`);
});

describe('a model on Bedrock that is asked without a limit', () => {
  /** What the model was asked to write at most, since the last look. */
  let limits: (number | null)[];

  beforeEach(() => {
    limits = [];
  });

  const writesAtMost =
    (most: number, words: string): ConverseReply =>
    (stream, request) => {
      const { maxTokens } = request.body.inferenceConfig as { maxTokens?: number };
      limits.push(maxTokens ?? null);
      const isRefused = maxTokens !== undefined && maxTokens > most;
      return (
        isRefused ? refusing(words) : streamingEvents(delta(0, { text: 'Yes.' }), stop('end_turn'), USAGE)
      )(stream, request);
    };
  const large = writesAtMost(64_000, '');
  const says = async (request: Partial<TurnRequest>, reply: ConverseReply) => {
    server.reply(reply);
    expect((await answer(request))[0]).toEqual({ type: 'text', delta: 'Yes.' });
    return limits.splice(0);
  };

  it('a model of Bedrock stops at what was reserved, or below at its own maximum', async () => {
    expect(await says({ outputTokensReserved: 32_000 }, large)).toEqual([32_000]);
    expect(await says({ maxOutputTokens: 100, outputTokensReserved: 100 }, large)).toEqual([100]);
    expect(await says({}, large)).toEqual([null]);

    for (const words of [
      'The maximum tokens you requested exceeds the model limit of 8192.',
      '#/max_gen_len: 32000 is not less or equal to 8192',
    ]) {
      waitAtMost(5);
      const small = writesAtMost(8192, words);
      expect(await says({ outputTokensReserved: 32_000 }, small)).toEqual([32_000, null]);
      expect(await says({ outputTokensReserved: 32_000, items: [] }, small)).toEqual([null]);
      expect(await says({ outputTokensReserved: 4000 }, small)).toEqual([4000]);
    }
  });

  it.each([
    'input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000',
    "This model's maximum context length is 32000 tokens. However, you requested 32013 tokens (13 in the messages, 32000 in the completion).",
    'too many total tokens: 32013',
  ])('answers where what was reserved does not fit beside the prompt: %s', async (words) => {
    const full = writesAtMost(20_000, words);
    const long = { outputTokensReserved: 32_000, items: [userSays('Is it? '.repeat(10))] };
    expect(await says(long, full)).toEqual([32_000, null]);
    // Asked once from then on, other than behind a shorter prompt, which may leave room for it.
    expect(await says(long, full)).toEqual([null]);
    expect(await says({ ...long, items: [userSays('Is it?')] }, large)).toEqual([32_000]);
  });

  it('a model of Bedrock tells what is refused for another reason, and learns nothing of it', async () => {
    for (const [words, kind, asked] of [
      ['prompt is too long: 250000 tokens > 200000 maximum', 'too_long', 2],
      ['The model does not support temperature.', 'rejected', 1],
    ] as const) {
      server.reply((stream, request) => {
        limits.push(0);
        return refusing(words)(stream, request);
      });
      await expect(answer({ outputTokensReserved: 32_000 })).rejects.toMatchObject({ kind });
      expect(limits.splice(0)).toHaveLength(asked);
      expect(await says({ outputTokensReserved: 32_000 }, large)).toEqual([32_000]);
    }
  });
});

it('an answer of a model on Bedrock is thoughts with what takes them up again, and calls', async () => {
  const parts = await answerTo(
    streamingEvents(
      delta(0, { reasoningContent: { text: 'Hm.' } }),
      delta(0, { reasoningContent: { signature: 'abc' } }),
      delta(1, { reasoningContent: { redactedContent: Buffer.from('xyz').toString('base64') } }),
      start(2, 'a'),
      delta(2, { toolUse: { input: '{"place":' } }),
      delta(2, { toolUse: { input: '"Oslo"}' } }),
      start(3, 'b', 'now'),
      stop('tool_use'),
    ),
  );

  expect(parts).toEqual([
    { type: 'reasoning', delta: 'Hm.' },
    { type: 'reasoning_state', encrypted: 'signature:abc' },
    { type: 'reasoning_state', encrypted: `redacted:${Buffer.from('xyz').toString('base64')}` },
    { type: 'tool_call', index: 0, callId: 'a', name: 'weather' },
    { type: 'tool_arguments', index: 0, delta: '{"place":' },
    { type: 'tool_arguments', index: 0, delta: '"Oslo"}' },
    { type: 'tool_call', index: 1, callId: 'b', name: 'now' },
    { type: 'tool_arguments', index: 1, delta: '{}' },
    { type: 'end', reason: 'tool_calls', usage: null },
  ]);
});

it('an answer of a model on Bedrock has one call where calls at once are not wanted', async () => {
  const parts = await answerTo(
    streamingEvents(
      start(0, 'a'),
      delta(0, { toolUse: { input: '{}' } }),
      start(1, 'b'),
      delta(1, { toolUse: { input: '{}' } }),
      stop('tool_use'),
    ),
    { parallelToolCalls: false },
  );

  expect(parts.filter(({ type }) => type.startsWith('tool_'))).toEqual([
    { type: 'tool_call', index: 0, callId: 'a', name: 'weather' },
    { type: 'tool_arguments', index: 0, delta: '{}' },
  ]);
});

it.each([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'filtered'],
  ['stop_sequence', 'stop'],
])('an answer of a model on Bedrock that ends with %s ends with %s', async (reason, expected) => {
  expect((await answerTo(streamingEvents(stop(reason)))).at(-1)).toMatchObject({ reason: expected });
});

describe('an answer that fails', () => {
  const FIRST = delta(0, { text: 'One' });
  const refusing =
    (status: number, type: string): ConverseReply =>
    (stream) => {
      stream.respond({ ':status': status, 'content-type': 'application/json', 'x-amzn-errortype': type });
      stream.end('{"message":"x"}');
    };

  it.each<[string, ConverseReply, string]>([
    ['is throttled', refusing(429, 'ThrottlingException'), 'throttled'],
    ['is not allowed', refusing(403, 'AccessDeniedException'), 'misconfigured'],
    ['is refused', refusing(400, 'ValidationException'), 'rejected'],
    [
      'is throttled in the middle',
      streamingEvents(FIRST, exception('throttlingException', 'x')),
      'throttled',
    ],
    [
      'breaks in the model',
      streamingEvents(FIRST, exception('modelStreamErrorException', 'x')),
      'unavailable',
    ],
    ['ends in the middle', streamingEvents(FIRST), 'garbage'],
    ['has a call that is none', streamingEvents(stop('malformed_tool_use')), 'garbage'],
  ])('an answer that fails because it %s says so', async (_, reply, kind) => {
    await expect(answerTo(reply)).rejects.toMatchObject({ name: 'ModelError', kind });
  });

  it.each<[string, ConverseReply]>([
    ['never begins', () => {}],
    [
      'falls silent',
      (stream) => {
        beginEvents(stream);
        stream.write(FIRST);
      },
    ],
  ])('an answer that fails because it %s says that its time is over', async (_, reply) => {
    waitAtMost(0.4);

    await expect(answerTo(reply)).rejects.toMatchObject({ name: 'ModelError', kind: 'timeout' });
  });

  it('an answer that fails because its signal is aborted throws the reason, and leaves Bedrock', async () => {
    const controller = new AbortController();
    server.reply((stream) => {
      beginEvents(stream);
      stream.write(FIRST);
    });
    const parts = bedrock.answering(MODEL).answer(newTurn(), controller.signal);
    await parts.next();
    controller.abort(new Error('enough'));

    await expect(parts.next()).rejects.toThrow('enough');
    await server.requests[0]?.left;
  });

  it('an answer that fails is left where nobody reads on, and waits for who reads slowly', async () => {
    waitAtMost(2);
    server.reply((stream) => {
      beginEvents(stream);
      stream.write(Buffer.concat([FIRST, FIRST]));
    });
    const parts = bedrock.answering(MODEL).answer(newTurn(), new AbortController().signal);
    await parts.next();
    await new Promise((resolve) => setTimeout(resolve, 2_300));

    expect((await parts.next()).value).toEqual({ type: 'text', delta: 'One' });
    await parts.return();
    await server.requests[0]?.left;
  });
});

describe('a conversation for Converse', () => {
  const conversation: TurnItem[] = [
    { type: 'message', role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'image', url: `data:image/png;base64,${PNG}` },
        { type: 'text', text: 'Weather here?' },
      ],
    },
    { type: 'reasoning', text: 'A map.', encrypted: 'signature:abc' },
    { type: 'reasoning', text: 'Of another provider.', encrypted: 'gAAA' },
    { type: 'message', role: 'assistant', content: [{ type: 'text', text: ' ' }] },
    { type: 'tool_call', callId: 'call:1', name: 'weather', arguments: '{"place":"Oslo"}' },
    { type: 'tool_call', callId: 'call:2', name: 'weather', arguments: 'Rome' },
    { type: 'tool_result', callId: 'call:1', output: 'rain' },
    { type: 'tool_result', callId: 'call:2', output: '' },
    userSays('And now?'),
  ];

  it('a conversation for Converse has turns that alternate, with calls, results and what it signed itself', async () => {
    const body = await bodyOf({ instructions: 'Speak English.', items: conversation, tools: [WEATHER] });

    expect(body.system).toEqual([
      { text: 'Speak English.' },
      { text: 'Be kind.' },
      { cachePoint: { type: 'default' } },
    ]);
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [{ image: { format: 'png', source: { bytes: PNG } } }, { text: 'Weather here?' }],
      },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'A map.', signature: 'abc' } } },
          { toolUse: { toolUseId: 'call_1', name: 'weather', input: { place: 'Oslo' } } },
          { toolUse: { toolUseId: 'call_2', name: 'weather', input: { arguments: 'Rome' } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'call_1', content: [{ text: 'rain' }] } },
          { toolResult: { toolUseId: 'call_2', content: [{ text: '(nothing)' }] } },
          { text: 'And now?' },
        ],
      },
    ]);
  });

  it('a conversation for Converse has results of calls before what else the user says', async () => {
    const body = await bodyOf({
      items: [
        userSays('Look.'),
        { type: 'tool_call', callId: 'a', name: 'weather', arguments: '{}' },
        { type: 'tool_call', callId: 'b', name: 'weather', arguments: '{}' },
        { type: 'tool_result', callId: 'a', output: 'rain' },
        userSays('Seen.'),
        { type: 'tool_result', callId: 'b', output: 'sun' },
      ],
      tools: [WEATHER],
    });

    expect((body.messages as unknown[]).at(-1)).toEqual({
      role: 'user',
      content: [
        { toolResult: { toolUseId: 'a', content: [{ text: 'rain' }] } },
        { toolResult: { toolUseId: 'b', content: [{ text: 'sun' }] } },
        { text: 'Seen.' },
      ],
    });
  });

  it.each<[string, TurnItem[], string[]]>([
    [
      'the assistant speaks first',
      [
        { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'How can I help?' }] },
        userSays('Hello.'),
      ],
      ['user', 'assistant', 'user'],
    ],
    [
      'only the system speaks',
      [{ type: 'message', role: 'system', content: [{ type: 'text', text: 'Greet.' }] }],
      ['user'],
    ],
  ])(
    'a conversation for Converse begins with the user, as Converse demands, also where %s',
    async (_, items, roles) => {
      const { messages } = await bodyOf({ items });

      expect(messages).toMatchObject(roles.map((role) => ({ role })));
      expect(messages).toHaveLength(roles.length);
      expect((messages as unknown[])[0]).toEqual({
        role: 'user',
        content: [{ text: '(The conversation begins.)' }],
      });
    },
  );

  it('a conversation for Converse tells of calls in words where none may be made, since Converse cannot forbid them', async () => {
    const body = await bodyOf({ items: conversation, tools: [WEATHER], toolChoice: 'none' });

    expect(body).not.toHaveProperty('toolConfig');
    expect(JSON.stringify(body.messages)).not.toMatch(/toolUse|toolResult/);
    expect(JSON.stringify(body.messages)).toContain('weather answered: rain');
  });

  it('a conversation for Converse names the keywords that Bedrock cannot hold a strict answer to', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^x' } } };
    const format = { type: 'json_schema', name: 'n', description: null, schema } as const;

    await expect(bodyOf({ format: { ...format, strict: true } })).rejects.toMatchObject({
      kind: 'rejected',
      requestField: 'text.format',
      message: expect.stringContaining('pattern'),
    });
    expect(JSON.stringify(await bodyOf({ format: { ...format, strict: null } }))).toContain('pattern: ');
  });

  it.each<[string, Record<string, unknown>]>([
    ['an object without properties', { type: 'object' }],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }],
    ['named properties beside a map', { properties: { a: {} }, additionalProperties: { type: 'integer' } }],
    ['names by a pattern', { type: ['object', 'null'], properties: { a: {} }, patternProperties: { x: {} } }],
    ['branches that hold together', { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }],
  ])(
    'a conversation for Converse with %s in the schema is refused wherever it stands, strict or not',
    async (_, open) => {
      const places = [
        open,
        { type: 'object', properties: { a: { type: 'string' }, b: open } },
        { type: 'array', items: open },
        { anyOf: [{ type: 'null' }, open] },
        { $ref: '#/$defs/a', $defs: { a: open } },
        { $ref: '#/definitions/a', definitions: { a: open } },
      ];
      for (const schema of places) {
        for (const strict of [true, null]) {
          await expect(
            bodyOf({ format: { type: 'json_schema', name: 'n', description: null, schema, strict } }),
          ).rejects.toMatchObject({
            kind: 'rejected',
            requestField: 'text.format',
            message: expect.stringContaining('never writes'),
          });
        }
      }
    },
  );

  it('a conversation for Converse may want an empty object, and one of which an answer may leave parts out', async () => {
    const schema = {
      type: 'object',
      properties: {
        none: { type: 'object', additionalProperties: false },
        empty: { type: 'object', title: 'Empty', properties: {} },
        one: { allOf: [{ type: 'string' }] },
      },
      additionalProperties: true,
    };
    const format = { type: 'json_schema', name: 'n', description: null, schema, strict: null } as const;

    expect(await bodyOf({ format })).toHaveProperty('outputConfig');
  });

  it('a conversation for Converse hands tools, settings and the schema of the answer on', async () => {
    const body = await bodyOf({
      tools: [WEATHER],
      toolChoice: { name: 'weather' },
      maxOutputTokens: 9,
      temperature: 0.5,
      topP: 0.9,
      stop: ['END'],
      format: {
        type: 'json_schema',
        name: 'place',
        description: 'A town.',
        schema: { type: 'object', properties: { town: { type: 'string' } } },
        strict: true,
      },
    });

    expect(body).toMatchObject({
      toolConfig: {
        tools: [
          {
            toolSpec: {
              name: 'weather',
              description: 'Weather of a place.',
              inputSchema: { json: WEATHER.parameters },
            },
          },
        ],
        toolChoice: { tool: { name: 'weather' } },
      },
      inferenceConfig: { maxTokens: 9, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: {
            jsonSchema: {
              name: 'place',
              description: 'A town.',
              schema:
                '{"type":"object","properties":{"town":{"type":"string"}},"additionalProperties":false}',
            },
          },
        },
      },
    });
  });

  it('a conversation for Converse says the effort to models that take it', async () => {
    const reasoning = { effort: 'low', summary: null };

    expect(await bodyOf({ reasoning }, 'openai.gpt-oss-120b-1:0')).toMatchObject({
      additionalModelRequestFields: { reasoning_effort: 'low' },
    });
    await expect(answer({ reasoning })).rejects.toMatchObject({
      kind: 'rejected',
      requestField: 'reasoning.effort',
    });
  });

  it.each<[string, string, Partial<TurnRequest>]>([
    ['a temperature above 1', 'temperature', { temperature: 1.1 }],
    ['JSON without a schema', 'text.format', { format: { type: 'json_object' } }],
    ['a summary in detail', 'reasoning.summary', { reasoning: { effort: null, summary: 'detailed' } }],
    ['a time to keep the prompt', 'prompt_cache_retention', { cacheRetention: '24h' }],
    [
      'an image to look at closely',
      'input',
      {
        items: [
          {
            type: 'message',
            role: 'user',
            content: [{ type: 'image', url: `data:image/png;base64,${PNG}`, detail: 'high' }],
          },
        ],
      },
    ],
    ['a seed', 'seed', { seed: 4 }],
    ['probabilities of tokens', 'include', { logprobs: 0 }],
    [
      'an image by its link',
      'input',
      {
        items: [
          {
            type: 'message',
            role: 'user',
            content: [{ type: 'image', url: 'https://example.com/a.png' }],
          },
        ],
      },
    ],
  ])(
    'a conversation for Converse with %s is refused before anything is sent, as %s of the request',
    async (_, requestField, request) => {
      await expect(answer(request)).rejects.toMatchObject({
        name: 'ModelError',
        kind: 'rejected',
        requestField,
      });
      expect(server.requests).toHaveLength(0);
    },
  );
});
