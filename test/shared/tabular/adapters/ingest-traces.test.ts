import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import { ingestText } from '#shared/tabular/adapters/ingest-text.ts';
import { readColumns } from '#shared/tabular/adapters/read-columns.ts';
import { readTurns } from '#shared/tabular/decide/chat-turns.ts';
import { findForm } from '#shared/tabular/decide/forms/known-form.ts';
import type { TextFormat } from '#shared/tabular/decide/row-reader.ts';
import { SpanReader } from '#shared/tabular/decide/traces/spans.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';
import { stream, toCsv } from '../decide/harness.ts';

const fixture = (name: string): string => readFileSync(`test/fixtures/traces/${name}`, 'utf8');

async function ingest(format: TextFormat, text: string) {
  const bytes = Buffer.from(text);
  const bodies: string[] = [];
  const manifest = await ingestText({
    format,
    name: 'traces',
    source: stream(bytes),
    maxBytes: 1e9,
    chunkKey: String,
    writeChunk: async (n, body) => {
      bodies[n] = body.toString('utf8');
    },
  });
  const lines = bodies.join('').split('\n').slice(0, -1);
  const names = await readColumns(format, bytes.length, async (from, to) => bytes.subarray(from, to + 1));
  return { manifest, lines, names, rows: lines.map((line) => JSON.parse(line) as Record<string, never>) };
}

const warningOf = ({ manifest }: Awaited<ReturnType<typeof ingest>>): string =>
  manifest.warnings.find(({ code }) => code === 'traces_read')?.message ?? '';

const system = { role: 'system', content: 'You answer for a shop.' };
const call = (order: string, id: string) => ({
  id,
  type: 'function',
  function: { name: 'get_order', arguments: expect.stringMatching(`^\\{"order": ?"${order}"\\}$`) },
});
const asksTools = [
  system,
  { role: 'user', content: 'Where are A-1001 and A-1002?' },
  { role: 'assistant', content: null, tool_calls: [call('A-1001', 'call_1'), call('A-1002', 'call_2')] },
];
const conversations = [
  [
    system,
    { role: 'user', content: 'Can I return shoes? Mail me at jan.novak@mail.cz' },
    { role: 'assistant', content: 'Which ones?' },
    { role: 'user', content: 'Red ones, jan.novak@mail.cz' },
    { role: 'assistant', content: 'You can return it within 30 days.' },
  ],
  asksTools,
  [
    ...asksTools,
    { role: 'tool', tool_call_id: 'call_1', content: '{"state": "ok"}' },
    { role: 'tool', tool_call_id: 'call_2', content: '{"state": "ok"}' },
    { role: 'assistant', content: 'A-1001 is on its way, A-1002 was delivered.' },
  ],
];
const getOrder = {
  type: 'function',
  function: expect.objectContaining({
    name: 'get_order',
    parameters: expect.objectContaining({ type: 'object' }),
  }),
};

describe('spans of OpenTelemetry', () => {
  it.each([
    ['the current conventions', 'openllmetry-0.62.jsonl', '1 no calls of models, 1 failed', true],
    ['attributes of one message each', 'openllmetry-0.40.jsonl', '1 no calls of models, 1 failed', true],
    ['OpenInference', 'openinference.jsonl', '1 no calls of models, 1 failed', true],
    ['the SDK of Python', 'python-sdk.jsonl', '1 no calls of models, 1 failed', true],
    [
      'log records of one message each',
      'openai-v2-events.jsonl',
      '3 without recorded messages, 1 failed, 1 without a recorded answer',
      false,
    ],
  ])('the calls in %s become conversations, and all else is counted', async (_, file, left, hasTools) => {
    const read = await ingest('jsonl', fixture(file));

    expect(read.rows.map(({ messages }) => messages)).toEqual(conversations);
    expect(read.rows.map(({ tools }) => tools)).toEqual(
      hasTools ? [null, [getOrder], [getOrder]] : [null, null, null],
    );
    expect(warningOf(read)).toContain(`3 of ${hasTools ? 5 : 8} became rows`);
    expect(warningOf(read)).toContain(`Left out: ${left}.`);
    expect(findForm(read.manifest.columns)).toEqual({
      name: 'opentelemetry',
      column_mapping: { chat: 'messages', context: [] },
    });
    expect(read.names).toEqual(read.manifest.columns.map(({ name }) => name));
  });

  const lines = fixture('openllmetry-0.62.jsonl').trim().split('\n');
  const batches = lines.flatMap((line) => JSON.parse(line).resourceSpans as object[]);
  it.each([
    ['one object', 'json', JSON.stringify({ resourceSpans: batches }), 'rows_under_key'],
    [
      'one object over several lines',
      'json',
      JSON.stringify({ resourceSpans: batches }, null, 2),
      'rows_under_key',
    ],
    ['lines under the name of JSON', 'json', lines.join('\n'), 'format_detected'],
    ['an array of spans', 'json', `[${lines.join(',')}]`, 'traces_read'],
    ['the answer of Tempo', 'json', JSON.stringify({ batches }), 'rows_under_key'],
  ] as const)('an export is read as %s', async (_, format, text, code) => {
    const { rows, manifest } = await ingest(format, text);

    expect(rows.map(({ messages }) => messages)).toEqual(conversations);
    expect(manifest.warnings.map((warning) => warning.code)).toContain(code);
  });

  it('an exported line that is longer than what is looked at is read as a line, and its columns are known', async () => {
    const batch = (JSON.parse(lines[0] ?? '').resourceSpans as { scopeSpans: { spans: object[] }[] }[])[0];
    const [span] = batch?.scopeSpans[0]?.spans ?? [];
    const long = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: Array(60).fill(span) }] }] });
    for (const format of ['json', 'jsonl'] as const) {
      const { manifest, names } = await ingest(format, `${long}\n${long}\n`);

      expect(manifest.row_count).toBe(120);
      expect(names).toContain('messages');
    }
  });

  it('a span of each older form is read: events in the span, one event with all of it, and texts', async () => {
    const value = (text: unknown) => ({
      stringValue: typeof text === 'string' ? text : JSON.stringify(text),
    });
    const attributes = (given: Record<string, unknown>) =>
      Object.entries(given).map(([key, text]) => ({ key, value: value(text) }));
    const chat = attributes({ 'gen_ai.operation.name': 'chat' });
    const hi = { role: 'user', content: 'Hi' };
    const parts = (role: string, content: string) => [{ role, parts: [{ type: 'text', content }] }];
    const spans = [
      {
        attributes: chat,
        events: [
          { name: 'gen_ai.user.message', attributes: attributes({ content: 'Hi' }) },
          { name: 'gen_ai.choice', attributes: attributes({ message: { content: 'Hello' } }) },
        ],
      },
      {
        attributes: chat,
        events: [
          {
            name: 'gen_ai.user.message',
            attributes: attributes({ 'gen_ai.event.content': { content: 'Hi' } }),
          },
          {
            name: 'gen_ai.choice',
            attributes: attributes({ 'gen_ai.event.content': { message: { content: 'Hello' } } }),
          },
        ],
      },
      {
        attributes: chat,
        events: [
          {
            name: 'gen_ai.client.inference.operation.details',
            attributes: attributes({
              'gen_ai.input.messages': parts('user', 'Hi'),
              'gen_ai.output.messages': parts('assistant', 'Hello'),
            }),
          },
        ],
      },
      {
        attributes: chat,
        events: [
          { name: 'gen_ai.content.prompt', attributes: attributes({ 'gen_ai.prompt': [hi] }) },
          { name: 'gen_ai.content.completion', attributes: attributes({ 'gen_ai.completion': 'Hello' }) },
        ],
      },
      {
        attributes: attributes({
          'ai.operationId': 'ai.generateText.doGenerate',
          'ai.prompt.messages': [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
          'ai.response.text': 'Hello',
        }),
      },
      { attributes: attributes({ 'ai.operationId': 'ai.generateText', 'ai.prompt': '{}' }) },
    ];
    const read = await ingest('jsonl', JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));

    expect(read.rows.map(({ messages }) => messages)).toEqual(
      Array(5).fill([hi, { role: 'assistant', content: 'Hello' }]),
    );
    expect(warningOf(read)).toContain('5 of 6');
  });

  it('instructions, images and reasoning of a span: the first two are kept, and what has no place is counted', async () => {
    const json = (value: unknown) => ({ stringValue: JSON.stringify(value) });
    const span = {
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        { key: 'gen_ai.system_instructions', value: json([{ type: 'text', content: 'Be short.' }]) },
        {
          key: 'gen_ai.input.messages',
          value: json([
            {
              role: 'user',
              parts: [
                { type: 'text', content: 'What is this?' },
                { type: 'uri', modality: 'image', uri: 'https://images.example/cat.png' },
                { type: 'blob', modality: 'audio', mime_type: 'audio/wav', content: 'AAAA' },
              ],
            },
          ]),
        },
        {
          key: 'gen_ai.output.messages',
          value: json([
            {
              role: 'assistant',
              parts: [
                { type: 'reasoning', content: 'Hm.' },
                { type: 'text', content: 'A cat.' },
              ],
            },
            { role: 'assistant', parts: [{ type: 'text', content: 'A dog.' }] },
          ]),
        },
      ],
    };
    const read = await ingest(
      'jsonl',
      JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    );

    expect(read.rows[0]?.messages).toEqual([
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://images.example/cat.png' } },
        ],
      },
      { role: 'assistant', content: 'A cat.' },
    ]);
    for (const kind of ['1 blob', '1 reasoning', '1 further choice']) expect(warningOf(read)).toContain(kind);
  });

  it('arguments and results keep numbers that JavaScript would round', async () => {
    const parts = [
      { type: 'tool_call', id: 'c', name: 'pay', arguments: 0 },
      { type: 'text', content: 'Done' },
    ];
    const exact = (value: unknown) =>
      JSON.stringify(value).replace('"arguments":0', '"arguments":{"id":12345678901234567890,"sum":1.10}');
    const attribute = (key: string, text: string) => ({ key, value: { stringValue: text } });
    const span = {
      attributes: [
        attribute('gen_ai.operation.name', 'chat'),
        attribute('gen_ai.input.messages', '[{"role":"user","parts":[{"type":"text","content":"Pay."}]}]'),
        attribute('gen_ai.output.messages', exact([{ role: 'assistant', parts }])),
      ],
    };
    const { rows } = await ingest(
      'jsonl',
      JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    );

    expect(rows[0]).toMatchObject({
      messages: [
        {},
        {
          content: 'Done',
          tool_calls: [{ function: { arguments: '{"id":12345678901234567890,"sum":1.10}' } }],
        },
      ],
    });
  });

  it('a file whose spans recorded no messages fails, and says how to record them', async () => {
    const span = { attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }] };
    const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span, span] }] }] });
    const failed = await ingest('jsonl', text).catch((error: ServiceError) => error);

    expect(failed).toMatchObject({
      code: 'file_empty',
      message: expect.stringMatching(/2 without recorded messages.*CAPTURE_MESSAGE_CONTENT/),
    });
  });
});

const observation = (fields: object) => ({
  id: 'obs',
  traceId: 'trace',
  parentObservationId: null,
  type: 'GENERATION',
  name: 'answer',
  level: 'DEFAULT',
  statusMessage: null,
  input: null,
  output: null,
  helpfulness: [0.85],
  ...fields,
});
const hello = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
];
const observations = [
  observation({ input: [hello[0]], output: hello[1] }),
  observation({ input: { messages: [hello[0]], tools: [getWeather()] }, output: 'Hello' }),
  observation({ type: 'SPAN', input: { query: 'Hi' }, output: { documents: [] } }),
  observation({ level: 'ERROR', input: [hello[0]], statusMessage: '429' }),
  observation({ output: 'Hello' }),
];

function getWeather() {
  return { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } };
}

describe('exports of Langfuse', () => {
  const asText = (value: unknown) =>
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  const csv = (rows: readonly object[], cell = asText): string => {
    const names = Object.keys(rows[0] ?? {});
    return toCsv([
      names,
      ...rows.map((row) => names.map((name) => cell((row as Record<string, unknown>)[name]))),
    ]);
  };
  it.each([
    ['JSON', 'json', JSON.stringify(observations)],
    ['JSON Lines', 'jsonl', observations.map((each) => JSON.stringify(each)).join('\n')],
    ['CSV', 'csv', csv(observations)],
    ['CSV of older releases', 'csv', csv(observations, (value) => JSON.stringify(value ?? ''))],
    ['the answer of the API', 'json', JSON.stringify({ data: observations, meta: { cursor: null } })],
    [
      'the download of one trace',
      'json',
      JSON.stringify({ id: 'trace', sessionId: null, observations, scores: [{ id: 's', value: 1 }] }),
    ],
  ] as const)(
    'generations in %s become conversations beside their other columns',
    async (_, format, text) => {
      const read = await ingest(format, text);

      expect(read.rows.map(({ messages }) => messages)).toEqual([hello, hello]);
      expect(read.rows.map(({ tools }) => tools)).toEqual([null, [getWeather()]]);
      expect(read.names).toEqual(read.manifest.columns.map(({ name }) => name));
      expect(read.names).not.toContain('input');
      expect(String(read.rows[0]?.helpfulness)).toContain('0.85');
      expect(warningOf(read)).toContain('1 no calls of models');
      expect(warningOf(read)).toContain('1 failed');
      expect(warningOf(read)).toContain('1 without a recorded input');
      expect(findForm(read.manifest.columns)).toMatchObject({
        name: 'langfuse',
        column_mapping: { chat: 'messages' },
      });
    },
  );

  it('items of a dataset are questions with the answer that is expected; archived ones are left out', async () => {
    const item = (fields: object) => ({
      id: 'i',
      datasetId: 'd',
      sourceTraceId: null,
      status: 'ACTIVE',
      ...fields,
    });
    const items = [
      item({ input: 'Capital of France?', expectedOutput: 'Paris' }),
      item({ input: { question: 'Capital of Italy?' }, expectedOutput: { city: 'Rome' } }),
      item({ input: [hello[0]], expectedOutput: hello[1] }),
      item({ input: 'old', expectedOutput: 'old', status: 'ARCHIVED' }),
      item({ input: 'Why?', expectedOutput: null }),
    ];
    const read = await ingest('json', JSON.stringify(items));

    expect(read.rows.map(({ messages }) => messages)).toEqual([
      [
        { role: 'user', content: 'Capital of France?' },
        { role: 'assistant', content: 'Paris' },
      ],
      [
        { role: 'user', content: '{"question":"Capital of Italy?"}' },
        { role: 'assistant', content: '{"city":"Rome"}' },
      ],
      hello,
    ]);
    expect(warningOf(read)).toContain('Left out: 1 archived, 1 without a recorded answer.');
  });

  it('traces are conversations of what they were asked and answered', async () => {
    const trace = { id: 't', timestamp: '2026-01-01', name: 'chat', tags: [], sessionId: null, userId: null };
    const rows = [
      { ...trace, input: { messages: [hello[0]] }, output: { messages: hello } },
      { ...trace, input: 'Hi', output: 'Hello' },
    ];
    const read = await ingest('json', JSON.stringify(rows));

    expect(read.rows.map(({ messages }) => messages)).toEqual([hello, hello]);
  });
});

describe('stored completions of OpenAI', () => {
  const completion = {
    object: 'chat.completion',
    id: 'chatcmpl-1',
    model: 'gpt-4o-mini',
    created: 1738960610,
    tools: null,
    metadata: {},
    choices: [
      { index: 0, finish_reason: 'stop', message: { ...hello[1], tool_calls: null, function_call: null } },
    ],
  };

  it('completions with their messages become conversations, and those without are counted', async () => {
    const data = [{ ...completion, messages: [{ id: 'm-0', ...hello[0], content_parts: null }] }, completion];
    const read = await ingest('json', JSON.stringify({ object: 'list', data, has_more: false }));

    expect(read.rows).toHaveLength(1);
    expect(read.rows[0]).toMatchObject({ messages: hello, tools: null, id: 'chatcmpl-1', metadata: {} });
    expect(warningOf(read)).toContain('Left out: 1 without a recorded input.');
    expect(findForm(read.manifest.columns)).toMatchObject({
      name: 'openai',
      column_mapping: { chat: 'messages' },
    });
  });

  it('stored responses become conversations with their calls', async () => {
    const response = {
      object: 'response',
      id: 'resp_1',
      created_at: 1,
      status: 'completed',
      model: 'gpt-4o-mini',
      instructions: 'Be short.',
      input: [
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Weather in Oslo and Rome?' }],
        },
      ],
      tools: [{ type: 'function', name: 'get_weather', parameters: { type: 'object' } }],
      output: [
        { type: 'reasoning', id: 'r', summary: [] },
        { type: 'function_call', call_id: 'a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
        { type: 'function_call', call_id: 'b', name: 'get_weather', arguments: '{"city":"Rome"}' },
      ],
    };
    const { rows } = await ingest('jsonl', JSON.stringify(response));

    expect(rows[0]?.messages).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
          { id: 'b', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
        ],
      },
    ]);
    expect(rows[0]?.tools).toEqual([getWeather()]);
  });
});

describe('any file of traces', () => {
  it('a record that nests as deep as a file may is counted, or read', async () => {
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const known = JSON.stringify(observation({ input: [hello[0]], output: 'Hello' }));
    const lines = [498, 499, 500].map((depth) => known.replace('"Hello"', deep(depth)));
    const read = await ingest('jsonl', [known, ...lines.slice(0, 2)].join('\n'));

    expect(warningOf(read)).toMatch(/of 3 became rows/);
    await expect(ingest('jsonl', [known, lines[2]].join('\n'))).rejects.toMatchObject({
      code: 'file_unreadable',
    });
  });

  it('log records whose answers never come are counted, and hold little memory', async () => {
    const content = 'x'.repeat(1024 * 1024);
    const record = (name: string, span: number, text: string) => ({
      eventName: name,
      traceId: 't',
      spanId: String(span),
      body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: text } }] } },
    });
    const line = (logRecords: object[]) =>
      JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
    const open = Array.from({ length: 40 }, (_, span) =>
      line([record('gen_ai.user.message', span, content)]),
    );
    const whole = line([record('gen_ai.user.message', 99, 'Hi'), record('gen_ai.choice', 99, 'Hello')]);
    const read = await ingest('jsonl', [...open, whole].join('\n'));

    expect(read.rows.map(({ messages }) => messages)).toEqual([hello]);
    expect(warningOf(read)).toContain('1 of 41 became rows');
    expect(warningOf(read)).toContain('40 without a recorded answer');
  });

  it('the calls of a hundred thousand items become those of one turn in linear time', async () => {
    const items = Array.from({ length: 100_000 }, (_, n) => ({ type: 'function_call', name: `f${n}` }));
    const elapsed = startStopwatch();
    const { rows } = await ingest('jsonl', JSON.stringify(observation({ input: 'Hi', output: items })));

    expect(rows[0]?.messages).toHaveLength(2);
    expect(rows[0]?.messages).toHaveProperty('1.tool_calls.length', items.length);
    expect(rows[0]?.messages).toHaveProperty('1.tool_calls.99999.function.name', 'f99999');
    expect(elapsed()).toBeLessThan(15_000);
  });

  it('log records without answers hold little memory, whichever of their members is long', async () => {
    const long = 'x'.repeat(1024 * 1024);
    const line = (span: number) =>
      JSON.stringify({
        scopeLogs: [
          {
            logRecords: [
              {
                eventName: 'gen_ai.user.message',
                traceId: 't',
                spanId: String(span),
                attributes: [{ key: 'gen_ai.conversation.id', value: { stringValue: long + span } }],
                body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'Hi' } }] } },
              },
            ],
          },
        ],
      });
    const spans = new SpanReader();
    const dropped = Array.from({ length: 40 }, (_, span) => spans.read(JSON.parse(line(span)))).flat();

    expect(dropped.length).toBeGreaterThanOrEqual(8);
    expect(dropped.length + spans.end().length).toBe(40);
  });

  it('what stands in more objects and texts than are looked into stays text, and declares no tools', async () => {
    const nested = (opened: string, inner: string, closed: string): string => {
      let value = inner;
      for (let level = 0; level < 4; level += 1) {
        value = JSON.stringify(`${opened.repeat(10)}${value}${closed.repeat(10)}`);
      }
      return JSON.parse(value) as string;
    };
    const tool = '{"name":"price"}';
    const row = observation({
      input: nested('{"choices":[', '"Hi"', ']}'),
      output: nested('{"messages":', '"Hello"', '}'),
      toolDefinitions: nested('[{"functionDeclarations":', `[${tool}]`, '}]'),
    });
    const { rows } = await ingest('jsonl', JSON.stringify(row));

    expect(rows[0]?.messages).toEqual([
      { role: 'user', content: expect.stringMatching(/^\{"choices":\[\{/) },
      { role: 'assistant', content: expect.stringMatching(/^\{"messages":/) },
    ]);
    expect(rows[0]?.tools).toBeNull();
  });

  it('a tool whose parameters are a text that nests as deep as one may is counted', async () => {
    const parameters = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const rows = [490, 500].map((depth) =>
      observation({
        input: 'Hi',
        output: 'Hello',
        toolDefinitions: [{ name: 'price', parameters: parameters(depth) }],
      }),
    );
    const read = await ingest('jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));

    expect(read.rows).toHaveLength(1);
    expect(warningOf(read)).toContain('Left out: 1 nested too deeply');
  });

  it('batches of spans in batches that nest too deeply are counted', () => {
    let batches: object = { scopeSpans: [{ spans: [] }] };
    for (let level = 0; level < 20; level += 1) batches = { batches: [batches] };

    expect(new SpanReader().read(batches as never)).toEqual([{ exchange: 'nested too deeply', fields: {} }]);
  });

  it('a type of a part that is no name is not repeated in the warning', async () => {
    const content = ['jan.novak@mail.cz', 'call 516 466 6389', 'reasoning', 'input_audio'].map((type) => ({
      type,
    }));
    const input = [{ role: 'user', content: [...content, { type: 'text', text: 'Hi' }] }];
    const warning = warningOf(await ingest('jsonl', JSON.stringify(observation({ input, output: 'Hello' }))));

    expect(warning).toContain('2 other, 1 reasoning, 1 input_audio');
    expect(warning).not.toMatch(/jan|516/);
  });

  it('rows of other files stay as they are', async () => {
    const text = '{"id":1,"input":"a","output":"b","type":"x"}\n';
    const { lines, names } = await ingest('jsonl', text);

    expect(lines).toEqual([text.trim()]);
    expect(names).toEqual(['id', 'input', 'output', 'type']);
  });

  it('whatever is recorded, each row is a conversation that readers take, or the record is counted', async () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const part = fc.oneof(
      json,
      fc.record({ type: fc.constantFrom('text', 'tool_call', 'tool_result', 'uri'), id: json }),
    );
    const message = fc.oneof(
      json,
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'tool', 'model', 'nobody', '__proto__'),
        content: fc.oneof(json, fc.array(part)),
        tool_calls: json,
      }),
    );
    const recorded = fc.oneof(json, fc.array(message));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(recorded, recorded), { minLength: 1, maxLength: 4 }),
        async (pairs) => {
          const known = observation({ input: [hello[0]], output: 'Hello' });
          const all = [known, ...pairs.map(([input, output]) => observation({ input, output }))];
          const read = await ingest('json', JSON.stringify(all));

          expect(warningOf(read)).toContain(`${read.rows.length} of ${all.length} became rows`);
          for (const { messages } of read.rows)
            expect(readTurns(JSON.stringify(messages))).toBeInstanceOf(Array);
        },
      ),
    );
  });
});
