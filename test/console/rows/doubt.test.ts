import { expect, test } from 'vitest';
import { filtersOf, isFiltered } from '../../../console/src/rows/filters.ts';
import { searchRows } from '../../../console/src/rows/load.ts';
import type { Row } from '../../../console/src/rows/pages.ts';
import { Complete } from '../../../console/src/rows/row-dialog.tsx';
import { TableRow } from '../../../console/src/rows/table-row.tsx';
import { clientOf, renderAnswered } from '../render.ts';

const row = {
  row: 7,
  source_row: null,
  target: null,
  before: [{ column: 'answer', text: 'three', truncated: false }],
  after: [{ column: 'answer', text: 'Three.', truncated: false }],
  outcome: 'changed',
  code: null,
  message: null,
  edit: null,
  notes: [],
  language: null,
  length_change: null,
  score: null,
  similar_to_row: null,
  sources: [],
  doubt: null,
} as unknown as Row;
const doubt = {
  probability: 0.87,
  reasons: [{ witness: 'execution' as const, kind: 'x', message: 'It yields <b>2</b>.' }],
  proposal: 'Two.',
};
const doubted: Row = { ...row, doubt };
const columns = [
  { name: 'answer', side: 'before' as const, role: 'completion' as const },
  { name: 'answer', side: 'after' as const, role: 'completion' as const },
];

test('the table shows the probability of a doubted row, and nothing of the others', async () => {
  const shown = (of: Row) =>
    renderAnswered(
      TableRow,
      {
        id: 'r',
        place: 0,
        top: 0,
        height: 100,
        isActive: false,
        columns,
        hasRun: true,
        row: of,
        onOpen: () => undefined,
      },
      () => undefined,
    );

  expect((await shown(doubted)).text).toContain('doubt 87 %');
  expect((await shown(doubted)).html).toContain('title="probably wrong, 87 %"');
  expect((await shown(row)).text).not.toContain('doubt');
});

test('the dialog of a doubted row has the words of its witnesses, the proposal, and the way to the review', async () => {
  const { html, text } = await renderAnswered(
    Complete,
    { datasetId: 'd', row: doubted, columns, hrefOfRow: () => '#' },
    () => undefined,
  );

  expect(text).toContain('probably wrong, 87 %');
  expect(text).toContain('Its code was run: It yields <b>2</b>.');
  expect(text).toContain('Proposal Two.');
  expect(html).toContain('href="#/datasets/d/review"');
});

test('the filter for doubted rows is a part of the address and of the request', async () => {
  const filters = filtersOf(new URLSearchParams('doubted=true'));
  expect(isFiltered(filters)).toBe(true);
  const requests: string[] = [];
  const client = clientOf(() => ({ body: {} }), requests);

  await searchRows(
    client,
    { datasetId: 'd', runId: 'r', version: null, filters },
    null,
    AbortSignal.timeout(1000),
  );

  expect(requests).toEqual(['GET /api/v1/datasets/d/rows?run_id=r&doubted=true&limit=50']);
});
