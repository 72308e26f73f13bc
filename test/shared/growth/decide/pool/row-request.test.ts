import { describe, expect, test } from 'vitest';
import { DEDUPLICATION_ROWS_MAX } from '#shared/answers/decide/deduplication/duplicate-index.ts';
import { AugmentRunRequest, promptsOf } from '#shared/growth/decide/pool/augment-request.ts';
import { readRow, shapeOf } from '#shared/growth/decide/pool/row-request.ts';
import { AUGMENTATION_PROMPTS_MAX } from '#shared/growth/launch-augmentation.ts';

const requestWith = (fields: object): AugmentRunRequest =>
  AugmentRunRequest.parse({
    source: { dataset_id: 'd', run_id: null },
    mapping: { prompt: 'q', completion: 'a', context: [] },
    asks: ['q'],
    training_type: 'instruction_dataset',
    domain_rows: 0,
    general_rows: 0,
    similar_rows: 0,
    written_general_rows: 0,
    budget: { tokens: 1, minutes: 1, unbilled_tokens: 1 },
    ...fields,
  });
const user = (content: string) => ({ role: 'user', content });
const reply = { role: 'assistant', content: 'Yes.' };
const TALK = [user('What is rye?'), reply, user('And wheat?')];
const CHAT = { mapping: { chat: 'q', context: [] } };
const PAIRS = { mapping: { prompt: 'q', chosen: 'a', rejected: 'b', context: [] } };

describe('prompts', () => {
  test.each([
    ['a text', {}, { q: 'What is rye?', a: 'Yes.' }, 1],
    ['a conversation', CHAT, { q: [...TALK, reply] }, 2],
    ['turns before an answer', { conversations: ['q'] }, { q: TALK, a: 'Yes.' }, 2],
    ['an answer with its turns', { conversations: ['a'] }, { q: 'And wheat?', a: [...TALK, reply] }, 2],
    ['a pair with its turns', { ...PAIRS, conversations: ['a', 'b'] }, { q: '', a: [...TALK, reply] }, 2],
    ['a text behind its history', { history: 'h' }, { q: 'And wheat?', h: [['What is rye?', 'Yes.']] }, 2],
    [
      'a conversation beside a column of that name',
      { ...CHAT, history: 'h' },
      { q: [...TALK, reply], h: [['Hello', 'Hi']] },
      2,
    ],
    [
      'an improved and an original text',
      { asks: ['q', 'original'] },
      { q: 'What is rye made of?', original: 'rye?', a: 'Yes.' },
      2,
    ],
    [
      'an improved and an original conversation',
      { asks: ['q', 'original'], conversations: ['q', 'original'] },
      { q: TALK, original: TALK, a: 'Yes.' },
      4,
    ],
  ])('the prompts that a row is known by are counted by the columns of %s', (_, fields, row, count) => {
    const request = requestWith(fields);

    expect(readRow(JSON.stringify(row), request).requests).toHaveLength(count);
    expect(promptsOf(request, 1)).toBe(count);
  });

  test('the prompts of a run are those of the source and of the rows that are added', () => {
    expect(promptsOf(requestWith({ ...CHAT, domain_rows: 3, similar_rows: 4 }), 10)).toBe(27);
  });

  test('an augmentation is taken for no more prompts than one index takes', () => {
    expect(AUGMENTATION_PROMPTS_MAX).toBeLessThanOrEqual(DEDUPLICATION_ROWS_MAX);
  });
});

describe('a row', () => {
  const read = (row: object, fields: object = {}) =>
    readRow(JSON.stringify(row), requestWith({ system: 's', history: 'h', ...fields }));

  test('a row is read with the system message and the turns that have columns of their own', () => {
    const { requests } = read({ s: ' Be brief. ', h: [['What is rye?', 'Yes.']], q: 'And wheat?', a: 'No.' });

    const system = 'Be brief.';
    expect(requests).toEqual([
      { system, earlier: [{ user: 'What is rye?', assistant: 'Yes.' }], prompt: 'And wheat?', context: '' },
      { system, earlier: [], prompt: 'What is rye?', context: '' },
    ]);
  });

  test('a row is read with the system message of its conversation before that of a column', () => {
    const own = [{ role: 'system', content: 'Be kind.' }, user('What is rye?'), reply];

    expect(read({ s: 'Be brief.', q: own }, CHAT).requests).toMatchObject([{ system: 'Be kind.' }]);
    expect(read({ s: 'Be brief.', q: own.slice(1) }, CHAT).requests).toMatchObject([{ system: 'Be brief.' }]);
  });

  test('a row is read with its history where the answer repeats the prompt alone', () => {
    const row = { h: [['What is rye?', 'Yes.']], q: 'And wheat?', a: [user('And wheat?'), reply] };

    expect(read(row, { conversations: ['a'] }).requests[0]).toMatchObject({
      earlier: [{ user: 'What is rye?', assistant: 'Yes.' }],
      prompt: 'And wheat?',
    });
  });

  test('a row asks nothing where only its history does', () => {
    expect(read({ s: 'Be brief.', h: [['What is rye?', 'Yes.']], q: ' ', a: 'No.' }).requests).toEqual([]);
  });
});

test('the shape of rows tells by those with an answer whether answers repeat the prompt', () => {
  const row = { system: 'Be kind.', earlier: [], prompt: 'Rye?', context: '' };
  const open = { ...row, completion: '', holds_request: false };
  const answered = { ...row, completion: 'Yes.', holds_request: true };

  expect(shapeOf([open, open, answered])).toMatchObject({ system: 'Be kind.', holdsRequest: true });
});
