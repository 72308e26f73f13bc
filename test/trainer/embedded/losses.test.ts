import { expect, test } from 'vitest';
import { lossOf } from '#trainer/embedded/losses.ts';

const settings = {
  dpo_beta: 0.5,
  dpo_normalize_logratios_by_length: false,
  rpo_alpha: 0,
  simpo_gamma: 0,
};
const pair = [
  { logprob: -6, targets: 3 },
  { logprob: -8, targets: 2 },
];
const reference = [-9, -10];
const logLoss = (z: number) => Math.log(1 + Math.exp(-z));

test.each([
  // (-6 + 9) - (-8 + 10) = 1
  ['DPO', settings, logLoss(0.5 * 1) / 4],
  // 3 / 3 - 2 / 2 = 0
  ['DPO normalised by length', { ...settings, dpo_normalize_logratios_by_length: true }, Math.log(2) / 4],
  // and 0.2 · 6 / 12, of the twelve tokens that were chosen in the batch
  ['RPO', { ...settings, rpo_alpha: 0.2 }, logLoss(0.5) / 4 + 0.1],
  // -6 / 3 + 8 / 2 = 2
  ['SimPO', { ...settings, simpo_gamma: 0.3 }, logLoss(0.5 * 2 - 0.3) / 4],
] as const)('the loss of one of four pairs is that by hand: %s', (_, loss, expected) => {
  expect(lossOf('dpo', loss)(pair, { rows: 4, targets: 12 }, reference).loss).toBeCloseTo(expected, 10);
});

test('the loss of a batch of twelve tokens by SFT is that by hand', () => {
  expect(lossOf('sft', settings)([{ logprob: -6, targets: 3 }], { rows: 4, targets: 12 }, [])).toEqual({
    loss: 0.5,
    slopes: [-1 / 12],
  });
});

test('The loss of one of four pairs, by hand: a pair that is far apart costs a number', () => {
  const far = lossOf('dpo', settings)(
    [pair[1], { logprob: 9e5, targets: 1 }].flatMap((text) => text ?? []),
    { rows: 1, targets: 1 },
    [0, 0],
  );
  expect(far.loss).toBeCloseTo(450_004, 0);
});
