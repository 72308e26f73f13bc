import type { LayerDropout } from './network.ts';
import { type NetworkShape, type Projection, widthsOf } from './network-shape.ts';
import { createRandom } from './random.ts';

/**
 * Dropout masks for the inputs of each adapted map (Srivastava et al. 2014), deterministic by seed, so that a training
 * resumed from a checkpoint uses the same masks.
 */
export function dropInputs(
  shape: NetworkShape,
  modules: readonly Projection[],
  { rate, tokens, seed }: { rate: number; tokens: number; seed: readonly number[] },
): LayerDropout[] {
  if (rate === 0) return [];
  const random = createRandom(...seed);
  const kept = rate < 1 ? 1 / (1 - rate) : 0;
  return Array.from({ length: shape.layers }, () =>
    Object.fromEntries(
      modules.map((projection) => {
        const count = tokens * widthsOf(shape, projection).input;
        return [projection, Float32Array.from({ length: count }, () => (random() < rate ? 0 : kept))];
      }),
    ),
  );
}
