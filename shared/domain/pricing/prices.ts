import type { TokenPrice } from '../responses/answering-models.ts';

/** Credits for each hundred output rows; a part of a hundred counts whole. */
export const creditsPerHundredRows = {
  text: 1,
  image_context: 10,
  invented: 10,
  augmented: 1,
  /** Rows that a training has added before it trains. */
  training_augmented: 10,
} as const;
export type RowPrice = keyof typeof creditsPerHundredRows;

/** @returns whole credits for `rows` output rows */
export function priceRows(rows: number, price: RowPrice): number {
  return Math.ceil(rows / 100) * creditsPerHundredRows[price];
}

/**
 * What models cost for which the operator has set no price, and those that teams have trained. About what the tokens of
 * an adapted row cost, by the price of rows.
 */
export const defaultTokenPrice: TokenPrice = { input_millicredits: 5, output_millicredits: 20 };
