import type { TokenPrice } from '#shared/models/decide/answering-models.ts';
import { creditsPerHundredRows, type RowPrice } from '#shared/platform/schema/row-prices.ts';

/** @returns whole credits for `rows` output rows */
export function priceRows(rows: number, price: RowPrice): number {
  return Math.ceil(rows / 100) * creditsPerHundredRows[price];
}

/**
 * Price of a run with batch jobs: half for the rows whose calls they make, rounded up to a whole credit. Further rows cost
 * at least their full share of it: the last hundred of the rows, which is rounded up at half the price, holds none of them.
 * One row more never costs less.
 * @param added further rows, whose calls are made singly
 * @returns whole credits, at most those of as many rows without batch jobs
 */
export function priceBatchedRows(rows: number, price: RowPrice, added = 0): number {
  const priceOf = (batched: number): number => {
    const rounded = priceRows(batched + added, price) - priceRows(batched, price) / 2;
    const inProportion = ((batched / 2 + added) / 100) * creditsPerHundredRows[price];
    return Math.ceil(Math.max(rounded, inProportion));
  };
  // A hundred that is begun lowers the price of further rows that the hundred before it had rounded up.
  return Math.max(priceOf(rows), priceOf(Math.floor(rows / 100) * 100));
}

/**
 * Default price of a model: for models without an operator's price, and for trained models. It corresponds to about the
 * row price for the tokens of one adapted row.
 */
export const defaultTokenPrice: TokenPrice = { input_millicredits: 5, output_millicredits: 20 };
