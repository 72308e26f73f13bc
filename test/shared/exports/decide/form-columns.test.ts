import { expect, test } from 'vitest';
import { formColumns } from '#shared/exports/decide/form-columns.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

const profile = { is_empty: false, not_chat: { row: 0, problem: 'is no list' }, image_format: null };
const mapped = makeDataset(makeCaller(), {
  configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] },
});

test('downloads for trainers read the columns beside a mapping as trainings do', () => {
  const columns = (changes: Partial<RowsColumn>): RowsColumn[] =>
    ['question', 'answer', 'history', 'tools', 'system'].map((name) => ({
      name,
      type: 'VARCHAR',
      ...changes,
    }));

  expect(formColumns(mapped, columns({ profile }), null)).toMatchObject({
    history: 'history',
    tools: 'tools',
    system: null,
  });
  expect(formColumns(mapped, columns({ profile: { ...profile, unlike_name: true } }), null)).toMatchObject({
    history: null,
    tools: null,
    system: null,
  });
});
