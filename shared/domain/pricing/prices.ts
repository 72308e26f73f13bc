import type { TokenPrice } from '../responses/answering-models.ts';

/** Credits per 100 output rows, rounded up to whole hundreds. */
export const creditsPerHundredRows = {
  text: 1,
  image_context: 10,
  invented: 10,
  augmented: 1,
  /** Rows that a training adds before it trains. */
  training_augmented: 10,
} as const;
export type RowPrice = keyof typeof creditsPerHundredRows;

/** @returns whole credits for `rows` output rows */
export function priceRows(rows: number, price: RowPrice): number {
  return Math.ceil(rows / 100) * creditsPerHundredRows[price];
}

/**
 * Default price of a model: models without a price of the operator, and models that teams have trained. By the
 * price of rows, this is about the cost of the tokens of an adapted row.
 */
export const defaultTokenPrice: TokenPrice = { input_millicredits: 5, output_millicredits: 20 };
