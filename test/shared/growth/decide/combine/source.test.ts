import { expect, test } from 'vitest';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import { combineSource } from '#shared/growth/decide/combine/source.ts';
import { asChat } from '#shared/growth/decide/combine/turns.ts';
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

const says = (role: string, content: string) => ({ role, content });
const ASKED = [says('user', 'Why?'), says('assistant', 'So.')];

test.each([
  ['that a run has written keeps both of two replies before its answer', ASKED, [...ASKED, 'Since.']],
  [
    'that no run has read ends with the reply that its answer is about',
    [...ASKED, says('assistant', 'Hm.')],
    [...ASKED, 'Since.'],
  ],
])('a merge makes a conversation of a prompt of turns %s', (_, asked, expected) => {
  const came = JSON.stringify([...ASKED, says('assistant', 'Hm.')]);
  const mapping: ColumnMapping = { prompt: 'turns', completion: 'answer', context: [] };
  const columns = ['turns', 'answer'].map((name) => ({ name, type: 'VARCHAR' }));
  const dataset = makeDataset(makeCaller());
  const specification = { ...specificationOf({}, mapping, dataset, 'adapt'), conversations: ['turns'] };

  const { composed } = asChat('chat', combineSource(dataset, columns, specification), 'JSON');

  const cells: Readonly<Record<string, string>> = {
    enhanced_prompt: JSON.stringify(asked),
    enhanced_completion: 'Since.',
    turns: came,
  };
  const texts = composed?.of.map(({ result, source }) => cells[result ?? source ?? ''] ?? null) ?? [];
  expect(JSON.parse(composed?.cell(texts) ?? '')).toEqual(
    expected.map((turn) => (typeof turn === 'string' ? says('assistant', turn) : turn)),
  );
});
