import { expect, test } from 'vitest';
import { priceBatchedRows, priceRows } from '#shared/access/decide/prices.ts';
import { quoteAdaptation, toRunQuote } from '#shared/adaptation/decide/quote.ts';
import { specification } from '#test/helpers/specification.ts';

test.each([
  [0, 0, 0],
  [1, 1, 10],
  [99, 1, 10],
  [100, 1, 10],
  [101, 2, 20],
  [200, 2, 20],
  [1_000_000, 10_000, 100_000],
])('%i rows cost %i credits as text and %i with images', (rows, text, images) => {
  expect(priceRows(rows, 'text')).toBe(text);
  expect(priceRows(rows, 'image_context')).toBe(images);
});

test.each([
  [0, 0, 0],
  [1, 0, 1],
  [200, 0, 1],
  [201, 0, 2],
  [2000, 0, 10],
  // The added rows cost as always.
  [1000, 1000, 15],
  [100, 100, 2],
  [0, 300, 3],
  // The hundred that is rounded up for the rows holds none of the added ones.
  [101, 99, 2],
  [1, 99, 1],
  [201, 299, 4],
])('%i rows in batch jobs, with %i more that are made singly, cost %i credits', (rows, added, credits) => {
  expect(priceBatchedRows(rows, 'text', added)).toBe(credits);
});

test('one more row in batch jobs never costs less, whatever is added in other languages', () => {
  for (const price of ['text', 'image_context'] as const) {
    for (let added = 0; added <= 450; added += 1) {
      let before = 0;
      for (let rows = 0; rows <= 450; rows += 1) {
        const credits = priceBatchedRows(rows, price, added);
        expect(credits, `${rows} and ${added}`).toBeGreaterThanOrEqual(before);
        before = credits;
      }
    }
  }
});

test('rows in other languages cost at least their own share beside rows in batch jobs, and no more than without jobs', () => {
  for (const price of ['text', 'image_context'] as const) {
    for (let rows = 0; rows <= 450; rows += 7) {
      for (let added = 0; added <= 450; added += 7) {
        const credits = priceBatchedRows(rows, price, added);
        const share = (credits * 100) / (priceRows(100, price) * (rows / 2 + added));
        expect(rows + added === 0 || share >= 1, `${rows} and ${added}`).toBe(true);
        expect(credits).toBeLessThanOrEqual(priceRows(rows + added, price));
      }
    }
  }
});

const input = {
  rowCount: 1000,
  specification: specification({ prompt_rephrase: true }),
  evaluationRows: 100,
  modelConcurrency: 10,
};

test('a quote is of the rows that the run will process', () => {
  expect(quoteAdaptation(input)).toMatchObject({ rows: 1000, credits: 10 });
  expect(quoteAdaptation({ ...input, specification: specification({ max_rows: 150 }) })).toMatchObject({
    rows: 150,
    credits: 2,
  });
  expect(quoteAdaptation({ ...input, specification: specification({ max_rows: 5000 }) })).toMatchObject({
    rows: 1000,
    credits: 10,
  });
});

test('minutes grow with the rows and the calls a row takes, and shrink with the concurrency', () => {
  const { minutes } = quoteAdaptation(input);

  expect(quoteAdaptation({ ...input, rowCount: 2000 }).minutes).toBeGreaterThan(minutes);
  expect(quoteAdaptation({ ...input, specification: specification() }).minutes).toBeLessThan(minutes);
  expect(quoteAdaptation({ ...input, modelConcurrency: 100 }).minutes).toBeLessThan(minutes);
});

test('few rows cannot use all of the concurrency', () => {
  const few = quoteAdaptation({ ...input, rowCount: 2, modelConcurrency: 10 });

  expect(quoteAdaptation({ ...input, rowCount: 2, modelConcurrency: 1000 }).minutes).toBe(few.minutes);
});

test('an estimate says that it was assumed while no run was measured', () => {
  expect(quoteAdaptation(input).basis).toMatch(/^assumed: 2 s a model call, 2 calls a row, 10 at once/);
  expect(quoteAdaptation({ ...input, rowCount: 0 })).toMatchObject({
    credits: 0,
    minutes: expect.any(Number),
  });
});

test('the quote of a run with images tells the credits of a hundred rows, which batch jobs halve', () => {
  const mapping = { prompt: 'q', completion: 'a', context: ['image'], image: 'image' } as never;
  const ofImages = { ...input, specification: specification({ mapping }) };
  const multiplierOf = (processing: 'standard' | 'batch') =>
    toRunQuote(quoteAdaptation({ ...ofImages, processing }), null).creditMultiplier;

  expect(multiplierOf('standard')).toBe(10);
  expect(multiplierOf('batch')).toBe(5);
});

test('a quote says that prompts cannot be worded anew where there are completions alone', () => {
  const notesOf = (fields: object) =>
    quoteAdaptation({ ...input, specification: specification(fields) }).notes.join(' ');

  expect(notesOf({ mode: 'completion_only', prompt_rephrase: true })).toContain(
    'prompt_rephrase has no effect',
  );
  expect(notesOf({ mode: 'completion_only', prompt_rephrase: false })).not.toContain('prompt_rephrase');
  expect(notesOf({ mode: 'prompt_only', prompt_rephrase: true })).not.toContain('prompt_rephrase');
});

test('a quote says that sound answers stay, whatever blueprint or search is asked for', () => {
  const notesOf = (fields: object) =>
    quoteAdaptation({ ...input, specification: specification(fields) }).notes.join(' ');

  expect(notesOf({})).not.toContain('sound');
  expect(notesOf({ blueprint: 'Be kind.', grounding: true })).toContain(
    'blueprint and hallucination_mitigation: applied to every answer that the run writes. An answer that is sound stays',
  );
});
