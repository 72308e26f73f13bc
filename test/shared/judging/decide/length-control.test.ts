import { expect, it } from 'vitest';
import { controlLength, type JudgedPair } from '#shared/judging/decide/length-control.ts';

/** Evenly spread numbers of (0, 1), always the same. */
const spread = (n: number, step: number): number => (n * step + 0.5) % 1;

/** Pairs of a judge whose log-odds of naming the new answer are `base + effect · ln(length ratio)`. */
function pairsOf(count: number, base: number, effect: number, meanRatio: number): JudgedPair[] {
  return Array.from({ length: count }, (_, n) => {
    const log = meanRatio + 2 * (spread(n, 0.618_034) - 0.5);
    const chance = 1 / (1 + Math.exp(-(base + effect * log)));
    return {
      winner: spread(n, 0.754_878) < chance ? 'after' : 'before',
      characters: { before: 1000, after: Math.round(1000 * Math.exp(log)) },
    };
  });
}

it('the control of length finds the effect of length, and the win rate without it', () => {
  // At equal length the new answers lose more often than not; they win since they are longer.
  const pairs = pairsOf(3000, -0.5, 2, 0.7);
  const won = pairs.filter(({ winner }) => winner === 'after').length / pairs.length;

  const control = controlLength(pairs);

  expect(won).toBeGreaterThan(0.6);
  expect(control?.effect).toBeCloseTo(2, 0);
  expect(control?.winRate).toBeCloseTo(1 / (1 + Math.exp(0.5)), 1);
  expect(control?.interval95[0]).toBeLessThan(control?.winRate ?? 0);
  expect(control?.interval95[1]).toBeGreaterThan(control?.winRate ?? 1);
});

it('the control of length leaves the win rate alone where length plays no part', () => {
  const pairs = pairsOf(2000, 0.8, 0, 0.3);

  expect(controlLength(pairs)?.winRate).toBeCloseTo(1 / (1 + Math.exp(-0.8)), 1);
});

it('the control of length stays finite for a judge that always names one side, or the longer answer', () => {
  const equal = { before: 100, after: 100 };
  const won = Array.from({ length: 20 }, (): JudgedPair => ({ winner: 'after', characters: equal }));
  const longer = pairsOf(40, 0, 1000, 0);

  expect(controlLength(won)?.winRate).toBeGreaterThan(0.9);
  expect(controlLength(won)?.winRate).toBeLessThan(1);
  expect(controlLength(longer)?.effect).toBeGreaterThan(2);
  expect(controlLength(longer)?.winRate).toBeCloseTo(0.5, 0);
});

it('the control of length is not fitted to fewer than 20 pairs', () => {
  expect(controlLength(pairsOf(19, 0, 1, 0))).toBeNull();
  expect(controlLength(pairsOf(20, 0, 1, 0))).not.toBeNull();
});
