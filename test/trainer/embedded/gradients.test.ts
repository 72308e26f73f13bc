import { expect, test } from 'vitest';
import { Adapter } from '#trainer/embedded/adapter.ts';
import { type LearnedRow, learnFromRows, lossOfRows, scoreTexts } from '#trainer/embedded/batch.ts';
import { dropInputs } from '#trainer/embedded/dropout.ts';
import { lossOf } from '#trainer/embedded/losses.ts';
import { projections } from '#trainer/embedded/network-shape.ts';
import type { Encoded } from '#trainer/embedded/packing.ts';
import { createRandom } from '#trainer/embedded/random.ts';
import { createTinyNetwork, tinyShape } from './tiny-network.ts';

const random = createRandom(11);
const text = (length: number, start: number): Encoded => ({
  tokens: Int32Array.from({ length }, () => Math.floor(random() * tinyShape.vocabulary)),
  start,
});
const settings = {
  dpo_beta: 0.3,
  dpo_normalize_logratios_by_length: false,
  rpo_alpha: 0,
  simpo_gamma: 0,
};
const network = await createTinyNetwork();
const texts: LearnedRow[] = [
  { texts: [text(9, 4)], reference: [] },
  { texts: [text(5, 0)], reference: [] },
];
const prompt = text(6, 0).tokens;
const after = (tokens: Int32Array, length: number): Encoded => ({
  tokens: Int32Array.from([...tokens, ...text(length, 0).tokens]),
  start: tokens.length,
});
/** The texts of the first pair begin alike. */
const pairs: LearnedRow[] = [
  { texts: [after(prompt, 5), after(prompt, 8)], reference: [-14, -28] },
  { texts: [text(7, 5), text(6, 5)], reference: [-7, -3] },
];
/** Texts that are too long for one pack: both are in packs of their own. */
const longPair: LearnedRow[] = [{ texts: [text(130, 120), text(135, 120)], reference: [-35, -52] }];

test.each([
  ['of SFT', 'sft', settings, texts],
  ['of DPO', 'dpo', settings, pairs],
  ['of DPO normalised by length', 'dpo', { ...settings, dpo_normalize_logratios_by_length: true }, pairs],
  ['of RPO', 'dpo', { ...settings, rpo_alpha: 0.7 }, pairs],
  ['of SimPO', 'dpo', { ...settings, dpo_beta: 2, simpo_gamma: 0.5 }, pairs],
  ['of a pair in two packs', 'dpo', settings, longPair],
] as const)('The gradient of a loss is what finite differences say: %s', async (_, method, loss, rows) => {
  const adapter = createAdapter();
  const lossOfRow = lossOf(method, loss);
  const gradients = new Float32Array(adapter.parameters.length);
  network.setFactors(adapter.layers());
  const found = await learnFromRows(network, adapter, rows, { lossOfRow, gradients, dropout: () => [] });
  const lossNow = async () => {
    network.setFactors(adapter.layers());
    const sums = await scoreTexts(
      network,
      rows.flatMap((row) => row.texts),
    );
    return lossOfRows(rows, sums, lossOfRow);
  };
  expect(found).toBeCloseTo(await lossNow(), 5);
  for (let direction = 0; direction < 4; direction += 1) {
    const slope = await slopeAlong(adapter, lossNow, createRandom(direction));
    const expected = gradients.reduce((sum, value, index) => sum + value * (slope.along[index] ?? 0), 0);
    expect(Math.abs(slope.found - expected)).toBeLessThan(3e-3 * Math.max(Math.abs(expected), 0.1));
  }
});

test('The gradient of a loss is what finite differences say with inputs that are dropped', async () => {
  const adapter = createAdapter();
  const gradients = new Float32Array(adapter.parameters.length);
  const lossOfRow = lossOf('sft', settings);
  const learn = (into: Float32Array) => {
    network.setFactors(adapter.layers());
    return learnFromRows(network, adapter, texts, {
      lossOfRow,
      gradients: into,
      dropout: (pack) =>
        dropInputs(tinyShape, projections, { rate: 0.4, tokens: pack.tokens.length, seed: [5] }),
    });
  };
  await learn(gradients);
  const slope = await slopeAlong(
    adapter,
    () => learn(new Float32Array(adapter.parameters.length)),
    createRandom(2),
  );
  const expected = gradients.reduce((sum, value, index) => sum + value * (slope.along[index] ?? 0), 0);
  expect(Math.abs(slope.found - expected)).toBeLessThan(3e-3 * Math.max(Math.abs(expected), 0.1));
});

test('only the modules that are named have factors', () => {
  const adapter = new Adapter(tinyShape, { rank: 2, alpha: 4, modules: ['q', 'down'] });
  expect([...adapter.factors()].map(({ projection }) => projection)).toEqual(['q', 'down', 'q', 'down']);
});

function createAdapter(): Adapter {
  const adapter = new Adapter(tinyShape, { rank: 3, alpha: 6, modules: projections });
  const chance = createRandom(7);
  for (const index of adapter.parameters.keys()) adapter.parameters[index] = 0.15 * (2 * chance() - 1);
  return adapter;
}

/** The slope of a loss along a direction v of chance, by differences at ±h and ±2h. */
async function slopeAlong(adapter: Adapter, loss: () => Promise<number>, chance: () => number) {
  const step = 2e-3;
  const before = adapter.parameters.slice();
  const along = before.map(() => 2 * chance() - 1);
  const at = async (distance: number) => {
    for (const index of before.keys()) {
      adapter.parameters[index] = (before[index] ?? 0) + distance * (along[index] ?? 0);
    }
    return loss();
  };
  const near = (await at(step)) - (await at(-step));
  const far = (await at(2 * step)) - (await at(-2 * step));
  adapter.parameters.set(before);
  return { found: (8 * near - far) / (12 * step), along };
}
