import { expect, test } from 'vitest';
import { sampledColumnsOf } from '../../../console/src/adapt/samples.ts';

const cell = (column: string, text: string) => ({ column, text, truncated: false });

test('columns of the source have the cells of its own rows that hold something', () => {
  const row = { source_row: null, after: null, before: [cell('question', 'Why?'), cell('answer', ' ')] };
  const page = {
    columns: [
      { name: 'question', side: 'before', role: 'prompt' },
      { name: 'answer', side: 'before', role: 'completion' },
      { name: 'enhanced_prompt', side: 'after', role: 'prompt' },
    ],
    rows: [row, { ...row, before: [cell('question', 'How?')] }, { ...row, source_row: 0 }],
  } as Parameters<typeof sampledColumnsOf>[0];

  expect(sampledColumnsOf(page)).toEqual([
    { name: 'question', samples: ['Why?', 'How?'] },
    { name: 'answer', samples: [] },
  ]);
});
