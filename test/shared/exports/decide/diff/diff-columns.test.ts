import { expect, test } from 'vitest';
import { addedBy } from '#shared/adaptation/decide/added-columns.ts';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import { compareColumns } from '#shared/exports/decide/diff/diff-columns.ts';
import { adaptedColumns } from '#shared/tabular/decide/export-columns.ts';

const columns = ['question', 'answer', 'doubt'].map((name) => ({ name, type: 'VARCHAR' }));

test('a comparison shows the columns of a download, whatever a run adds', () => {
  const specification = specificationOf(
    { recipe_specification: { recipes: { reasoning_traces: true, verification: 'flag' } } },
    { prompt: 'question', completion: 'answer' },
    { columns: null, image_column_formats: null, language_expansion: null },
    'adapt',
  );
  const side = { columns, specification };

  const downloaded = adaptedColumns(specification.mapping, columns, addedBy(specification));
  const { names, to } = compareColumns({ columns, specification: null }, side);

  expect(names).toEqual(expect.arrayContaining(downloaded.map(({ name }) => name)));
  expect(names).toEqual(
    expect.arrayContaining(['original_doubt', 'doubt', 'doubt_reasons', 'reasoning_trace']),
  );
  const texts = to.sources.map((name) => `${name} of the source`);
  const read = to.read(texts, { doubt: 0.75, doubt_reasons: 'It differs.' });
  expect(read[names.indexOf('doubt')]).toBe('0.75');
  expect(read[names.indexOf('original_doubt')]).toBe('doubt of the source');
});
