import { expect, test } from 'vitest';
import { createCallWitness } from '#shared/adaptation/decide/call-witness.ts';

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];
const call = (given: string) => [
  { role: 'user', content: 'Warm?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: given } }],
  },
];
const see = (row: object, chat: string | undefined = 'chat') => createCallWitness(chat)(JSON.stringify(row));

test('the witness of calls finds those that the tools of their row do not take', () => {
  expect(see({ chat: call('{"town":"Bonn"}'), tools: TOOLS })).toEqual({
    witness: 'program',
    says: 'wrong',
    kind: 'call_invalid',
    reason: 'Call 1 of the row has arguments that the schema of the tool does not accept.',
  });
  expect(see({ chat: call('{"city":"Bonn'), tools: TOOLS })).toMatchObject({ says: 'wrong' });
  // The older form, in cells that are texts.
  const older = {
    chat: JSON.stringify(call('{}')),
    functions: JSON.stringify(TOOLS.map((tool) => tool.function)),
  };
  expect(see(older)).toMatchObject({ kind: 'call_invalid' });
  expect(see({ ...older, tools: 'hammer and saw' })).toMatchObject({ kind: 'call_invalid' });
});

test('the witness of calls says nothing of calls that are right, or that cannot be checked', () => {
  expect(see({ chat: call('{"city":"Bonn"}'), tools: TOOLS })).toBeNull();
  expect(see({ chat: call('{"town":"Bonn"}') })).toBeNull();
});

test('the witness of calls has not looked at a row without calls, or without a conversation', () => {
  expect(see({ chat: [{ role: 'user', content: 'Hi' }], tools: TOOLS })).toBeUndefined();
  expect(see({ note: call('{}') })).toBeUndefined();
  expect(see({ chat: call('{}') }, 'other')).toBeUndefined();
  expect(createCallWitness(undefined)(JSON.stringify({ chat: call('{}'), tools: TOOLS }))).toBeUndefined();
});
