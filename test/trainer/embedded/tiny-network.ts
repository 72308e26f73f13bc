import { Network, type NetworkWeights } from '#trainer/embedded/network.ts';
import { type NetworkShape, projections, widthsOf } from '#trainer/embedded/network-shape.ts';
import { createRandom } from '#trainer/embedded/random.ts';

/** Sizes of a model small enough for finite differences. */
export const tinyShape: NetworkShape = {
  layers: 2,
  width: 16,
  heads: 4,
  keyValueHeads: 2,
  headWidth: 4,
  feedForwardWidth: 24,
  vocabulary: 32,
  ropeBase: 10_000,
  normEpsilon: 1e-5,
};

/** Weights by chance, large enough for attention and gates to be far from linear. */
export function tinyWeights(shape: NetworkShape = tinyShape): NetworkWeights {
  const random = createRandom(3);
  const values = (count: number, scale: number, around = 0) =>
    Float32Array.from({ length: count }, () => around + scale * (2 * random() - 1));
  return {
    embedding: values(shape.vocabulary * shape.width, 1),
    outputNorm: values(shape.width, 0.3, 1),
    layers: Array.from({ length: shape.layers }, () => {
      const maps = projections.map((projection) => {
        const { input, output } = widthsOf(shape, projection);
        return [projection, values(input * output, 0.6)] as const;
      });
      return {
        ...(Object.fromEntries(maps) as Record<(typeof projections)[number], Float32Array>),
        attentionNorm: values(shape.width, 0.3, 1),
        feedForwardNorm: values(shape.width, 0.3, 1),
      };
    }),
  };
}

export function createTinyNetwork(): Promise<Network> {
  return Network.create(tinyShape, tinyWeights());
}
