import { expect, test } from 'vitest';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import { formColumns } from '#shared/exports/decide/form-columns.ts';
import { reconcile } from '#shared/growth/decide/combine/reconcile.ts';
import { type CombineSource, combineSource } from '#shared/growth/decide/combine/source.ts';
import { requireTexts } from '#shared/growth/decide/source.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { findColumns } from '#shared/training/decide/columns.ts';
import { readExample } from '#shared/training/decide/example.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

const CELLS = new Map<string, string | null>([
  ['history', '[["My flight was cancelled.","I am sorry to hear that."]]'],
  ['tools', '[{"type":"function","function":{"name":"refund","parameters":{"type":"object"}}}]'],
  ['summary', 'A cancelled flight.'],
]);
const COLUMNS = [
  { name: 'history', type: 'JSON' },
  { name: 'tools', type: 'JSON' },
  { name: 'summary', type: 'VARCHAR' },
];
const datasetOf = (columns: typeof COLUMNS, mapping: ConfiguredColumnMapping) =>
  makeDataset(makeCaller(), { columns, configured_column_mapping: mapping });

/** A dataset that was adapted by one instruction for all rows, whose context is what is read by its name elsewhere. */
function instructed() {
  const mapping = { universal_prompt: 'Sum up.', completion: 'summary', context: ['history', 'tools'] };
  const dataset = datasetOf(COLUMNS, mapping);
  const specification = specificationOf({}, mapping, dataset, 'adapt');
  return { dataset, specification, shape: combineSource(dataset, COLUMNS, specification) };
}

/** The dataset that is made of its download. */
function made(shape: CombineSource, mapping = requireTexts(shape).mapping) {
  const columns = shape.columns.map(({ name, type }) => ({ name, type }));
  const dataset = datasetOf(columns, mapping);
  return { dataset, columns, shape: combineSource(dataset, columns, null) };
}

test('an example of an instruction for all rows has its history and its tools in the prompt, and not once more before it', () => {
  const { dataset, specification, shape } = instructed();
  const { prompt, completion } = materialReader(specification).original(CELLS);
  const columns = findColumns({ dataset, shape });
  if (columns === null) throw new Error('The dataset has no examples.');

  const example = readExample(
    columns,
    new Map([...CELLS, ['enhanced_prompt', prompt], ['enhanced_completion', completion]]),
    0,
  );

  expect(example).toMatchObject({
    messages: [{ role: 'user', content: expect.stringContaining('history: ') }],
  });
  expect(example).not.toHaveProperty('tools');
});

test('columns that the prompts contain are read by trainings, downloads and adaptations of datasets that are made of it as any', () => {
  const { shape } = instructed();
  const merged = reconcile([shape, shape]).mapping;

  for (const mapping of [requireTexts(shape).mapping, merged]) {
    expect(mapping.folded).toEqual(['history', 'tools']);
    const { dataset, columns, shape: again } = made(shape, mapping);
    expect(again.before).toBeUndefined();
    expect(findColumns({ dataset, shape: again })).not.toMatchObject({ history: 'history' });
    expect(findColumns({ dataset, shape: again })).not.toMatchObject({ tools: 'tools' });
    expect(formColumns(dataset, columns, null)).toMatchObject({ history: null, tools: null });
    const asked = { prompt: 'enhanced_prompt', completion: 'enhanced_completion' };
    const adapted = specificationOf({}, asked, dataset, 'adapt');
    expect(adapted.before).toBeUndefined();
    const third = made(combineSource(dataset, columns, adapted));
    expect(findColumns({ dataset: third.dataset, shape: third.shape })).not.toMatchObject({
      history: 'history',
    });
  }
});

test('a merge gives columns that the prompts of one source contain another name where another source is read by them', () => {
  const columns = [
    ...COLUMNS.slice(0, 2),
    { name: 'question', type: 'VARCHAR' },
    { name: 'answer', type: 'VARCHAR' },
  ];
  const mapping = { prompt: 'question', completion: 'answer', context: [] };
  const asked = combineSource(datasetOf(columns, mapping), columns, null);

  const { sources, mapping: merged } = reconcile([instructed().shape, asked]);

  const names = sources.map((own) => own.map(({ name }) => name));
  expect(names[0]).toEqual(expect.arrayContaining(['original_history', 'original_tools']));
  expect(names[1]).toEqual(expect.arrayContaining(['history', 'tools']));
  expect(merged.folded).toBeUndefined();
});
