import { expect, test } from 'vitest';
import type { TurnItem } from '#shared/models/decide/turn.ts';
import { countItemTokens, keepRecent } from '#shared/responses/decide/count-tokens.ts';

const said = (role: 'system' | 'user' | 'assistant', text: string): TurnItem => ({
  type: 'message',
  role,
  content: [{ type: 'text', text }],
});
const call = (callId: string): TurnItem => ({ type: 'tool_call', callId, name: 'look', arguments: '{}' });
const result = (callId: string, output: string): TurnItem => ({ type: 'tool_result', callId, output });
const long = (marker: string): string => `${marker} ${'x'.repeat(4000)}`;
const tokens = (items: readonly TurnItem[]): number =>
  items.reduce((sum, item) => sum + countItemTokens(item), 0);

test.each([
  ['that begins with an answer', [said('assistant', 'Your number?'), said('user', '4711')]],
  ['without a question', [said('system', 'Sum up.'), call('1'), result('1', '42')]],
])('a conversation %s stays whole where it fits', (_, items) => {
  expect(keepRecent(items, tokens(items))).toEqual(items);
});

test('a question stays with the newest result that it led to, however long that is', () => {
  const items = [
    said('user', 'Find it.'),
    call('1'),
    result('1', long('old')),
    call('2'),
    result('2', long('new')),
  ];

  expect(keepRecent(items, 500)).toEqual([items[0], items[3], items[4]]);
  expect(keepRecent(items, tokens(items) - 1)).toEqual([items[0], items[3], items[4]]);
});

test('calls without a question keep the newest ones that fit, each with its result', () => {
  const items = [call('1'), result('1', long('a')), call('2'), call('3'), result('2', 'b'), result('3', 'c')];

  expect(keepRecent(items, 100)).toEqual(items.slice(2));
});

test('a result whose call was said before a question that is gone goes too', () => {
  const items = [said('user', long('old')), call('1'), said('user', 'And now?'), result('1', 'late')];

  expect(keepRecent(items, 100)).toEqual([items[2]]);
});

test('images of a result are no question', () => {
  const images: TurnItem = { type: 'message', role: 'user', content: [{ type: 'image', url: 'data:,' }] };
  const items = [
    said('user', 'Look.'),
    call('1'),
    result('1', long('old')),
    images,
    call('2'),
    result('2', 'b'),
  ];

  expect(keepRecent(items, 900)).toEqual([items[0], images, items[4], items[5]]);
});

test('an answer goes with the question that it belongs to', () => {
  const items = [
    said('system', 'Stay.'),
    said('user', long('old')),
    said('assistant', 'Yes.'),
    said('user', 'Now?'),
  ];

  expect(keepRecent(items, 100)).toEqual([items[0], items[3]]);
});
