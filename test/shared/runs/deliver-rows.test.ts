import { expect, test } from 'vitest';
import { deliverRows } from '#shared/runs/deliver-rows.ts';
import { createMemoryObjects } from '#test/helpers/memory-objects.ts';

const profile = { is_empty: false, not_chat: null, image_format: 'url' as const };

test('rows that are delivered tell which of their columns hold images', async () => {
  const found: unknown[] = [];
  const datasets = {
    recordFindings: async (...given: unknown[]) => {
      found.push(given[2]);
      return true;
    },
  };

  await deliverRows(
    { datasets, objects: createMemoryObjects() },
    { dataset_id: 'd', run_id: 'r', team_id: 't' },
    {
      columns: [
        { name: 'prompt', type: 'VARCHAR' },
        { name: 'photo', type: 'VARCHAR', profile },
      ],
      mapping: { prompt: 'prompt', context: [] },
      kept: [],
      keptRows: 0,
      made: { row_count: 0, chunks: [] },
    },
    0,
  );

  expect(found).toMatchObject([{ image_column_formats: { photo: 'url' } }]);
});
