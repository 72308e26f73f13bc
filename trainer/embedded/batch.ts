import type { Adapter } from './adapter.ts';
import type { BatchTotals, LossOfRow, TextScore } from './losses.ts';
import type { ForwardPass, LayerDropout, Network } from './network.ts';
import { type Encoded, type Pack, packRows, targetsOf } from './packing.ts';

/** The texts of a row, and their log-likelihoods under the stage's initial model, if the loss needs them. */
export interface LearnedRow {
  readonly texts: readonly Encoded[];
  readonly reference: readonly number[];
}

/** The summed log-likelihood of the targets of each text, with the current network. */
export async function scoreTexts(
  network: Network,
  texts: readonly Encoded[],
  afterPack: () => Promise<void> = async () => {},
): Promise<Float64Array> {
  const sums = new Float64Array(texts.length);
  for (const group of packRows(texts.map((text) => [text]))) {
    for (const { pack, texts: places } of group.packs) {
      const { logprobs } = await network.score(pack);
      for (const [index, { row }] of places.entries()) sums[row] = sumBetween(logprobs, pack, index);
      await afterPack();
    }
  }
  return sums;
}

/** The loss of rows as one batch, by the summed log-likelihoods of their texts. */
export function lossOfRows(
  rows: readonly LearnedRow[],
  sums: Readonly<Float64Array>,
  lossOfRow: LossOfRow,
): number {
  const totals = totalsOf(rows);
  let loss = 0;
  let next = 0;
  for (const row of rows) {
    const scores = row.texts.map((text) => ({ logprob: sums[next++] ?? 0, targets: targetsOf(text) }));
    loss += lossOfRow(scores, totals, row.reference).loss;
  }
  return loss;
}

/**
 * Adds the gradient of the loss of rows, as one batch, to `gradients`. Rows are processed a few at a time: memory does
 * not grow with the batch.
 * @returns the loss.
 */
export async function learnFromRows(
  network: Network,
  adapter: Adapter,
  rows: readonly LearnedRow[],
  options: {
    readonly lossOfRow: LossOfRow;
    readonly gradients: Float32Array;
    /** Creates the dropout of a pack; its number in the batch counts from 0. */
    readonly dropout: (pack: Pack, number: number) => readonly LayerDropout[];
    readonly afterPack?: () => Promise<void>;
  },
): Promise<number> {
  const totals = totalsOf(rows);
  let loss = 0;
  let number = 0;
  for (const group of packRows(rows.map(({ texts }) => texts))) {
    const passes: ForwardPass[] = [];
    const scores = new Map<number, TextScore[]>();
    for (const { pack, texts } of group.packs) {
      const pass = await network.forward(pack, options.dropout(pack, number++));
      passes.push(pass);
      for (const [index, { row, text }] of texts.entries()) {
        const ofRow = scores.get(row) ?? [];
        ofRow[text] = {
          logprob: sumBetween(pass.logprobs, pack, index),
          targets: (pack.bounds[index + 1] ?? 0) - (pack.bounds[index] ?? 0),
        };
        scores.set(row, ofRow);
      }
    }
    const slopes = new Map<number, readonly number[]>();
    for (const [row, ofRow] of scores) {
      const found = options.lossOfRow(ofRow, totals, rows[row]?.reference ?? []);
      loss += found.loss;
      slopes.set(row, found.slopes);
    }
    for (const [index, { pack, texts }] of group.packs.entries()) {
      const pass = passes[index];
      if (pass === undefined) throw new Error('Every pack has a pass.');
      const coefficients = new Float64Array(pack.targets.length);
      for (const [place, { row, text }] of texts.entries()) {
        coefficients.fill(slopes.get(row)?.[text] ?? 0, pack.bounds[place], pack.bounds[place + 1]);
      }
      await network.backward(pass, coefficients, (layer, projection, gradient) =>
        adapter.addGradient(options.gradients, layer, projection, gradient),
      );
      await options.afterPack?.();
    }
  }
  return loss;
}

function totalsOf(rows: readonly LearnedRow[]): BatchTotals {
  const targets = rows.reduce(
    (sum, { texts: [first] }) => sum + (first === undefined ? 0 : targetsOf(first)),
    0,
  );
  return { rows: rows.length, targets: Math.max(targets, 1) };
}

function sumBetween(logprobs: Float64Array, { bounds }: Pack, index: number): number {
  let sum = 0;
  for (let place = bounds[index] ?? 0; place < (bounds[index + 1] ?? 0); place += 1)
    sum += logprobs[place] ?? 0;
  return sum;
}
