import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { withMetadata } from '#shared/adaptation/decide/metadata-block.ts';
import {
  countReplies,
  isText,
  REPLIES_OF_A_ROW_MAX,
  readExample,
  readExamples,
} from '#shared/training/decide/example.ts';
import type { ExampleColumns } from '#shared/training/decide/record.ts';
import type { TrainingExample } from '#shared/training/schema/training-job.ts';

const none = { completion: null, reasoning_trace: null, chosen: null, rejected: null, context: [] };
const instruction = { ...none, prompt: 'p', completion: 'c' };
const pairs = { ...none, prompt: 'p', chosen: 'good', rejected: 'bad' };
const chat = { ...none, prompt: 'chat' };

const read = (columns: ExampleColumns, cells: Record<string, string | null>) =>
  readExample(columns, new Map(Object.entries(cells)), 7);

/** A question that is answered by a call. */
const calling = (given: string) =>
  JSON.stringify([
    { role: 'user', content: 'Warm?' },
    { role: 'assistant', content: null, tool_calls: [callOf(given)] },
  ]);

const callOf = (given: string) => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: given },
});

const turns = (...all: [role: string, content: unknown][]) =>
  JSON.stringify(all.map(([role, content]) => ({ role, content })));

test('the example of a row is what is asked and what is to be answered', () => {
  expect(read(instruction, { p: ' Why? ', c: 'Because.' })).toEqual({
    row: 7,
    messages: [{ role: 'user', content: ' Why? ' }],
    completion: 'Because.',
  });
});

test('the example of a row keeps the spaces of its texts, as code needs them', () => {
  const code = '    return x\n';

  expect(read(instruction, { p: code, c: code })).toMatchObject({
    messages: [{ role: 'user', content: code }],
    completion: code,
  });
  expect(read(chat, { chat: turns(['user', code], ['assistant', code]) })).toMatchObject({
    messages: [{ role: 'user', content: code }],
    completion: code,
  });
  expect(read(pairs, { p: 'Indent.', good: code, bad: 'return x' })).toEqual({
    skip: 'two answers that are the same',
  });
});

test('the example of a row has a context once, where the metadata in front of its prompt hold it whole', () => {
  const columns = { ...instruction, context: ['topic', 'text', 'more'] };
  const long = 'word '.repeat(60);
  const context = [
    { name: 'topic', text: 'Bread\nand flour' },
    { name: 'text', text: long },
  ];
  const p = withMetadata('Why?', { context, language: 'en', length: null });
  const cells = { p, c: 'So.', topic: 'Bread\nand flour', text: long, more: 'of it' };

  expect(read(columns, cells)).toMatchObject({
    messages: [{ content: `${p}\ntext: ${long}\nmore: of it` }],
  });
  expect(read(columns, { ...cells, p: 'Why?' })).toMatchObject({
    messages: [{ content: `Why?\ntopic: Bread\nand flour\ntext: ${long}\nmore: of it` }],
  });
});

test('the example of a row has the trace of the row where one is mapped and there', () => {
  const columns = { ...instruction, reasoning_trace: 'r' };

  expect(read(columns, { p: 'Why?', c: 'So.', r: 'First …' })).toMatchObject({ reasoning: 'First …' });
  expect(read(columns, { p: 'Why?', c: 'So.', r: null })).not.toHaveProperty('reasoning');
});

test('the example of a row of a pair has both answers, also where they are turns', () => {
  const columns = { ...pairs, conversations: ['good', 'bad'] };

  expect(read(columns, { p: 'Why?', good: turns(['assistant', 'Because.']), bad: 'Dunno.' })).toEqual({
    row: 7,
    messages: [{ role: 'user', content: 'Why?' }],
    chosen: 'Because.',
    rejected: 'Dunno.',
  });
});

test('the example of a row of a conversation is answered by its last turn', () => {
  const cell = turns(
    ['developer', 'Be kind.'],
    ['user', [{ type: 'text', text: 'Hi' }]],
    ['assistant', 'Hello'],
  );

  expect(read(chat, { chat: cell })).toEqual({
    row: 7,
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
    ],
    completion: 'Hello',
  });
});

test('the example of a row has the context of the row in its prompt, as the row is adapted with it, and nothing of an empty one', () => {
  const columns = { ...instruction, context: ['page', 'note'] };

  expect(read(columns, { p: 'Why?', c: 'So.', page: ' It rains. ', note: ' ' })).toMatchObject({
    messages: [{ role: 'user', content: 'Why?\npage:  It rains. ' }],
  });
  expect(
    read({ ...pairs, context: ['page'] }, { p: 'Why?', good: 'a', bad: 'b', page: 'It rains.' }),
  ).toMatchObject({
    messages: [{ role: 'user', content: 'Why?\npage: It rains.' }],
  });
});

test('the example of a row of a conversation has the context in the last message of the user', () => {
  const cell = turns(['user', 'Hi'], ['assistant', 'Hello'], ['user', 'Why?'], ['assistant', 'So.']);

  expect(read({ ...chat, context: ['page'] }, { chat: cell, page: 'It rains.' })).toMatchObject({
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Why?\npage: It rains.' },
    ],
    completion: 'So.',
  });
});

test.each([
  [instruction, { p: null, c: 'x' }, 'x'],
  [chat, { chat: turns(['assistant', 'Hi']) }, 'Hi'],
])('an answer that nobody asked for is a text, which trainers learn whole', (columns, cells, completion) => {
  const example = read(columns, cells) as TrainingExample;

  expect(example).toMatchObject({ messages: [{ role: 'user', content: '' }], completion });
  expect(isText(example)).toBe(true);
  expect(isText(read(instruction, { p: 'x', c: 'y' }) as TrainingExample)).toBe(false);
});

test.each([
  [instruction, { p: turns(['user', 'Hi']), c: turns(['assistant', 'Yo']) }],
  [
    { ...instruction, conversations: ['p', 'c'] },
    { p: 'Hi', c: 'Yo' },
  ],
])('the column says what a cell is, and not the cell: %o', (columns, cells) => {
  expect(read(columns, cells)).toMatchObject({
    messages: [{ role: 'user', content: cells.p }],
    completion: cells.c,
  });
});

const whole = { ...pairs, conversations: ['good', 'bad'] };
const shared: [string, string][] = [
  ['system', 'Be kind.'],
  ['user', 'Why?'],
];

test.each([
  ['Why?', whole],
  ['Why?', { ...whole, chosen: null, rejected: null, completion: 'good' }],
  [null, whole],
  [turns(...shared), { ...whole, conversations: ['p', 'good', 'bad'] }],
])('conversations as answers keep the turns in front of their last reply: %j, %o', (p, columns) => {
  const [good, bad] = [
    turns(...shared, ['assistant', 'Because.']),
    turns(...shared, ['assistant', 'Dunno.']),
  ];

  expect(read(columns, { p, good, bad })).toMatchObject({
    messages: shared.map(([role, content]) => ({ role, content })),
    ...(columns.chosen === null ? { completion: 'Because.' } : { chosen: 'Because.', rejected: 'Dunno.' }),
  });
});

test('conversations as answers go on from the prompt where they begin with a reply', () => {
  const more: [string, string][] = [
    ['assistant', 'Which one?'],
    ['user', 'The second.'],
  ];

  expect(
    read(whole, {
      p: 'Why?',
      good: turns(...more, ['assistant', 'So.']),
      bad: turns(...more, ['assistant', 'No.']),
    }),
  ).toMatchObject({
    messages: [{ role: 'user', content: 'Why?' }, ...more.map(([role, content]) => ({ role, content }))],
  });
});

const weighed = (...weights: (number | undefined)[]) =>
  JSON.stringify(
    weights.flatMap((weight, n) => [
      { role: 'user', content: `q${n}` },
      { role: 'assistant', content: `a${n}`, ...(weight === undefined ? {} : { weight }) },
    ]),
  );

test.each([
  [[undefined, undefined], 'a1'],
  [[0, 1], 'a1'],
  [[1, 0], 'a0'],
  [[undefined, 0, 0], 'a0'],
])('a reply of the weight 0 is not trained on: %j trains %s', (weights, completion) => {
  expect(read(chat, { chat: weighed(...weights) })).toMatchObject({ completion });
});

test('a reply of the weight 0 in a prompt stays there', () => {
  const columns = { ...instruction, conversations: ['p'] };
  const p = JSON.stringify([...JSON.parse(weighed(0)), { role: 'user', content: 'And?' }]);

  expect(read(columns, { p, c: 'So.' })).toMatchObject({
    messages: [{ content: 'q0' }, { content: 'a0' }, { content: 'And?' }],
    completion: 'So.',
  });
});

test('a prompt that begins with a bracket may be text', () => {
  expect(read(instruction, { p: '[1, 2] has how many?', c: 'Two.' })).toMatchObject({
    messages: [{ role: 'user', content: '[1, 2] has how many?' }],
  });
});

test.each([
  [pairs, { p: null, good: 'a', bad: 'b' }, 'no prompt'],
  [instruction, { p: 'x', c: '  ' }, 'no completion'],
  [pairs, { p: 'x', good: 'a', bad: null }, 'no pair of answers'],
  [pairs, { p: 'x', good: 'a', bad: 'a' }, 'two answers that are the same'],
  [chat, { chat: turns(['user', 'Hi']) }, 'no completion'],
  [chat, { chat: '[{"role": "user"' }, 'a conversation that cannot be read'],
  [chat, { chat: weighed(0, 0) }, 'replies of the weight 0 alone'],
  [
    whole,
    { p: 'x', good: turns(...shared, ['assistant', 'a']), bad: turns(...shared, ['assistant', 'b']) },
    'a prompt that is not in the conversation of its answer',
  ],
  [
    whole,
    { p: 'x', good: turns(['user', 'x'], ['assistant', 'a']), bad: turns(['user', 'y'], ['assistant', 'b']) },
    'two answers to different conversations',
  ],
  [chat, { chat: turns(['user', ' '], ['assistant', 'x']) }, 'turns without text'],
  [
    chat,
    {
      chat: JSON.stringify([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: {} },
          ],
        },
        { role: 'assistant', content: 'A cat.' },
      ]),
    },
    'turns with images or other parts that are no text',
  ],
  [chat, { chat: calling('{"city": ') }, 'calls whose arguments are no JSON object'],
  [chat, { chat: calling('["Bonn"]') }, 'calls whose arguments are no JSON object'],
  [chat, { chat: calling('{}').replace('"weather"', '7') }, 'calls of tools that cannot be read'],
  [
    { ...chat, tools: 't' },
    { chat: calling('{}'), t: '[{"type": "function"}, {"description": "x"}]' },
    'tools of which one has no name',
  ],
])('a row makes no example: %o of %o: %s', (columns, cells, skip) => {
  expect(read(columns, cells)).toEqual({ skip });
});

const called = (given: string) => ({ type: 'function', function: { name: 'weather', arguments: given } });
const WEATHER = { name: 'weather', parameters: { type: 'object' } };

test('a conversation that ends with calls is answered by them, with the tools that the row declares', () => {
  const cell = JSON.stringify([
    { role: 'user', content: 'Warm?' },
    {
      role: 'assistant',
      content: 'One moment.',
      tool_calls: [callOf('{"city": "Bonn"}'), callOf('{"city":1.0}')],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '21' },
  ]);

  expect(read({ ...chat, tools: 't' }, { chat: cell, t: JSON.stringify([WEATHER]) })).toEqual({
    row: 7,
    messages: [{ role: 'user', content: 'Warm?' }],
    completion: { content: 'One moment.', tool_calls: [called('{"city": "Bonn"}'), called('{"city":1.0}')] },
    tools: [{ type: 'function', function: WEATHER }],
  });
});

test('calls and their results are turns of the prompt of the reply to them', () => {
  const cell = JSON.stringify([
    { role: 'user', content: 'Warm?' },
    { role: 'assistant', tool_calls: [callOf('{}')] },
    { role: 'tool', tool_call_id: 'call_1', content: '' },
    { role: 'assistant', content: 'Yes.' },
  ]);

  expect(read(chat, { chat: cell })).toEqual({
    row: 7,
    messages: [
      { role: 'user', content: 'Warm?' },
      { role: 'assistant', content: '', tool_calls: [called('{}')] },
      { role: 'tool', content: '' },
    ],
    completion: 'Yes.',
  });
});

test('the call that an adaptation has kept is the answer of its row, in a column of texts', () => {
  const columns = { ...instruction, conversations: ['p'] };
  const call = JSON.stringify([{ role: 'assistant', content: null, tool_calls: [callOf('{}')] }]);

  expect(read(columns, { p: turns(['user', 'Warm?']), c: call })).toMatchObject({
    messages: [{ role: 'user', content: 'Warm?' }],
    completion: { content: '', tool_calls: [called('{}')] },
  });
});

test('a pair may prefer one call to another, with the tools of a request of OpenAI’s', () => {
  const columns = { ...pairs, conversations: ['p', 'good', 'bad'] };
  const answer = (given: string) =>
    JSON.stringify([{ role: 'assistant', content: null, tool_calls: [callOf(given)] }]);
  const p = JSON.stringify({ messages: [{ role: 'user', content: 'Warm?' }], tools: [WEATHER] });

  expect(read(columns, { p, good: answer('{"city":"Bonn"}'), bad: answer('{}') })).toMatchObject({
    chosen: { tool_calls: [called('{"city":"Bonn"}')] },
    rejected: { tool_calls: [called('{}')] },
    tools: [{ function: WEATHER }],
  });
  expect(read(columns, { p, good: answer('{}'), bad: answer('{}') })).toEqual({
    skip: 'two answers that are the same',
  });
});

test('each reply without the weight 0 is an example where all replies are trained on, the last one first', () => {
  const columns: ExampleColumns = { ...chat, replies: 'all' };
  const cells = (all: object[]) => new Map([['chat', JSON.stringify(all)]]);
  const told = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
    { role: 'user', content: 'c' },
    { role: 'assistant', content: 'd', weight: 0 },
    { role: 'user', content: 'e' },
    { role: 'assistant', content: 'f', weight: 1 },
    { role: 'user', content: 'g' },
  ];

  const examples = readExamples(columns, cells(told), 7) as readonly TrainingExample[];

  expect(examples.map(({ completion, messages }) => [completion, messages.length])).toEqual([
    ['f', 5],
    ['b', 1],
  ]);
  expect(examples[0]?.messages[3]).toEqual({ role: 'assistant', content: 'd' });
  expect(readExamples(chat, cells(told.slice(0, -1)), 7)).toHaveLength(1);
  const unweighed = told.filter(({ weight }) => weight !== 1).map((turn) => ({ ...turn, weight: 0 }));
  expect(readExamples(columns, cells(unweighed), 7)).toEqual({ skip: 'replies of the weight 0 alone' });
  expect(readExamples(columns, cells(told.slice(0, 1)), 7)).toEqual({ skip: 'no completion' });
});

test('the example of a whole conversation ends with its last reply, whatever its user says after it', () => {
  const whole = [
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: 'So.' },
  ];
  const image = { type: 'image_url', image_url: { url: 'https://example.org/y.png' } };
  const expected = { row: 7, messages: whole.slice(0, 1), completion: 'So.' };

  for (const said of ['Thanks', 'And then?', [image]]) {
    const cells = { chat: JSON.stringify([...whole, { role: 'user', content: said }]) };
    expect(read(chat, cells)).toEqual(expected);
    expect(readExamples({ ...chat, replies: 'all' }, new Map(Object.entries(cells)), 7)).toEqual([expected]);
  }
  // A prompt whose answer stands elsewhere has none.
  const asked = { p: JSON.stringify([...whole, { role: 'user', content: 'And then?' }]), c: '' };
  expect(read({ ...instruction, conversations: ['p'] }, asked)).toEqual({ skip: 'no completion' });
});

test('each reply of a conversation is an example with its tools where all replies are trained on', () => {
  const messages = ['a', 'b', 'c', 'd'].map((content, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content,
  }));
  const cell = JSON.stringify({ messages, tools: [{ type: 'function', function: { name: 'sky' } }] });

  const examples = readExamples({ ...chat, replies: 'all' }, new Map([['chat', cell]]), 7);

  const tools = [{ function: { name: 'sky' } }];
  expect(examples).toMatchObject([
    { completion: 'd', tools },
    { completion: 'b', tools },
  ]);
});

test('of a long conversation the last fifty replies are examples', () => {
  const all = Array.from({ length: 60 }, (_, n) => [
    { role: 'user', content: `question ${n}` },
    { role: 'assistant', content: `answer ${n}` },
  ]).flat();

  const examples = readExamples({ ...chat, replies: 'all' }, new Map([['chat', JSON.stringify(all)]]), 7);

  expect(examples).toHaveLength(REPLIES_OF_A_ROW_MAX);
  expect(examples).toMatchObject([{ completion: 'answer 59' }, ...Array(49).fill({})]);
});

describe('the examples of a row are counted', () => {
  const columns: ExampleColumns = { ...chat, replies: 'all' };
  const turn = (role: string, content: string, more: object = {}) => ({ role, content, ...more });
  const call = { function: { name: 'sky', arguments: '{}' } };
  const turns = [
    turn('user', 'a'),
    turn('assistant', 'b'),
    turn('assistant', 'b', { weight: 0 }),
    turn('assistant', '', { tool_calls: [call] }),
    turn('tool', ''),
    turn('user', ''),
  ];
  const draw = fc.array(fc.constantFrom(...turns), { maxLength: 12 });

  test('the examples of a row are counted as they are built, whatever its turns are', () => {
    fc.assert(
      fc.property(draw, (all) => {
        const cells = new Map([['chat', JSON.stringify(all)]]);
        const built = readExamples(columns, cells, 7);
        expect(countReplies(columns, cells, 7)).toEqual(
          'skip' in built ? built : { first: built[0], examples: built.length },
        );
      }),
    );
  });

  test('the examples of a row are counted by its last one alone, so that long conversations take no time', () => {
    const all = Array.from({ length: 60 }, () => [turn('user', 'a'), turn('assistant', 'b')]).flat();
    const cells = new Map([['chat', JSON.stringify(all)]]);
    const written = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => written.mockRestore());

    expect(countReplies(columns, cells, 7)).toMatchObject({ examples: REPLIES_OF_A_ROW_MAX });

    expect(written.mock.calls.length).toBeLessThan(5);
  });
});

test('the example of a row begins with its system prompt, unless its conversation has one', () => {
  const told = { role: 'system', content: 'You are brief.' };
  const asked = { role: 'user', content: 'Why?' };
  const system = 'You are brief.';
  const parts = JSON.stringify([{ type: 'text', text: system }]);

  for (const cell of [system, parts]) {
    expect(read({ ...instruction, system: 'system' }, { p: 'Why?', c: 'So.', system: cell })).toEqual({
      row: 7,
      messages: [told, asked],
      completion: 'So.',
    });
  }
  expect(read({ ...pairs, system: 'system' }, { p: 'Why?', good: 'So.', bad: 'No.', system })).toMatchObject({
    messages: [told, asked],
  });
  expect(read({ ...instruction, system: 'system' }, { p: 'Why?', c: 'So.', system: ' ' })).toMatchObject({
    messages: [asked],
  });
  const turns = [{ role: 'system', content: 'Its own.' }, asked, { role: 'assistant', content: 'So.' }];
  expect(read({ ...chat, system: 'system' }, { chat: JSON.stringify(turns), system })).toMatchObject({
    messages: turns.slice(0, 2),
  });
  expect(read({ ...chat, system: 'system' }, { chat: JSON.stringify(turns.slice(1)), system })).toMatchObject(
    { messages: [told, asked] },
  );
});

test('the example of a row has the turns that stand in its history before a prompt that is a text', () => {
  const columns = { ...instruction, history: 'history' };
  const history = JSON.stringify([
    ['Hi', 'Hello.'],
    ['Well?', 'Well.'],
  ]);
  const before = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Well?' },
    { role: 'assistant', content: 'Well.' },
  ];

  expect(read(columns, { p: 'Why?', c: 'So.', history })).toEqual({
    row: 7,
    messages: [...before, { role: 'user', content: 'Why?' }],
    completion: 'So.',
  });
  expect(
    read({ ...pairs, history: 'history' }, { p: 'Why?', good: 'So.', bad: 'No.', history }),
  ).toMatchObject({ messages: [...before, { role: 'user', content: 'Why?' }] });
  for (const same of [
    JSON.stringify(history),
    JSON.stringify(before),
    JSON.stringify(before.map(({ content }) => content)),
    JSON.stringify(JSON.stringify(before.map(({ content }) => content))),
    JSON.stringify(
      before.map(({ role, content }) => ({ from: role === 'user' ? 'human' : 'gpt', value: content })),
    ),
  ]) {
    expect(read(columns, { p: 'Why?', c: 'So.', history: same })).toMatchObject({
      messages: [...before, { role: 'user', content: 'Why?' }],
    });
  }
  for (const other of [null, '', '[]', 'null', 'long ago', '[["one"]]', '["one"]', '{"a":1}', '7']) {
    expect(read(columns, { p: 'Why?', c: 'So.', history: other })).toMatchObject({
      messages: [{ role: 'user', content: 'Why?' }],
    });
  }
});
