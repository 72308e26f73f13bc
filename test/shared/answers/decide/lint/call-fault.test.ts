import { expect, test } from 'vitest';
import { createCallCheck } from '#shared/answers/decide/lint/call-fault.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

const WEATHER = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', pattern: '^[A-Z]', format: 'city' },
        unit: { enum: ['C', 'F'] },
        days: { type: 'integer' },
        format: { type: 'string' },
      },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

const chatOf = (given: unknown, name = 'weather', more: object = {}) =>
  JSON.stringify([
    { role: 'user', content: 'Warm?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: given } }],
    },
    { role: 'tool', tool_call_id: 'a', content: '21' },
    { role: 'assistant', content: 'Yes.', ...more },
  ]);

const check = (chat: string, tools: unknown = [WEATHER]) =>
  createCallCheck()(chat, tools === null ? null : JSON.stringify(tools));

test.each([
  ['all that is required', '{"city": "Bonn"}'],
  ['all fields, in any order', '{"days": 3, "unit": "C", "city": "Bonn", "format": "x"}'],
  ['an object instead of its text', { city: 'Bonn' }],
  ['a text of another form than `format` and `pattern` say, which are not read', '{"city": "bonn"}'],
])('a call with %s is right', (_, given) => {
  expect(check(chatOf(given))).toBeNull();
});

test.each([
  ['a text that is no JSON', '{"city": "Bonn"', 'no JSON object'],
  ['a list', '["Bonn"]', 'no JSON object'],
  ['a text', '"Bonn"', 'no JSON object'],
  ['a missing field', '{"unit": "C"}', 'does not accept'],
  ['a field that there is not', '{"city": "Bonn", "town": "x"}', 'does not accept'],
  ['a value of another type', '{"city": "Bonn", "days": "3"}', 'does not accept'],
  ['a value that is not listed', '{"city": "Bonn", "unit": "K"}', 'does not accept'],
])('a call with %s is invalid, and nothing of it is repeated', (_, given, fault) => {
  const message = check(chatOf(given));

  expect(message).toContain(fault);
  expect(message).toContain('Call 1');
  expect(message).not.toContain('Bonn');
});

test('a call of a tool that the row does not declare is invalid', () => {
  expect(check(chatOf('{}', 'forecast'))).toContain('does not declare');
});

test('what cannot be checked is no fault: no tools, no schema, another dialect, too many rules', () => {
  const of = (parameters: unknown) => [{ type: 'function', function: { name: 'weather', parameters } }];

  expect(check(chatOf('{"any": 1}'), null)).toBeNull();
  expect(check(chatOf('{"any": 1}'), [])).toBeNull();
  expect(check(chatOf('{"any": 1}'), of(undefined))).toBeNull();
  expect(
    check(chatOf('{"any": 1}'), of({ type: 'dict', properties: { any: { type: 'float' } } })),
  ).toBeNull();
  expect(check(chatOf('{"any": 1}'), of({ $ref: '#/x' }))).toBeNull();
  expect(
    check(chatOf('{"any": 1}'), of({ type: 'object', properties: { any: { enum: Array(6000).fill('x') } } })),
  ).toBeNull();
  expect(check(JSON.stringify([{ role: 'user', content: 'Hi' }]), [WEATHER])).toBeNull();
  expect(check('no turns, tool_call', [WEATHER])).toBeNull();
});

test('each of parallel calls is checked, functions of the older form and of ShareGPT too', () => {
  const call = (given: string) => ({ type: 'function', function: { name: 'weather', arguments: given } });
  const parallel = chatOf('{"city": "Bonn"}', 'weather', {
    tool_calls: [call('{"city": "Rom"}'), call('{}')],
  });
  const older = [{ role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{}' } }];
  const shareGpt = [{ from: 'function_call', value: '{"name": "weather", "arguments": {"city": 7}}' }];

  expect(check(parallel)).toContain('Call 3');
  expect(check(JSON.stringify(older), [WEATHER.function])).toContain('does not accept');
  expect(check(JSON.stringify(shareGpt))).toContain('does not accept');
});

test('tools of the conversation itself count where the column of tools has none, row by row', () => {
  const callOf = (name: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: '{}' } }],
  });
  const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
  const row = (name: string) =>
    JSON.stringify({ messages: [{ role: 'user', content: 'Go.' }, callOf(name)], tools: [tool(name)] });
  const calls = createCallCheck();

  for (const cell of ['[]', ' ', null]) {
    expect(calls(row('one'), cell)).toBeNull();
    expect(calls(row('two'), cell)).toBeNull();
  }
});

test('a schema that nests deeper than it can be read is no fault, and wide arguments cost no more steps than they may', () => {
  const deep = `${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
  const deepTools = `[{"type":"function","function":{"name":"weather","parameters":${deep}}}]`;
  const toolOf = (parameters: object) => [{ type: 'function', function: { name: 'weather', parameters } }];
  const wide = toolOf({ anyOf: Array.from({ length: 500 }, () => ({ additionalProperties: false })) });
  const given = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n])));
  const elapsed = startStopwatch();

  expect(createCallCheck()(chatOf('{}'), deepTools)).toBeNull();
  expect(check(chatOf(given), wide)).toBeNull();
  // Every keyword of 500 looked at each of the 20,000 keys before: three seconds and more.
  expect(elapsed()).toBeLessThan(1500);
});

test('of many calls in one turn a thousand are held against schemas', () => {
  const calls = Array.from({ length: 1200 }, (_, n) => ({
    id: `${n}`,
    type: 'function',
    function: { name: 'weather', arguments: n < 1100 ? '{"city":"Bonn"}' : '{}' },
  }));
  const chat = JSON.stringify([
    { role: 'user', content: 'Warm?' },
    { role: 'assistant', content: null, tool_calls: calls },
  ]);

  expect(check(chat)).toBeNull();
});

test('a result is wrong whose id no call before it has, unless calls have none', () => {
  const stray = chatOf('{"city":"Bonn"}').replace('"tool_call_id":"a"', '"tool_call_id":"b"');

  expect(check(stray)).toBe('A result of the row names a call that is not before it');
  expect(check(stray.replace('"id":"a",', ''))).toBeNull();
});

test('a call is looked at in the parts of a turn as well', () => {
  const use = (input: object) =>
    JSON.stringify([
      { role: 'user', content: 'Warm?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'weather', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: '21' }] },
      { role: 'assistant', content: 'Yes.' },
    ]);

  expect(check(use({ city: 'Bonn' }))).toBeNull();
  expect(check(use({ town: 'Bonn' }))).toContain('the schema of the tool does not accept');
});
