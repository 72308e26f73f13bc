import { expect, test, vi } from 'vitest';
import { Conversation } from '#shared/responses/decide/conversation.ts';
import type { InputItem } from '#shared/responses/schema/response-request.ts';

const call = (text: string, status: 'completed' | 'incomplete'): InputItem =>
  ({
    type: 'function_call',
    id: `fc_${text.length}`,
    call_id: 'call_0',
    name: 'weather',
    arguments: text,
    status,
  }) as InputItem;
const output = (text: string): InputItem =>
  ({ type: 'function_call_output', call_id: 'call_0', output: text }) as InputItem;
const said = (text: string): InputItem => ({ type: 'message', role: 'user', content: text }) as InputItem;

const kinds = (items: readonly InputItem[]): string[] =>
  new Conversation(items).toTurn((_, name) => name, 8000).map(({ type }) => type);

test('a conversation whose provider uses the id of a call again keeps the first call and its output where a later one breaks off', () => {
  const answered = [said('Today?'), call('{"day":0}', 'completed'), output('Sun'), said('Tomorrow?')];

  const brokenOff = [...answered, call('{"day":', 'incomplete'), said('Go on.')];
  const sentAllTheSame = [...answered, call('{"day":', 'incomplete'), output(''), said('Go on.')];
  const whole = [...answered, call('{"day":1}', 'completed'), output('Rain')];

  const kept = ['message', 'tool_call', 'tool_result', 'message'];
  expect(kinds(brokenOff)).toEqual([...kept, 'message']);
  expect(kinds(sentAllTheSame)).toEqual([...kept, 'message']);
  expect(kinds(whole)).toEqual([...kept, 'tool_call', 'tool_result']);
});

test('a call that broke off takes no output of a call before it for its own', () => {
  const items = [
    call('{"day":0}', 'completed'),
    output('Sun'),
    call('{"day":1}', 'incomplete'),
    said('Go on.'),
  ];

  expect(kinds(items)).toEqual(['tool_call', 'tool_result', 'message']);
});

test('the arguments of a call are read once, however many outputs it has', () => {
  const text = JSON.stringify({ days: 'x'.repeat(1000) });
  const outputs = Array.from({ length: 500 }, () => output(''));
  const parse = vi.spyOn(JSON, 'parse');

  const told = kinds([call(text, 'incomplete'), ...outputs]);
  const read = parse.mock.calls.filter(([given]) => given === text).length;
  parse.mockRestore();

  expect(told).toHaveLength(501);
  expect(read).toBeLessThanOrEqual(3);
});
