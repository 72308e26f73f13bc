import { createTunesmith } from 'tunesmith';
import { expect, test } from 'vitest';
import { readScoredRows, SCORED_ROWS_MAX } from '../../../console/src/evaluation/scored-rows.ts';

interface Answer {
  readonly score: { readonly before: number | null; readonly after: number | null } | null;
}

/** A service that has scored these rows, and answers at most `most` of them at once. */
function serving(sample: readonly Answer[], most = 200) {
  const asked: URLSearchParams[] = [];
  const client = createTunesmith({
    baseUrl: 'https://service.example',
    apiKey: 'key',
    fetch: async ({ url }: Request) => {
      const query = new URL(url).searchParams;
      asked.push(query);
      const offset = Number(query.get('offset'));
      const limit = Math.min(most, Number(query.get('limit')));
      const rows = sample.map(({ score }, n) => ({ row: n * 10, score })).slice(offset, offset + limit);
      return Response.json({ run_id: 'run-1', total: 90_000, matching: sample.length, rows });
    },
  });
  return { asked, read: () => readScoredRows(client, 'dataset-1', new AbortController().signal) };
}

const scored: Answer = { score: { before: 4, after: 6 } };

test('the rows of the sample are asked for, whatever their places in the dataset, and no others', async () => {
  const { asked, read } = serving([scored, { score: { before: null, after: null } }, scored]);

  expect(await read()).toEqual({
    rows: [
      { row: 0, before: 4, after: 6 },
      { row: 20, before: 4, after: 6 },
    ],
    read: 3,
    sampled: 3,
  });
  expect(asked.map((query) => query.get('scored'))).toEqual(['true']);
});

test('an answer that ends early is gone on with, in the run that was read first', async () => {
  const { asked, read } = serving(Array(250).fill(scored), 120);

  const { rows } = await read();

  expect(new Set(rows.map(({ row }) => row)).size).toBe(250);
  expect(asked.map((query) => [query.get('offset'), query.get('run_id')])).toEqual([
    ['0', null],
    ['120', 'run-1'],
    ['240', 'run-1'],
  ]);
});

test('of a large sample a bounded number is read, and what there is besides is told', async () => {
  const { asked, read } = serving(Array(5000).fill(scored), 130);

  const { rows, read: some, sampled } = await read();

  expect([rows.length, some, sampled]).toEqual([SCORED_ROWS_MAX, SCORED_ROWS_MAX, 5000]);
  expect(asked).toHaveLength(Math.ceil(SCORED_ROWS_MAX / 130));
});

test('a sample whose rows have gone meanwhile ends the reading', async () => {
  const { asked, read } = serving(Array(3).fill(scored), 0);

  expect(await read()).toEqual({ rows: [], read: 0, sampled: 3 });
  expect(asked).toHaveLength(1);
});
