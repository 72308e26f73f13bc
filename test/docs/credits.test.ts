import { expect, test } from 'vitest';
import { defaultTokenPrice, priceBatchedRows, priceRows } from '#shared/access/decide/prices.ts';
import { gradeOf } from '#shared/judging/decide/grade.ts';
import { creditsPerHundredRows } from '#shared/platform/schema/row-prices.ts';
import { trainingCredits } from '#shared/training/decide/price.ts';
import { readPage, tableRows } from '#test/helpers/pages.ts';

const page = readPage('docs/credits.md');

test('the prices of docs/credits.md are those of the code', () => {
  const prices = new Map(tableRows(page).map(([operation, price]) => [operation, price]));
  const perHundred = (credits: number): string => `${credits} credit${credits === 1 ? '' : 's'} per 100 rows`;
  const { text, image_context, invented, augmented, training_augmented } = creditsPerHundredRows;

  expect(prices.get('`adapt`, `run`')).toBe(perHundred(text));
  expect(prices.get('the same with a mapped image column')).toBe(perHundred(image_context));
  expect(prices.get('`translate`, `localize`')).toBe(perHundred(text));
  expect(prices.get('`extend-trajectories`')).toBe(perHundred(text));
  expect(prices.get('`augment`')).toBe(perHundred(augmented));
  expect(prices.get('`invent`')).toBe(perHundred(invented));
  expect(prices.get('`augmentation_domain_rows`, `augmentation_general_rows` of a training')).toContain(
    perHundred(training_augmented),
  );
  expect(prices.get('answers (`POST /responses`)')).toContain(
    `${defaultTokenPrice.input_millicredits / 1000} credits per 1,000 input tokens and ${defaultTokenPrice.output_millicredits / 1000} per 1,000 output tokens`,
  );
});

test('the examples of docs/credits.md are priced as the code prices them', () => {
  const examples = Object.fromEntries(
    tableRows(page.split('## Examples')[1] ?? '').map(([request, ...credits]) => [
      request,
      credits.map(Number),
    ]),
  );

  expect(examples).toEqual({
    'adapt 182 rows; 3 fail': [priceRows(182, 'text'), priceRows(179, 'text')],
    'adapt 101 rows with deduplication; 1 is a duplicate': [priceRows(101, 'text'), priceRows(100, 'text')],
    'adapt 100 rows and translate half of them into 3 languages': [
      priceRows(250, 'text'),
      priceRows(250, 'text'),
    ],
    'adapt 250 rows with images, `max_rows: 100`': [
      priceRows(100, 'image_context'),
      priceRows(100, 'image_context'),
    ],
    'adapt 250 rows with `processing: "batch"`; 60 fail': [
      priceBatchedRows(250, 'text'),
      priceBatchedRows(190, 'text'),
    ],
    'translate 500 rows at `sample_rate` 0.1 into 2 languages': [
      priceRows(100, 'text'),
      priceRows(100, 'text'),
    ],
    'invent 500 rows; 430 can be made': [priceRows(500, 'invented'), priceRows(430, 'invented')],
    'invent 500 rows; 390 can be made': [priceRows(500, 'invented'), priceRows(390, 'invented')],
    'train with 1,000 `augmentation_domain_rows` and a voucher of 25 %': [
      trainingCredits(1000, 25),
      trainingCredits(1000, 25),
    ],
  });
});

test('the letters of docs/grades.md are those of the code', () => {
  const letters = tableRows(readPage('docs/grades.md')).filter(([letter]) => /^[A-E]$/.test(letter ?? ''));

  expect(letters).toEqual([
    ['A', 'above 9'],
    ['B', 'above 7.5, up to 9'],
    ['C', '6 to 7.5'],
    ['D', '4 to below 6'],
    ['E', 'below 4'],
  ]);
  expect([9.01, 9, 7.51, 7.5, 6, 5.99, 4, 3.99].map(gradeOf).join('')).toBe('ABBCCDDE');
});
