import type { Adapter } from './adapter.ts';
import { scoreTexts } from './batch.ts';
import type { Network } from './network.ts';
import type { Encoded } from './packing.ts';

/**
 * Scores texts with a network and an adapter. It computes no text twice with the same adapter, and remembers what it
 * computed without one: a training asks for the same held-out texts before and after its stages.
 */
export class TextScorer {
  readonly #network: Network;
  readonly #breathe: (() => Promise<void>) | undefined;
  readonly #ofBase = new Map<string, number>();
  #known = this.#ofBase;

  constructor(network: Network, breathe?: () => Promise<void>) {
    this.#network = network;
    this.#breathe = breathe;
  }

  /** Sets the parameters of the network's adapter, as they are now. */
  setAdapter(adapter: Adapter): void {
    this.#network.setFactors(adapter.layers());
    this.#known = adapter.changesNothing ? this.#ofBase : new Map();
  }

  /** The summed log-likelihood of the targets of each text. */
  async score(texts: readonly Encoded[]): Promise<Float64Array> {
    const keys = texts.map(({ tokens, start }) => `${start}:${tokens}`);
    const known = this.#known;
    const missing = new Map(
      texts.flatMap((text, index) => {
        const key = keys[index] ?? '';
        return known.has(key) ? [] : [[key, text] as const];
      }),
    );
    const sums = await scoreTexts(this.#network, [...missing.values()], this.#breathe);
    for (const [index, key] of [...missing.keys()].entries()) known.set(key, sums[index] ?? 0);
    return Float64Array.from(keys, (key) => known.get(key) ?? 0);
  }
}
