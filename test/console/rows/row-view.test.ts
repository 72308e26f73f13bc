import { describe, expect, it } from 'vitest';
import { languageName, safetyOf, saidIn, turnsOf, viewRow } from '../../../console/src/rows/row-view.ts';

type Columns = Parameters<typeof viewRow>[0];

const cell = (column: string, text: string, truncated = false) => ({ column, text, truncated });

describe('viewRow', () => {
  const columns: Columns = [
    { name: 'question', side: 'before', role: 'prompt' },
    { name: 'answer', side: 'before', role: 'completion' },
    { name: 'topic', side: 'before', role: 'context' },
    { name: 'enhanced_prompt', side: 'after', role: 'prompt' },
    { name: 'enhanced_completion', side: 'after', role: 'completion' },
    { name: 'reasoning_trace', side: 'after', role: 'reasoning_trace' },
    { name: 'chosen', side: 'after', role: 'chosen' },
    { name: 'rejected', side: 'after', role: 'rejected' },
    { name: 'response_safety_issues', side: 'after', role: 'safety' },
    { name: 'answer', side: 'after', role: 'other' },
  ];

  it('viewRow puts columns with the same role before and after side by side, and sorts the others', () => {
    const view = viewRow(columns, {
      before: [cell('question', 'Q'), cell('answer', 'A', true), cell('topic', 'T')],
      after: [
        cell('enhanced_prompt', 'Q'),
        cell('enhanced_completion', 'A2'),
        cell('reasoning_trace', 'R'),
        cell('chosen', 'C'),
        cell('rejected', 'D'),
        cell('response_safety_issues', '{}'),
        cell('answer', 'written'),
      ],
    });
    expect(view).toEqual({
      prompt: { before: 'Q', after: 'Q', isCut: false },
      completion: { before: 'A', after: 'A2', isCut: true },
      trace: cell('reasoning_trace', 'R'),
      chosen: cell('chosen', 'C'),
      rejected: cell('rejected', 'D'),
      safety: [cell('response_safety_issues', '{}')],
      source: [cell('topic', 'T')],
      written: [cell('answer', 'written')],
    });
  });

  it('viewRow has no text after of a row that the run dropped', () => {
    const view = viewRow(columns, { before: [cell('question', 'Q')], after: null });
    expect(view.prompt).toEqual({ before: 'Q', after: null, isCut: false });
    expect(view.completion).toBeNull();
    expect(view.written).toEqual([]);
  });

  it('viewRow compares the last reply of a conversation', () => {
    const chat: Columns = [
      { name: 'messages', side: 'before', role: 'chat' },
      { name: 'enhanced_completion', side: 'after', role: 'completion' },
    ];
    const turns = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ];
    const after = [cell('enhanced_completion', 'Hello!')];
    const view = viewRow(chat, { before: [cell('messages', JSON.stringify(turns))], after });
    expect(view.prompt).toEqual({ before: '[{"role":"user","content":"Hi"}]', after: null, isCut: false });
    expect(view.completion).toEqual({ before: 'Hello', after: 'Hello!', isCut: false });
    expect(view.source).toEqual([]);
    const cut = viewRow(chat, { before: [cell('messages', '[{"role":"us', true)], after });
    expect(cut.completion).toEqual({ before: '[{"role":"us', after: 'Hello!', isCut: true });
  });
});

it.each(['', 'text', '{}', '[]', '[1]', '[{"role":1}]'])('turnsOf reads no turns in %j', (text) => {
  expect(turnsOf(text)).toBeNull();
});

it('turnsOf shows content that is no text as JSON', () => {
  expect(turnsOf('[{"role":"user","content":[{"type":"text"}]},{"role":"tool"}]')).toEqual([
    { role: 'user', text: '[{"type":"text"}]', calls: [] },
    { role: 'tool', text: '', calls: [] },
  ]);
});

it.each([
  [
    'of OpenAI',
    '[{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"sky","arguments":"{\\"city\\":\\"Oslo\\"}"}}]}]',
  ],
  [
    'of ShareGPT',
    '[{"from":"function_call","value":"{\\"name\\":\\"sky\\",\\"arguments\\":{\\"city\\":\\"Oslo\\"}}"}]',
  ],
])('turnsOf reads calls of tools %s as calls, and saidIn says them in a line', (_, text) => {
  const [turn] = turnsOf(text) ?? [];

  expect(turn).toEqual({
    role: 'assistant',
    text: '',
    calls: [{ name: 'sky', arguments: '{"city":"Oslo"}' }],
  });
  expect(turn === undefined ? '' : saidIn(turn)).toBe('calls sky({"city":"Oslo"})');
});

it('viewRow shows a last reply that is a call as the turn that it is', () => {
  const chat: Columns = [{ name: 'messages', side: 'before', role: 'chat' }];
  const turns = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', tool_calls: [{ name: 'sky' }] },
  ];

  const { completion } = viewRow(chat, { before: [cell('messages', JSON.stringify(turns))], after: null });
  expect(completion?.before).toBe(JSON.stringify(turns.slice(1)));
});

it('safetyOf reads scores, and why there are none', () => {
  expect(safetyOf('{"violence":0.67,"hate":0}')).toEqual({
    findings: [
      { category: 'violence', score: 0.67 },
      { category: 'hate', score: 0 },
    ],
    notScored: null,
  });
  expect(safetyOf('{"violence":null,"not_scored":"language"}')?.notScored).toBe('language');
  expect(safetyOf('{"violence":"<b>"}')).toBeNull();
  expect(safetyOf('not JSON')).toBeNull();
});

it('languageName names a language, and leaves a code that is none', () => {
  expect(languageName('de')).toBe('German');
  expect(languageName('<script>')).toBe('<script>');
});
