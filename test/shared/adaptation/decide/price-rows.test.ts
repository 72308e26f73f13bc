import { expect, test } from 'vitest';
import { priceDelivered, rowPriceOf } from '#shared/adaptation/decide/price-rows.ts';
import type { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';

const specificationOf = (mapping: object): RunRequestObject['specification'] =>
  ({ mapping }) as RunRequestObject['specification'];
const texts = specificationOf({ prompt: 'question', context: [] });
const rows = {
  ...{ total: 900, changed: 300, kept: 200, expanded: 300 },
  ...{ failed: 50, dropped: 30, not_selected: 20, expansion_failed: 0 },
};

test('rows cost what texts cost unless their image is among the columns that a model sees', () => {
  expect(rowPriceOf(texts)).toBe('text');
  expect(rowPriceOf(specificationOf({ image: 'picture', context: ['note'] }))).toBe('text');
  expect(rowPriceOf(specificationOf({ image: 'picture', context: ['picture'] }))).toBe('image_context');
});

test.each([
  ['as they are', {}, 8],
  ['in batch jobs, half but for the added ones', { processing: 'batch' }, 6],
  ['without those that are reused', { reused: 200 }, 6],
  ['without those that a pilot has delivered, if none is counted as reused', { reuse: { rows: 100 } }, 7],
  ['without those that lack a pair, added ones too', { unpaired: { rows: 100, added: 200 } }, 5],
  ['and never less than none', { reused: 600 }, 3],
])('delivered rows are billed, %s', (_, { processing, reuse = null, ...report }: Billed, credits) => {
  const request = { specification: texts, processing, reuse } as RunRequestObject;

  expect(priceDelivered(request, { rows, ...report })).toBe(credits);
});

interface Billed {
  readonly processing?: string;
  readonly reuse?: object | null;
  readonly reused?: number;
  readonly unpaired?: { readonly rows: number; readonly added: number };
}
