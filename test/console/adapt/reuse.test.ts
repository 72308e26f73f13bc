import { expect, test } from 'vitest';
import { quoteAdaptation, toRunQuote } from '#shared/adaptation/decide/quote.ts';
import type { Schemas } from '../../../clients/typescript/src/index.ts';
import { Controls } from '../../../console/src/adapt/controls.tsx';
import { Price } from '../../../console/src/adapt/quote.tsx';
import { notesBesidesReuse, reusedWords, reuseWords, rowsRead } from '../../../console/src/adapt/reuse.ts';
import { DEFAULTS } from '../../../console/src/adapt/settings.ts';
import { renderAnswered } from '../render.ts';

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

test('the rows of a quote that cost nothing are told with the rows that the adaptation reads', () => {
  expect(reuseWords(quote(1000), 1200)).toBe('1,000 of 1,200 rows are unchanged and cost nothing.');
  expect(reuseWords(quote(1), 1200)).toBe('1 of 1,200 rows is unchanged and costs nothing.');
  expect(reuseWords(quote(1000), null)).toBe('1,000 rows are unchanged and cost nothing.');
});

test('the rows of a quote that cost nothing are told of a run that ended too', () => {
  expect(reusedWords({ reused_rows: 1000 })).toBe(
    '1,000 of the delivered rows were unchanged since an earlier run and cost nothing.',
  );
  expect(reusedWords({ reused_rows: 1 })).toContain('1 of the delivered rows was unchanged');
});

test('the rows of a quote that cost nothing are not told where there are none', () => {
  expect(reuseWords(quote(0), 1200)).toBeNull();
  expect(reusedWords({})).toBeNull();
});

test.each([1, 1000])(
  'the rows of a quote that cost nothing are told once: the note of the service on %d of them is left out',
  (reused) => {
    const { notes = [] } = quote(reused);

    expect(notes.length).toBe(2);
    expect(notesBesidesReuse(quote(reused))).toEqual(notes.filter((note) => note.includes('max_rows')));
    expect(notesBesidesReuse({})).toEqual([]);
  },
);

test('an adaptation reads the rows of the dataset, or fewer where so many are asked for', () => {
  expect(rowsRead(60, undefined)).toBe(60);
  expect(rowsRead(60, 8)).toBe(8);
  expect(rowsRead(60, 80)).toBe(60);
});

test('the page says the rows that cost nothing below the price, once', async () => {
  const { text } = await renderAnswered(
    Price,
    { quote: quote(1000) as Schemas['RunQuote'], rows: 1200, areNotesWarnings: true },
    () => ({ body: { balance: { available: 50 } } }),
  );

  expect(text).toMatch(/^2 credits .* 1,000 of 1,200 rows are unchanged and cost nothing\. /);
  expect(text.match(/unchanged/g)?.length).toBe(1);
});

test.each([true, false])('the page has a box to adapt all rows anew; reuse %s', async (reuse) => {
  const { html } = await renderAnswered(
    Controls,
    {
      settings: { ...DEFAULTS, reuse },
      mapping: { prompt: 'question' },
      problems: new Map<string, string>(),
      onChange: () => undefined,
    },
    () => undefined,
  );
  const [, id = ''] = /<label for="([^"]*)">Adapt all rows anew/.exec(html) ?? [];

  expect(new RegExp(`<input[^>]*id="${id}"[^>]*>`).exec(html)?.[0].includes(' checked=')).toBe(!reuse);
});
