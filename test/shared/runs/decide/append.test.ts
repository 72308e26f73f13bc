import { expect, test } from 'vitest';
import { landedRows } from '#shared/runs/decide/append.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

const run = { run_id: 'r', pipeline: 'append', user_id: 'u' } as Parameters<typeof landedRows>[2];
const rows = { row_count: 2, columns: [], manifest_key: 'm', warnings: [], image_column_formats: null };

test.each([
  ['the mapping, where its rows do not tell it', { image: 'pic' }, null, { pic: 'url' }],
  ['its rows, where they tell it', { image: 'pic' }, { pic: 'file_reference' }, { pic: 'file_reference' }],
  ['nothing, where it is mapped no longer', {}, null, null],
] as const)('the format of an image column after an append is that of %s', (_, image, told, expected) => {
  const dataset = makeDataset(makeCaller(), {
    processing_mode: 'adapt',
    configured_column_mapping: { prompt: 'q', completion: 'a', context: ['pic'], ...image },
    image_column_formats: { pic: 'url' },
  });

  const { fields } = landedRows(dataset, null, run, { ...rows, image_column_formats: told }, 'now');

  expect(fields.image_column_formats).toEqual(expected);
});
