import { expect, it } from 'vitest';
import {
  ROW_TEXT_CHARACTERS_MAX,
  rowText,
  textColumns,
} from '#shared/responses/decide/retrieval/row-text.ts';

const columns = (...names: string[]) => names.map((name) => ({ name, type: 'VARCHAR' }));
const dataset = { configured_column_mapping: null, image_column_formats: null };

it('the columns of a row’s text are prompt, answer and context, in that order, without images and repetitions', () => {
  const shape = {
    columns: columns('source', 'enhanced_completion', 'picture', 'enhanced_prompt', 'notes'),
    roles: { prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
    context: ['picture', 'source', 'enhanced_prompt'],
  };
  expect(textColumns(shape, { ...dataset, image_column_formats: { picture: 'url' } })).toEqual([
    'enhanced_prompt',
    'enhanced_completion',
    'source',
  ]);
});

it('the columns of a row’s text are the conversation, or the better answer, where there is no prompt or completion', () => {
  const shape = { columns: columns('talk', 'chosen', 'x'), roles: { chosen: 'chosen' }, context: [] };
  const mapping = { chat: 'talk', context: [] };
  expect(textColumns(shape, { ...dataset, configured_column_mapping: mapping })).toEqual(['talk', 'chosen']);
});

it('the columns of a row’s text are all where the dataset does not say which they are', () => {
  expect(textColumns({ columns: columns('a', 'b'), roles: {}, context: [] }, dataset)).toEqual(['a', 'b']);
});

it('the text of a row joins what its columns hold, and keeps the digits of numbers', () => {
  expect(rowText('{"a":" one ","b":null,"c":12345678901234567890}', ['a', 'b', 'c', 'd'])).toBe(
    'one\n\n12345678901234567890',
  );
});

it('the text of a row says who says what in a conversation, and leaves other brackets alone', () => {
  const turns = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    { role: 'user', content: '' },
  ];
  const cells = [JSON.stringify(turns), JSON.stringify({ messages: turns, tools: [] })];
  for (const a of cells) {
    expect(rowText(JSON.stringify({ a }), ['a'])).toBe('user: Hi\nassistant: Hello');
  }
  expect(rowText('{"a":"[sic] text"}', ['a'])).toBe('[sic] text');
});

it('the text of a row is empty where there is none', () => {
  expect(rowText('{"a":"  "}', ['a', 'b'])).toBe('');
});

it('the text of a row is bounded, and never ends in half a character', () => {
  const text = rowText(JSON.stringify({ a: `${'x'.repeat(ROW_TEXT_CHARACTERS_MAX - 1)}🙂🙂` }), ['a']);
  expect(text).toBe('x'.repeat(ROW_TEXT_CHARACTERS_MAX - 1));
});
