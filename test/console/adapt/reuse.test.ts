import { describe, expect, test } from 'vitest';
import { quoteAdaptation, toRunQuote } from '#shared/adaptation/decide/quote.ts';
import { notesBesidesReuse, reuseWords, rowsRead } from '../../../console/src/adapt/reuse.ts';

const quote = (reusedRows: number) =>
  toRunQuote(
    quoteAdaptation({
      rowCount: 1200,
      specification: {
        mapping: { context: [], prompt: 'question', completion: 'answer' },
        max_rows: 2000,
        deduplication: false,
        expansion: null,
      } as never,
      reusedRows,
      evaluationRows: 0,
      modelConcurrency: 1,
    }),
    null,
  );

describe('the rows of a quote that cost nothing', () => {
  test('are told with the rows that the adaptation reads', () => {
    expect(reuseWords(quote(1000), 1200)).toBe('1,000 of 1,200 rows are unchanged and cost nothing.');
    expect(reuseWords(quote(1), 1200)).toBe('1 of 1,200 rows is unchanged and costs nothing.');
    expect(reuseWords(quote(1000), null)).toBe('1,000 rows are unchanged and cost nothing.');
  });

  test('are not told where there are none', () => {
    expect(reuseWords(quote(0), 1200)).toBeNull();
  });

  test.each([1, 1000])('are told once: the note of the service on %d of them is left out', (reused) => {
    const { notes = [] } = quote(reused);

    expect(notes.length).toBe(2);
    expect(notesBesidesReuse(quote(reused))).toEqual(notes.filter((note) => note.includes('max_rows')));
    expect(notesBesidesReuse({})).toEqual([]);
  });
});

test('an adaptation reads the rows of the dataset, or fewer where so many are asked for', () => {
  expect(rowsRead(60, undefined)).toBe(60);
  expect(rowsRead(60, 8)).toBe(8);
  expect(rowsRead(60, 80)).toBe(60);
});
