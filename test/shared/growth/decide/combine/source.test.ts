import { expect, test } from 'vitest';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import { combineSource } from '#shared/growth/decide/combine/source.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

test.each<[string, ColumnMapping, string[]]>([
  ['prompts', { prompt: 'question', completion: 'answer', context: ['page'] }, ['page']],
  ['one instruction for all rows', { universal_prompt: 'Sum up.', context: ['page'] }, []],
])('the context of %s is a column of training unless the prompts contain it', (_, mapping, context) => {
  const dataset = makeDataset(makeCaller());
  const columns = ['question', 'answer', 'page'].map((name) => ({ name, type: 'VARCHAR' }));

  const source = combineSource(dataset, columns, specificationOf({}, mapping, dataset, 'adapt'));

  expect(source.context).toEqual(context);
  expect(source.columns.map(({ name }) => name)).toContain('page');
});

test('rows about which a model was asked keep their doubts in a merge', () => {
  const dataset = makeDataset(makeCaller());
  const mapping: ColumnMapping = { prompt: 'question', completion: 'answer', context: [] };
  const columns = ['question', 'answer'].map((name) => ({ name, type: 'VARCHAR' }));
  const request = { recipe_specification: { recipes: { verification: 'flag' as const } } };

  const source = combineSource(dataset, columns, specificationOf(request, mapping, dataset, 'adapt'));

  expect(source.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['doubt', 'doubt_reasons']));
});

test('a dataset that no run has adapted gives a merge the column of its conversations', () => {
  const dataset = makeDataset(makeCaller(), { configured_column_mapping: { chat: 'talk', context: [] } });

  const { roles, training_type } = combineSource(dataset, [{ name: 'talk', type: 'VARCHAR' }], null);

  expect({ roles, training_type }).toEqual({ roles: { chat: 'talk' }, training_type: 'instruction_dataset' });
});
