import { describe, expect, it } from 'vitest';
import { sourceColumns } from '#shared/tabular/decide/export-columns.ts';
import {
  findForm,
  isConversation,
  proposeMapping,
  proposePairs,
} from '#shared/tabular/decide/forms/known-form.ts';
import { type FormColumns, writeTrainingRow } from '#shared/tabular/decide/forms/training-row.ts';
import { writeForm } from '#shared/tabular/decide/forms/write-form.ts';
import { millisecondsOf } from '../../../helpers/hostile-texts.ts';
import { ingest } from '../adapters/harness.ts';
import { collect, stream } from './harness.ts';

const TOOLS = [
  { type: 'function', function: { name: 'sky', parameters: { type: 'object', properties: {} } } },
];
const CALLS = [
  { id: 'a1', type: 'function', function: { name: 'sky', arguments: '{"city":"Oslo"}' } },
  { id: 'a2', type: 'function', function: { name: 'sky', arguments: '{"city":"Bergen"}' } },
];

/** Files as their tools write them. */
const FILES = {
  openai: [
    {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.', weight: 0 },
        { role: 'user', content: 'And now?' },
        { role: 'assistant', content: 'Still hello.' },
      ],
    },
    {
      messages: [
        { role: 'user', content: 'Compare the sky' },
        { role: 'assistant', content: null, tool_calls: CALLS },
        { role: 'tool', content: 'clear', tool_call_id: 'a1' },
        { role: 'tool', content: 'rain', tool_call_id: 'a2' },
        { role: 'assistant', content: 'Oslo is clear.' },
      ],
      tools: TOOLS,
    },
  ],
  sharegpt: [
    {
      conversations: [
        { from: 'system', value: 'Be brief.' },
        { from: 'human', value: 'Hi' },
        { from: 'gpt', value: 'Hello.' },
      ],
    },
    {
      conversations: [
        { from: 'human', value: 'The sky?' },
        { from: 'function_call', value: '{"name":"sky","arguments":{"city":"Oslo"}}' },
        { from: 'observation', value: 'clear' },
        { from: 'gpt', value: 'Clear.' },
      ],
      tools: JSON.stringify(TOOLS),
    },
  ],
  'sharegpt in pairs': [
    {
      conversations: [{ from: 'human', value: 'Hi' }],
      chosen: { from: 'gpt', value: 'Hello.' },
      rejected: { from: 'gpt', value: 'What.' },
    },
  ],
  'openai in pairs': [
    {
      input: { messages: [{ role: 'user', content: 'Hi' }], tools: TOOLS },
      preferred_output: [{ role: 'assistant', content: 'Hello.' }],
      non_preferred_output: [{ role: 'assistant', content: 'What.' }],
    },
  ],
  alpaca: [
    { instruction: 'Translate', input: 'Hund', output: 'dog' },
    { instruction: 'Say hi', input: '', output: 'hi' },
  ],
  'alpaca in pairs': [{ instruction: 'Say hi', input: '', chosen: 'hi', rejected: 'no' }],
  trl: [
    {
      prompt: [{ role: 'user', content: 'Hi' }],
      completion: [{ role: 'assistant', content: 'Hello.' }],
    },
  ],
  'trl in pairs': [
    {
      prompt: [{ role: 'user', content: 'Hi' }],
      chosen: [{ role: 'assistant', content: 'Hello.' }],
      rejected: [{ role: 'assistant', content: 'What.' }],
    },
  ],
} as const;

const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const linesIn = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

async function roundTrip(text: string, form: 'openai' | 'sharegpt' | 'alpaca' | 'trl') {
  const { manifest, bodies } = await ingest('jsonl', stream(Buffer.from(text)));
  const found = findForm(manifest.columns);
  if (found === null) throw new Error('no form');
  const {
    chat = null,
    prompt = null,
    completion = null,
    chosen = null,
    rejected = null,
    context,
  } = found.column_mapping;
  const names = sourceColumns(manifest.columns).map(({ name }) => name);
  const free = (name: string) => (names.includes(name) ? name : null);
  const columns: FormColumns = {
    ...{ chat, prompt, completion, chosen, rejected, context },
    system: free('system'),
    tools: free('tools') ?? free('functions'),
    history: chat === null ? free('history') : null,
    reasoning: null,
    conversations: manifest.columns.filter(isConversation).map(({ name }) => name),
  };
  return { name: found.name, text: await collect(writeForm(form, () => columns, stream(...bodies))) };
}

describe('a file in a form for trainers', () => {
  it.each(Object.entries(FILES))(
    'a file in a form for trainers is recognised and comes back as it was: %s',
    async (what, rows) => {
      const [form = ''] = what.split(' ');
      const text = linesOf(rows);

      const { name, text: written } = await roundTrip(text, form as 'openai');
      expect(name).toBe(form);
      expect(written).toBe(text);
    },
  );

  it('a file in a form for trainers is written in each other form, with its calls of tools', async () => {
    const [, withCalls] = FILES.openai;
    const text = linesOf([withCalls]);
    const parse = async (form: 'sharegpt' | 'trl' | 'alpaca') =>
      (await roundTrip(text, form)).text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));

    const arguments_ = [{ city: 'Oslo' }, { city: 'Bergen' }];
    expect(await parse('sharegpt')).toEqual([
      {
        conversations: [
          { from: 'human', value: 'Compare the sky' },
          {
            from: 'function_call',
            value: JSON.stringify(arguments_.map((each) => ({ name: 'sky', arguments: each }))),
          },
          // One turn, as LLaMA-Factory reads results of parallel calls.
          { from: 'observation', value: 'clear\n</tool_response>\n<tool_response>\nrain' },
          { from: 'gpt', value: 'Oslo is clear.' },
        ],
        tools: JSON.stringify(TOOLS),
      },
    ]);
    expect(await parse('trl')).toMatchObject([
      {
        messages: [
          {},
          { tool_calls: arguments_.map((each) => ({ function: { name: 'sky', arguments: each } })) },
          { role: 'tool', content: 'clear' },
          {},
          {},
        ],
        tools: TOOLS,
      },
    ]);
    // Alpaca has no place for calls.
    expect(await parse('alpaca')).toEqual([]);
  });

  it('a file in a form for trainers gives calls and their results ids where OpenAI needs them', async () => {
    const { text } = await roundTrip(linesOf([FILES.sharegpt[1]]), 'openai');

    expect(JSON.parse(text)).toMatchObject({
      messages: [
        {},
        { content: null, tool_calls: [{ id: 'call_1', function: { arguments: '{"city":"Oslo"}' } }] },
        { role: 'tool', tool_call_id: 'call_1' },
        {},
      ],
      tools: TOOLS,
    });
  });

  it('a file in a form for trainers has earlier turns as the history of Alpaca', async () => {
    const { text } = await roundTrip(linesOf([FILES.openai[0]]), 'alpaca');

    expect(JSON.parse(text)).toEqual({
      instruction: 'And now?',
      input: '',
      output: 'Still hello.',
      system: 'Be brief.',
      history: [['Hi', 'Hello.']],
    });
  });

  it('a file in a form for trainers has the history of Alpaca in each form', async () => {
    const rows = [
      { instruction: 'i', input: 'x', output: 'o', system: 's', history: [['q0', 'a0']] },
      { instruction: 'j', input: '', output: 'p', system: '', history: [] },
    ];
    const turns = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'q0' },
      { role: 'assistant', content: 'a0' },
      { role: 'user', content: 'i\nx' },
    ];

    expect(linesIn((await roundTrip(linesOf(rows), 'openai')).text)[0]).toEqual({
      messages: [...turns, { role: 'assistant', content: 'o' }],
    });
    expect(linesIn((await roundTrip(linesOf(rows), 'trl')).text)[0]).toMatchObject({ prompt: turns });
    expect(linesIn((await roundTrip(linesOf(rows), 'alpaca')).text)).toEqual([
      rows[0],
      { instruction: 'j', input: '', output: 'p' },
    ]);
  });

  it('a file in a form for trainers has calls and results that are parts as calls and results', async () => {
    const anthropic = {
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: 'The sky?' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 't1', name: 'sky', input: { city: 'Oslo' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'clear' },
            { type: 'text', text: 'And?' },
          ],
        },
        { role: 'assistant', content: 'Clear.' },
      ],
      tools: [{ name: 'sky', description: 'd', input_schema: { type: 'object' } }],
    };
    const text = linesOf([anthropic]);

    expect(linesIn((await roundTrip(text, 'openai')).text)).toEqual([
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          anthropic.messages[0],
          {
            role: 'assistant',
            content: [{ type: 'text', text: 'Let me look.' }],
            tool_calls: [
              { id: 't1', type: 'function', function: { name: 'sky', arguments: '{"city":"Oslo"}' } },
            ],
          },
          { role: 'tool', tool_call_id: 't1', content: 'clear' },
          { role: 'user', content: [{ type: 'text', text: 'And?' }] },
          anthropic.messages[3],
        ],
        tools: [
          {
            type: 'function',
            function: { name: 'sky', description: 'd', parameters: { type: 'object' } },
          },
        ],
      },
    ]);
    expect((await roundTrip(text, 'sharegpt')).text).toContain('function_call');
    expect((await roundTrip(text, 'alpaca')).text).toBe('');
  });

  it('a row of any order of speakers is written in each form, or left out', async () => {
    const speakers = ['user', 'assistant', 'system'];
    const orders = (length: number): string[][] =>
      length === 0 ? [[]] : orders(length - 1).flatMap((order) => speakers.map((each) => [...order, each]));
    const rows = [1, 2, 3, 4].flatMap(orders).map((order) => ({
      messages: order.map((role, n) => ({ role, content: `${role} ${n}` })),
    }));

    for (const form of ['openai', 'sharegpt', 'alpaca', 'trl'] as const) {
      await expect(roundTrip(linesOf(rows), form), form).resolves.toBeDefined();
    }
  });

  it('a file in a form for trainers has the tools of the older form', async () => {
    const functions = [{ name: 'sky', parameters: {} }];
    const messages = [
      { role: 'user', content: 'The sky?' },
      { role: 'assistant', content: null, function_call: { name: 'sky', arguments: '{}' } },
    ];
    const text = linesOf([{ messages, functions }]);

    for (const form of ['openai', 'trl'] as const)
      expect(linesIn((await roundTrip(text, form)).text)).toMatchObject([
        { tools: [{ type: 'function', function: functions[0] }] },
      ]);
    expect(linesIn((await roundTrip(text, 'sharegpt')).text)).toMatchObject([
      { tools: JSON.stringify(functions) },
    ]);
  });

  it('a file in a form for trainers gives a result the id that its call has got', async () => {
    const messages = [
      { role: 'user', content: 'w?' },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: { x: 1 } } }] },
      { role: 'tool', tool_call_id: 'abc', content: '3' },
      { role: 'assistant', content: '3!' },
    ];

    expect(linesIn((await roundTrip(linesOf([{ messages }]), 'openai')).text)).toMatchObject([
      { messages: [{}, { tool_calls: [{ id: 'call_1' }] }, { tool_call_id: 'call_1' }, {}] },
    ]);
  });

  it('a file in a form for trainers leaves rows out whose images the form has no place for', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.org/y.png' } };
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'What?' }, image] },
      { role: 'assistant', content: 'That.' },
    ];
    const text = linesOf([{ messages }]);

    expect(linesIn((await roundTrip(text, 'openai')).text)).toEqual([{ messages }]);
    expect((await roundTrip(text, 'sharegpt')).text).toBe('');
    expect((await roundTrip(text, 'alpaca')).text).toBe('');
  });

  it('a file in a form for trainers keeps replies that are not trained on behind its answer where trainers read weights', async () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'And?' },
      { role: 'assistant', content: 'No.', weight: 0 },
    ];
    const text = linesOf([{ messages }]);

    expect(linesIn((await roundTrip(text, 'alpaca')).text)).toEqual([
      { instruction: 'Hi', input: '', output: 'Hello.' },
    ]);
    expect(linesIn((await roundTrip(text, 'sharegpt')).text)).toEqual([
      {
        conversations: [
          { from: 'human', value: 'Hi' },
          { from: 'gpt', value: 'Hello.' },
        ],
      },
    ]);
    expect(linesIn((await roundTrip(text, 'trl')).text)).toEqual([{ messages: messages.slice(0, 2) }]);
    expect((await roundTrip(text, 'openai')).text).toBe(text);
  });

  it('a file in a form for trainers may have an object as its output', async () => {
    const { text } = await roundTrip(linesOf([{ instruction: 'q', input: '', output: { a: 1 } }]), 'openai');

    expect(JSON.parse(text).messages[1]).toEqual({ role: 'assistant', content: '{"a":1}' });
  });

  it('a file in a form for trainers has pairs of whole conversations as what comes before them', async () => {
    const turns = (answer: string) => [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: answer },
    ];
    const { text } = await roundTrip(
      linesOf([{ chosen: turns('Hello.'), rejected: turns('What.') }]),
      'openai',
    );

    expect(JSON.parse(text)).toEqual({
      input: { messages: [{ role: 'user', content: 'Hi' }] },
      preferred_output: [{ role: 'assistant', content: 'Hello.' }],
      non_preferred_output: [{ role: 'assistant', content: 'What.' }],
    });
  });

  it('a file in a form for trainers has an answer that is a call as a call, also of an adapted row', () => {
    const call = { role: 'assistant', content: null, tool_calls: CALLS };
    const columns: FormColumns = {
      chat: null,
      prompt: 'enhanced_prompt',
      completion: 'enhanced_completion',
      chosen: null,
      rejected: null,
      context: [],
      system: null,
      tools: 'tools',
      history: null,
      reasoning: null,
      conversations: ['enhanced_prompt'],
    };
    const cells = new Map([
      ['enhanced_prompt', JSON.stringify([{ role: 'user', content: 'The sky?' }])],
      ['enhanced_completion', JSON.stringify([call])],
      ['tools', JSON.stringify(TOOLS)],
    ]);

    expect(writeTrainingRow('openai', columns, cells)).toEqual({
      messages: [{ role: 'user', content: 'The sky?' }, call],
      tools: TOOLS,
    });
    expect(writeTrainingRow('alpaca', columns, cells)).toBeNull();
  });

  it('thousands of calls in one turn take time in proportion to their number, whatever their results name', () => {
    const columns: FormColumns = {
      chat: 'messages',
      prompt: null,
      completion: null,
      chosen: null,
      rejected: null,
      context: [],
      system: null,
      tools: null,
      history: null,
      reasoning: null,
      conversations: ['messages'],
    };
    const COUNT = 60_000;

    for (const idOf of [() => undefined, (n: number) => `c${n}`, (n: number) => `other${n}`]) {
      const calls = Array.from({ length: COUNT }, (_, n) => ({
        id: idOf(n) && `c${n}`,
        function: { name: 'a' },
      }));
      const results = Array.from({ length: COUNT + 1 }, (_, n) => ({
        role: 'tool',
        content: '',
        tool_call_id: idOf(n),
      }));
      const turns = [
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: null, tool_calls: calls },
        ...results,
        { role: 'assistant', content: 'So.' },
      ];
      const cells = new Map([['messages', JSON.stringify(turns)]]);

      // 200 ms; 15 seconds where each result walks all calls.
      expect(millisecondsOf(() => writeTrainingRow('openai', columns, cells))).toBeLessThan(4000);
    }
  });

  it('a file in a form for trainers leaves rows without an answer out', () => {
    const columns: FormColumns = {
      chat: null,
      prompt: 'q',
      completion: 'a',
      chosen: null,
      rejected: null,
      context: ['note', 'more'],
      system: null,
      tools: null,
      history: null,
      reasoning: null,
      conversations: [],
    };
    const cells = new Map([
      ['q', 'Why?'],
      ['note', 'x'],
      ['more', 'y'],
    ]);

    expect(writeTrainingRow('openai', columns, cells)).toBeNull();
    expect(writeTrainingRow('openai', columns, cells.set('a', 'So.'))).toEqual({
      messages: [
        { role: 'user', content: 'Why?\nnote: x\nmore: y' },
        { role: 'assistant', content: 'So.' },
      ],
    });
  });
});

describe('the form of a file', () => {
  const column = (name: string, isChat = false) => ({
    name,
    type: 'JSON',
    profile: { is_empty: false, not_chat: isChat ? null : { row: 0, problem: 'x' }, image_format: null },
  });

  it.each([
    [['prompt', 'completion'], 'trl', { prompt: 'prompt', completion: 'completion', context: [] }],
    [['instruction', 'output'], 'alpaca', { prompt: 'instruction', completion: 'output', context: [] }],
    [['prompt', 'chosen', 'rejected'], 'trl', { prompt: 'prompt', chosen: 'chosen', rejected: 'rejected' }],
  ] as const)('the form of a file with the columns %j is told by their names', (names, name, mapping) => {
    expect(findForm(names.map((each) => column(each)))).toMatchObject({ name, column_mapping: mapping });
  });

  it('the form of a file is none where names tell nothing, or cells are no conversations', () => {
    expect(findForm([column('messages')])).toBeNull();
    expect(findForm([column('q'), column('a')])).toBeNull();
    expect(findForm([column('chosen'), column('rejected')])).toBeNull();
    expect(findForm([{ name: 'messages', type: 'JSON' }])).toBeNull();
    expect(findForm([column('conversation', true)])?.name).toBe('sharegpt');
    expect(findForm([column('text', true)])).toMatchObject({ name: 'trl', column_mapping: { chat: 'text' } });
    expect(findForm([column('text')])).toBeNull();
  });

  it.each([
    [['instruction', 'input', 'output'], { prompt: 'instruction', completion: 'output', context: ['input'] }],
    [['prompt', 'chosen', 'rejected'], { prompt: 'prompt', completion: 'chosen' }],
    [['system', 'question', 'chosen', 'rejected'], { prompt: 'question', completion: 'chosen' }],
    [
      ['instruction', 'input', 'chosen', 'rejected'],
      { prompt: 'instruction', completion: 'chosen', context: ['input'] },
    ],
    [['chosen', 'rejected'], null],
    [
      ['user_id', 'topic', 'model_answer', 'question_id', 'question'],
      { prompt: 'question', completion: 'model_answer' },
    ],
    [['id', 'text'], null],
    [['user_name', 'review', 'label'], null],
    [['response', 'request_time', 'text'], null],
    [['input_tokens', 'output_tokens', 'text', 'reply'], null],
    [['question', 'a', 'b', 'c', 'd', 'correct'], null],
    [['input', 'score', 'target_language', 'gold'], null],
    [['x', 'y', 'z'], null],
    [['answer'], null],
  ] as const)('a mapping of the columns %j is proposed as %j', (names, mapping) => {
    expect(proposeMapping(names.map((each) => column(each)))).toEqual(mapping);
  });

  it('a mapping of the pairs of a file is proposed by its form, or by a column of prompts beside them', () => {
    const proposed = (names: readonly string[], chats = false) =>
      proposePairs(names.map((each) => column(each, chats)));
    const pair = { chosen: 'chosen', rejected: 'rejected' };
    expect(proposed(['system', 'question', 'chosen', 'rejected'])).toEqual({ prompt: 'question', ...pair });
    expect(proposed(['instruction', 'input', 'chosen', 'rejected'])).toEqual({
      prompt: 'instruction',
      ...pair,
      context: ['input'],
    });
    expect(proposed(['input', 'preferred_output', 'non_preferred_output'])).toMatchObject({
      prompt: 'input',
    });
    expect(proposed(['chosen', 'rejected'])).toBeNull();
    expect(proposed(['question', 'answer'])).toBeNull();
    expect(proposed(['chosen', 'rejected'], true)).toEqual({ prompt: 'chosen', ...pair });
    expect(proposeMapping(['chosen', 'rejected'].map((each) => column(each, true)))).toEqual({
      chat: 'chosen',
    });
  });

  it('a mapping of the only conversations of a file is proposed, and none of an empty column', () => {
    expect(proposeMapping([column('topic'), column('dialogue', true)])).toEqual({ chat: 'dialogue' });
    const empty = { ...column('answer'), profile: { is_empty: true, not_chat: null, image_format: null } };
    expect(proposeMapping([column('question'), empty, column('reply')])).toEqual({
      prompt: 'question',
      completion: 'reply',
    });
  });
});
