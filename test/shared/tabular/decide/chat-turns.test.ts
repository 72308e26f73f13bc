import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RESULTS_JOINT, readTurns } from '#shared/tabular/decide/chat-turns.ts';
import { TURNS_MAX } from '#shared/tabular/decide/limits.ts';

const read = (...turns: object[]) => readTurns(JSON.stringify(turns));
const CALL = { type: 'function', function: { name: 'price', arguments: '{"of":"tea"}' } };

describe('turns of another form', () => {
  test('of speakers and values have the roles of chat-completion APIs', () => {
    expect(
      read(
        { from: 'system', value: 'Be brief.' },
        { from: 'human', value: 'Price of tea?', weight: 1 },
        { from: 'function_call', value: '{"name":"price","arguments":{"of":"tea"}}' },
        { from: 'observation', value: '12' },
        { from: 'GPT', value: 'It costs 12.' },
      ),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Price of tea?', weight: 1 },
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', content: '12' },
      { role: 'assistant', content: 'It costs 12.' },
    ]);
  });

  test.each([
    ['refused', 'Error: refused'],
    ['ERROR 500', 'ERROR 500'],
    ['<error>no</error>', '<error>no</error>'],
    ['', 'Error:'],
    [undefined, 'Error:'],
    [[{ type: 'text', text: 'refused' }], [{ type: 'text', text: 'Error: refused' }]],
    [[{ type: 'image' }], [{ type: 'text', text: 'Error:' }, { type: 'image' }]],
  ])('a turn of another form keeps that the result of a call is an error: %j', (content, told) => {
    const anthropic = { type: 'tool_result', tool_use_id: 't1', content, is_error: true };
    const bedrock = { toolResult: { toolUseId: 't1', content, status: 'error' } };
    const result = { role: 'tool', tool_call_id: 't1', content: told };

    expect(read({ role: 'user', content: [anthropic] })).toEqual([result]);
    expect(read({ role: 'user', content: [bedrock] })).toEqual([result]);
    expect(read({ role: 'user', content: [{ ...anthropic, is_error: false }] })).toEqual([
      { ...result, content: content ?? '' },
    ]);
  });

  test.each(['bing', 'claude', 'Bot', 'gpt'])('a turn of another form is a reply of %s', (name) => {
    expect(read({ from: name, value: 'x' })).toEqual([{ role: 'assistant', content: 'x' }]);
  });

  test('a turn of another form may name the speaker in its role', () => {
    expect(read({ role: 'human', content: 'a' }, { role: 'model', content: 'b' })).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ]);
  });

  test('a turn of another form may name its role in any case', () => {
    expect(
      read(
        { role: 'System', content: 's' },
        { role: 'USER', content: 'a' },
        { role: 'Chatbot', content: 'b' },
        { role: 'prompter', content: 'c' },
        { role: 'Assistant', content: null, function_call: { name: 'price', arguments: '{"of":"tea"}' } },
        { role: 'ipython', content: '12' },
        { role: 'Developer', content: 'd' },
      ),
    ).toEqual([
      { role: 'system', content: 's' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', content: '12' },
      { role: 'developer', content: 'd' },
    ]);
    expect(read({ role: 'Narrator', content: 'x' })).toContain('a role other than');
  });

  test.each([
    [
      'Anthropic',
      { type: 'tool_use', id: 't1', name: 'price', input: { of: 'tea' } },
      { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '12' }] },
      [{ type: 'text', text: '12' }],
    ],
    [
      'Bedrock',
      { toolUse: { toolUseId: 't1', name: 'price', input: { of: 'tea' } } },
      { toolResult: { toolUseId: 't1', content: [{ json: { price: 12 } }, { text: 'x' }] } },
      [{ text: '{"price":12}' }, { text: 'x' }],
    ],
  ])('a turn of another form may have calls and results among its parts: %s', (_, call, result, content) => {
    const text = { type: 'text', text: 'Let me see.' };

    expect(
      read(
        { role: 'assistant', content: [text, call], weight: 0 },
        { role: 'user', content: [result] },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [result, text] },
      ),
    ).toEqual([
      { role: 'assistant', content: [text], weight: 0, tool_calls: [{ id: 't1', ...CALL }] },
      { role: 'tool', tool_call_id: 't1', content },
      { role: 'assistant', content: null, tool_calls: [{ id: 't1', ...CALL }] },
      { role: 'tool', tool_call_id: 't1', content },
      { role: 'user', content: [text] },
    ]);
  });

  test('a turn of another form may hold several calls, and a tool may answer nothing', () => {
    const calls = [1, 2].map((n) => ({ name: 'price', arguments: { n } }));

    expect(
      read({ from: 'tool_call', value: JSON.stringify(calls) }, { role: 'tool', content: null }),
    ).toMatchObject([
      {
        role: 'assistant',
        content: null,
        tool_calls: calls.map(({ name, arguments: given }) => ({
          function: { name, arguments: JSON.stringify(given) },
        })),
      },
      { role: 'tool', content: null },
    ]);
    expect(read({ from: 'tool_response', value: '1' })).toEqual([{ role: 'tool', content: '1' }]);
  });

  test('a turn of another form keeps the text of a call that cannot be read', () => {
    expect(read({ from: 'function_call', value: 'price(tea)' })).toEqual([
      { role: 'assistant', content: 'price(tea)' },
    ]);
  });

  test('with the older functions have tool calls and the role of a tool', () => {
    expect(
      read(
        { role: 'user', content: [{ type: 'text', text: 'Price?' }] },
        { role: 'assistant', content: null, function_call: { name: 'price', arguments: '{"of":"tea"}' } },
        { role: 'function', name: 'price', content: '12' },
      ),
    ).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Price?' }] },
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', name: 'price', content: '12' },
    ]);
  });

  test('a cell is no conversation with a speaker that nobody knows, or a value that is no text', () => {
    expect(read({ from: 'narrator', value: 'Once' })).toMatch(
      /has a turn \(number 1\) that has a role other than/,
    );
    expect(read({ from: 'constructor', value: 'Once' })).toMatch(/role other than/);
    expect(read({ from: 'human', value: 3 })).toMatch(/has no role/);
  });

  test('of the usual form stay byte for byte what they are', () => {
    const turns = [
      { role: 'assistant', content: 'x', function_call: null, tool_calls: [CALL], from: 'y' },
      { role: 'user', content: 'x', name: 'Anna' },
    ];
    expect(read(...turns)).toEqual(turns);
  });
});

test.each([50, 5000, 500_000])('a cell that nests %d deep is read, or refused in words', (depth) => {
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const cells = [
    nested,
    `[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":${nested}}}]`,
    `[{"from":"function_call","value":${JSON.stringify(`{"name":"f","arguments":${nested}}`)}}]`,
  ];

  for (const cell of cells) expect(() => readTurns(cell)).not.toThrow();
  if (depth > 500) expect(readTurns(cells[1] ?? '')).toMatch(/nests deeper than 500 levels/);
});

test('an object with messages, as the input of OpenAI’s preference rows, is read as its turns', () => {
  const messages = [{ role: 'user', content: 'hello' }];

  expect(readTurns(JSON.stringify({ messages, tools: [], parallel_tool_calls: true }))).toEqual(messages);
  expect(readTurns(JSON.stringify({ tools: [], messages }))).toEqual(messages);
  expect(readTurns('{"messages": "hello"}')).toBe('is not a JSON array of turns');
  expect(readTurns('{"message": []}')).toBe('is not a JSON array of turns');
});

test('the results of parallel calls in one turn of ShareGPT are turns of their own', () => {
  const turns = [
    { from: 'function_call', value: '[{"name":"sky","arguments":{}},{"name":"sky","arguments":{}}]' },
    { from: 'observation', value: 'clear\n</tool_response>\n<tool_response>\nrain' },
  ];

  expect(readTurns(JSON.stringify(turns))).toMatchObject([
    { role: 'assistant' },
    { role: 'tool', content: 'clear' },
    { role: 'tool', content: 'rain' },
  ]);
});

test('what is read of a turn with many results and many members is at most a few times as large as the cell', () => {
  const turn = fc
    .record({
      from: fc.constant('observation'),
      results: fc.integer({ min: 0, max: 400 }),
      members: fc.integer({ min: 0, max: 400 }),
      name: fc.string({ maxLength: 2000 }),
    })
    .map(({ from, results, members, name }) => ({
      from,
      value: RESULTS_JOINT.repeat(results),
      name,
      ...Object.fromEntries(Array.from({ length: members }, (_, n) => [`k${n}`, 0])),
    }));
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 3 }), (turns) => {
      const cell = JSON.stringify(turns);
      const read = readTurns(cell);

      expect(read).toHaveLength(turns.reduce((sum, { value }) => sum + value.split(RESULTS_JOINT).length, 0));
      expect(JSON.stringify(read).length).toBeLessThanOrEqual(3 * cell.length);
    }),
    { numRuns: 50 },
  );
});

test('the first of the results in one turn has its other members', () => {
  const value = ['clear', 'rain'].join(RESULTS_JOINT);

  expect(read({ from: 'observation', value, name: 'sky' })).toEqual([
    { role: 'tool', content: 'clear', name: 'sky' },
    { role: 'tool', content: 'rain' },
  ]);
});

test('a turn with more results of tools than a conversation may have turns is refused', () => {
  const results = (count: number) => ({
    role: 'user',
    content: Array.from({ length: count }, (_, n) => ({
      type: 'tool_result',
      tool_use_id: `${n}`,
      content: '',
    })),
  });

  expect(read(results(TURNS_MAX))).toHaveLength(TURNS_MAX);
  for (const count of [TURNS_MAX + 1, 20 * TURNS_MAX]) {
    expect(read(results(count))).toBe(`has more than ${TURNS_MAX} turns`);
  }
});
