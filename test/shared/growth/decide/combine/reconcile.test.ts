import { describe, expect, test } from 'vitest';
import { requireTrainable } from '#shared/datasets/decide/trainable.ts';
import { mergeIssues } from '#shared/growth/decide/combine/issues.ts';
import { reconcile } from '#shared/growth/decide/combine/reconcile.ts';
import type { CombineSource } from '#shared/growth/decide/combine/source.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

function source(
  id: string,
  types: Record<string, string>,
  fields: Partial<CombineSource> = {},
): CombineSource {
  return {
    dataset_id: id,
    columns: Object.entries(types).map(([name, type]) => ({ name, type, source: name })),
    roles: { prompt: 'q', completion: 'a' },
    context: [],
    image: null,
    training_type: 'instruction_dataset',
    conversations: [],
    is_multimodal: false,
    file_columns: [],
    ...fields,
  };
}

const text = { q: 'VARCHAR', a: 'VARCHAR' };
const names = (columns: readonly { readonly name: string }[] | undefined) => columns?.map(({ name }) => name);

test('columns are the union, in the order of the sources, and each source keeps its own', () => {
  const merge = reconcile([source('1', { ...text, x: 'BIGINT' }), source('2', { y: 'BOOLEAN', ...text })]);

  expect(names(merge.columns)).toEqual(['q', 'a', 'x', 'y']);
  expect(names(merge.sources[0])).toEqual(['q', 'a', 'x']);
  expect(names(merge.sources[1])).toEqual(['y', 'q', 'a']);
  expect(merge.casts).toEqual([]);
});

test('columns of one name and several types are cast, and only where a cell changes it is written anew', async () => {
  const merge = reconcile([source('1', { ...text, x: 'BIGINT' }), source('2', { ...text, x: 'VARCHAR' })]);

  expect(merge.casts).toEqual([
    {
      column: 'x',
      types: [
        { dataset_id: '1', type: 'BIGINT' },
        { dataset_id: '2', type: 'VARCHAR' },
      ],
      cast_to: 'VARCHAR',
    },
  ]);
  const convert = merge.sources[0]?.[2]?.convert;
  expect(await convert?.('12345678901234567890')).toBe('"12345678901234567890"');
  expect(await convert?.(null)).toBe('null');
  expect(merge.sources[1]?.[2]?.convert).toBeUndefined();
});

test('the mapping is that of the sources where they agree, with the context that they share', () => {
  const fields = { context: ['x'] };
  const types = { ...text, x: 'VARCHAR' };

  expect(reconcile([source('1', types, fields), source('2', types, fields)]).mapping).toEqual({
    prompt: 'q',
    completion: 'a',
    context: ['x'],
  });
  expect(reconcile([source('1', types, fields), source('2', types)]).mapping.context).toEqual([]);
  expect(reconcile([source('1', types, fields), source('2', text)]).mapping.context).toEqual(['x']);
});

test('a merge whose answers are in conversations says that it does not learn the steps that an adaptation has written', () => {
  const types = { enhanced_prompt: 'VARCHAR', enhanced_completion: 'VARCHAR', reasoning_trace: 'VARCHAR' };
  const roles = { prompt: 'enhanced_prompt', completion: 'enhanced_completion' };
  const adapted = source('adapted', types, { roles });
  const chat = source('chat', { m: 'VARCHAR' }, { roles: { chat: 'm' }, conversations: ['m'] });
  const lost = (...sources: CombineSource[]) =>
    mergeIssues(sources, [], reconcile(sources)).filter(({ message }) => message.includes('reasoning_trace'));

  expect(lost(adapted, chat)).toMatchObject([
    { level: 'warning', code: 'incompatible_column_types', dataset_ids: ['adapted'] },
  ]);
  expect(lost(adapted, source('texts', text))).toEqual([]);
  expect(lost(source('other', types, { roles, context: ['reasoning_trace'] }), chat)).toEqual([]);
  expect(lost(source('uploaded', { ...text, reasoning_trace: 'VARCHAR' }), chat)).toEqual([]);
});

test('the mapping has the image column of any source, so that rows that rest on images are not trained on', () => {
  const types = { ...text, photo: 'VARCHAR' };
  const sources = [source('1', types), source('2', types, { image: 'photo' })];

  const { mapping } = reconcile(sources);

  expect(mapping.image).toBe('photo');
  expect(() => requireTrainable({ state: 'succeeded', configured_column_mapping: mapping })).toThrow('image');
});

test('the mapping has one column for images that sources call differently, which are context there as before', () => {
  const types = { ...text, image: 'BIGINT' };
  const sources = [
    source('1', { ...types, img: 'VARCHAR' }, { image: 'img', context: ['img'], is_multimodal: true }),
    source('2', { ...text, photo: 'VARCHAR' }, { image: 'photo', context: ['photo'], is_multimodal: true }),
    source('3', { ...text, image: 'VARCHAR' }, { image: 'image', context: ['image'], is_multimodal: true }),
  ];

  const merge = reconcile(sources);

  expect(merge.mapping).toEqual({ prompt: 'q', completion: 'a', image: 'image', context: ['image'] });
  expect(merge.sources.map((columns) => columns.find(({ name }) => name === 'image')?.source)).toEqual([
    'img',
    'photo',
    'image',
  ]);
  expect(merge.sources[0]?.find(({ source }) => source === 'image')?.name).toBe('original_image');
  expect(names(merge.columns)).toEqual(['q', 'a', 'original_image', 'image']);
  expect(mergeIssues(sources, [], merge)).toEqual([]);
});

test('the mapping has one name for columns that sources call differently, which stay beside it', () => {
  const other = source('2', { ask: 'VARCHAR', a: 'VARCHAR' }, { roles: { prompt: 'ask', completion: 'a' } });

  const { mapping, sources } = reconcile([source('1', text), other]);

  expect(mapping).toEqual({ prompt: 'enhanced_prompt', completion: 'a', context: [] });
  expect(sources[0]?.at(-1)).toMatchObject({ name: 'enhanced_prompt', source: 'q' });
  expect(sources[1]?.at(-1)).toMatchObject({ name: 'enhanced_prompt', source: 'ask' });
});

test('the mapping keeps the conversations of sources that all have some, under one name', () => {
  const talks = (id: string, chat: string) =>
    source(id, { [chat]: 'VARCHAR' }, { roles: { chat }, conversations: [chat] });

  expect(reconcile([talks('1', 'talk'), talks('2', 'talk')]).mapping).toEqual({ chat: 'talk', context: [] });
  const { mapping, sources } = reconcile([talks('1', 'talk'), talks('2', 'dialogue')]);
  expect(mapping).toEqual({ chat: 'chat', context: [] });
  expect(sources[1]?.at(-1)).toMatchObject({ name: 'chat', source: 'dialogue' });
  const mixed = reconcile([talks('1', 'talk'), source('2', text)]);
  expect(mixed.mapping).toEqual({ chat: 'talk', context: [] });
  expect(mixed.conversations).toEqual([{ column: 'talk', dataset_ids: ['2'] }]);
  const prompts = source('3', { p: 'VARCHAR' }, { roles: { prompt: 'p' } });
  const asked = reconcile([talks('1', 'talk'), prompts]);
  expect(asked.mapping).toEqual({ chat: 'talk', context: [] });
  expect(asked.absent).toEqual([{ column: 'talk', role: 'completion', dataset_ids: ['3'] }]);
});

test('the mapping keeps the answers of some sources, and a column of that name elsewhere is not taken for answers', () => {
  const prompts = source('1', text, { roles: { prompt: 'q' } });
  const answered = source('2', text);

  const merge = reconcile([prompts, answered]);

  expect(merge.mapping).toEqual({ prompt: 'q', completion: 'a', context: [] });
  expect(names(merge.sources[0])).toEqual(['q', 'original_a']);
  expect(names(merge.sources[1])).toEqual(['q', 'a']);
  expect(mergeIssues([prompts, answered], [], merge)).toMatchObject([
    { code: 'incompatible_column_types', level: 'warning', dataset_ids: ['1'] },
  ]);
  expect(mergeIssues([prompts, answered], [], merge)[0]?.message).toMatch(/1 is mapped as completion.*"a"/);
});

test('the mapping keeps answers that are conversations beside sources without answers', () => {
  const turns = source('1', text, { conversations: ['a'] });

  const merge = reconcile([turns, source('2', { q: 'VARCHAR' }, { roles: { prompt: 'q' } })]);

  expect(merge.mapping).toEqual({ prompt: 'q', completion: 'a', context: [] });
  expect(names(merge.sources[1])).toEqual(['q']);
  expect(merge.conversations).toEqual([]);
});

test('the mapping does not take an unrelated column of the shared name for the training’s', () => {
  const types = { ask: 'VARCHAR', a: 'VARCHAR', enhanced_prompt: 'VARCHAR' };
  const other = source('2', types, { roles: { prompt: 'ask', completion: 'a' } });

  const [, columns] = reconcile([source('1', text), other]).sources;

  expect(columns?.filter(({ name }) => name === 'enhanced_prompt')).toMatchObject([{ source: 'ask' }]);
  expect(columns?.find(({ name }) => name === 'original_enhanced_prompt')).toMatchObject({
    source: 'enhanced_prompt',
  });
});

describe('the training type', () => {
  const pairs = source(
    '3',
    { q: 'VARCHAR', good: 'VARCHAR', bad: 'VARCHAR' },
    {
      roles: { prompt: 'q', completion: 'good', chosen: 'good', rejected: 'bad' },
      training_type: 'preference_pairs',
    },
  );

  test('the training type is that of sources that agree', () => {
    const { trainingType, mapping } = reconcile([pairs, { ...pairs, dataset_id: '4' }]);

    expect(trainingType).toBe('preference_pairs');
    expect(mapping).toEqual({
      prompt: 'q',
      completion: 'good',
      chosen: 'good',
      rejected: 'bad',
      context: [],
    });
  });

  test('the training type of instructions and pairs is that of instructions, for which the better answer is the answer', () => {
    const { trainingType, mapping, sources } = reconcile([source('1', text), pairs]);

    expect(trainingType).toBe('instruction_dataset');
    expect(mapping).toEqual({ prompt: 'q', completion: 'enhanced_completion', context: [] });
    expect(sources[1]?.at(-1)).toMatchObject({ name: 'enhanced_completion', source: 'good' });
  });
});

test('the context of sources with thousands of columns is found in a moment', () => {
  const many = Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`c${n}`, 'VARCHAR']));
  const context = Object.keys(many);
  const sources = Array.from({ length: 10 }, (_, n) => source(`${n}`, { ...text, ...many }, { context }));
  const elapsed = startStopwatch();

  expect(reconcile(sources).mapping?.context).toHaveLength(6000);
  expect(elapsed()).toBeLessThan(5000);
});
