import { expect, test } from 'vitest';
import { combineSource } from '#shared/growth/decide/combine/source.ts';
import { requireGrowable, requireTexts, withMapping } from '#shared/growth/decide/source.ts';
import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

/** Columns of thirty characters each, which together are far longer than an error may be. */
const names = Array.from({ length: 2000 }, (_, n) => `column ${n} `.padEnd(30, 'x'));
const refusalOf = (act: () => unknown): ServiceError => {
  try {
    act();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('Nothing was refused.');
};

test('a source without a prompt names its first columns, and counts the others', () => {
  const { message } = refusalOf(() =>
    requireTexts({
      columns: names.map((name) => ({ name, type: 'VARCHAR' })),
      roles: {},
      context: [],
    } as never),
  );

  expect(message).toContain(`"${names[0]}"`);
  expect(message).toMatch(/ and \d+ more\./);
  expect(message.length).toBeLessThan(5000);
});

test('a source with images in many columns names the first of them, in the message and in the details', () => {
  const image_column_formats = Object.fromEntries(names.map((name) => [name, 'file_reference' as const]));
  const dataset = makeDataset(makeCaller(), { state: 'succeeded', row_count: 3, image_column_formats });

  const { code, message, details } = refusalOf(() => requireGrowable(dataset));

  expect(code).toBe('images_unsupported');
  expect(message.length).toBeLessThan(5000);
  expect(details.length).toBeLessThanOrEqual(100);
});

const text = (name: string): RowsColumn => ({ name, type: 'VARCHAR' });
const turns = (name: string): RowsColumn => ({
  name,
  type: 'JSON',
  profile: { is_empty: false, not_chat: null, image_format: null } as never,
});
const upload = (columns: RowsColumn[], configured_column_mapping: ConfiguredColumnMapping | null = null) =>
  makeDataset(makeCaller(), { columns, configured_column_mapping });
const pair = { prompt: 'prompt', chosen: 'chosen', rejected: 'rejected', context: [] };

test.each<[string, RowsColumn[], ConfiguredColumnMapping]>([
  ['a prompt and a pair', ['prompt', 'chosen', 'rejected'].map(text), pair],
  ['whole conversations in a pair', [turns('chosen'), turns('rejected')], { ...pair, prompt: 'chosen' }],
  [
    'a prompt and a completion',
    ['prompt', 'completion'].map(text),
    { prompt: 'prompt', completion: 'completion', context: [] },
  ],
  [
    'a prompt and its completion of turns, with turns before',
    [turns('prompt'), turns('completion'), text('history')],
    { prompt: 'prompt', completion: 'completion', context: [] },
  ],
  [
    'an instruction about an input',
    ['instruction', 'input', 'output'].map(text),
    { prompt: 'instruction', completion: 'output', context: ['input'] },
  ],
  ['conversations', [turns('messages'), text('system')], { chat: 'messages', context: [] }],
  ['a chat beside a title', [text('chat'), text('title')], { chat: 'chat', context: [] }],
  ['prompts alone', [text('prompt'), text('id')], { prompt: 'prompt', context: [] }],
  ['prompts of turns alone', [turns('prompt')], { prompt: 'prompt', context: [] }],
])('a source with %s is the same whether its mapping was sent or is found', (_, columns, mapping) => {
  const found = withMapping(upload(columns));
  const sent = upload(columns, mapping);

  expect(combineSource(found, columns, null)).toEqual({
    ...combineSource(sent, columns, null),
    dataset_id: found.dataset_id,
  });
  expect(found.configured_column_mapping).toEqual(mapping);
});

test.each<[string, RowsColumn[]]>([
  ['prompts whose answers are called otherwise', ['prompt', 'answer'].map(text)],
  ['completions whose questions are called otherwise', ['question', 'completion'].map(text)],
  ['prompts with half a pair', ['prompt', 'chosen'].map(text)],
  ['a pair without prompts', ['chosen', 'rejected'].map(text)],
  ['prompts and answers of other names', ['question', 'answer'].map(text)],
])('a source with %s is refused without a mapping, and keeps that which was sent', (_, columns) => {
  const { message } = refusalOf(() =>
    requireTexts(combineSource(withMapping(upload(columns)), columns, null)),
  );
  expect(message).toContain(columns.map(({ name }) => JSON.stringify(name)).join(', '));

  const mapping = { prompt: columns[0]?.name ?? '', context: [] };
  expect(withMapping(upload(columns, mapping)).configured_column_mapping).toEqual(mapping);
});

test('a source with context and no texts in its mapping keeps that context beside the texts that are found', () => {
  const columns = ['prompt', 'completion', 'topic'].map(text);
  const mapping = { universal_prompt: 'Explain.', context: ['prompt', 'topic'] };

  expect(withMapping(upload(columns, mapping)).configured_column_mapping).toEqual({
    prompt: 'prompt',
    completion: 'completion',
    context: ['topic'],
  });
});
