import { describe, expect, test } from 'vitest';
import type { PairwiseOutcome } from '#shared/judging/decide/win-rate.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { combineSeeds, type SeedRate } from '#shared/training/decide/comparison-result.ts';
import { comparedRate } from '#shared/training/decide/win-rate.ts';

const rateOf = (verdicts: readonly PairwiseOutcome[], method: 'judge' | 'likelihood' = 'judge') =>
  comparedRate(verdicts, { method, judge: method === 'judge' ? 'judge' : null });
const wins = (won: number, of: number): PairwiseOutcome[] =>
  Array.from({ length: of }, (_, n) => (n < won ? 'win' : 'loss'));
const seedOf = (seed: number, judged: PairwiseOutcome[] | null, likelier: PairwiseOutcome[]): SeedRate => {
  const likelihood = rateOf(likelier, 'likelihood');
  const reason = judged === null ? 'There is no judge.' : null;
  return {
    seed,
    win_rate: judged === null ? likelihood : rateOf(judged),
    likelihood,
    likelihood_reason: reason,
  };
};

test('the effect over seeds of none is none', () => {
  expect(combineSeeds([])).toBeNull();
});

test('the effect over seeds of one is its own win rate with its own interval', () => {
  const seed = seedOf(1, wins(30, 50), wins(40, 50));

  expect(combineSeeds([seed])).toMatchObject({
    value: 0.6,
    interval95: seed.win_rate?.interval95,
    seed_spread: null,
    measure: 'judge',
    rows: 50,
  });
});

test('the effect over seeds of seeds that agree has the interval of their prompts, however many seeds there are', () => {
  const seeds = [1, 2, 3].map((seed) => seedOf(seed, wins(30, 50), wins(40, 50)));

  expect(combineSeeds(seeds)).toMatchObject({
    interval95: combineSeeds(seeds.slice(0, 1))?.interval95,
    seed_spread: 0,
  });
});

test('the effect over seeds averages no likelihoods with verdicts of a judge: likelihoods do for all', () => {
  const seeds = [seedOf(1, wins(30, 50), wins(10, 50)), seedOf(2, null, wins(20, 50))];

  expect(combineSeeds(seeds)).toMatchObject({ measure: 'likelihood', value: 0.3 });
});

test('the effect over seeds that is 0 or 1 has an interval too', () => {
  const [low, high] = combineSeeds([1, 2].map((seed) => seedOf(seed, wins(20, 20), wins(1, 20))))
    ?.interval95 ?? [0, 0];

  expect(high).toBe(1);
  expect(low).toBeCloseTo(0.8389, 3);
});

/**
 * Comparisons whose true win rate is known: prompts differ, and each trained model differs from what its recipe gives on
 * the average.
 */
describe('the 95 % interval of the effect holds the truth', () => {
  const SIMULATIONS = 2000;
  const ROWS = 60;

  const normal = (random: () => number): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const chance = (logit: number): number => 1 / (1 + Math.exp(-logit));

  /** Mean over prompts and models of the chance to win. */
  const truthOf = (logit: number, ofPrompts: number, ofSeeds: number): number => {
    const random = seededRandom(`truth ${logit}`);
    const spread = Math.hypot(ofPrompts, ofSeeds);
    const drawn = Array.from({ length: 100_000 }, () => chance(logit + spread * normal(random)));
    return drawn.reduce((sum, each) => sum + each, 0) / drawn.length;
  };

  test.each([
    { seeds: 1, logit: 0, ofPrompts: 1, ofSeeds: 0 },
    { seeds: 2, logit: 0.5, ofPrompts: 1, ofSeeds: 0 },
    { seeds: 3, logit: 0, ofPrompts: 1, ofSeeds: 0.3 },
    { seeds: 5, logit: 0.5, ofPrompts: 1, ofSeeds: 0.3 },
    { seeds: 5, logit: 1, ofPrompts: 2, ofSeeds: 0.5 },
  ])(
    'the 95 % interval of the effect holds the truth of $seeds seeds, with a deviation of $ofPrompts by prompt and $ofSeeds by seed',
    (given) => {
      const { seeds, logit, ofPrompts, ofSeeds } = given;
      const truth = truthOf(logit, ofPrompts, ofSeeds);
      const random = seededRandom(JSON.stringify(given));
      let held = 0;
      for (let n = 0; n < SIMULATIONS; n += 1) {
        const prompts = Array.from({ length: ROWS }, () => ofPrompts * normal(random));
        const rates = Array.from({ length: seeds }, (_, seed): SeedRate => {
          const model = logit + ofSeeds * normal(random);
          const verdicts = prompts.map(
            (prompt): PairwiseOutcome => (random() < chance(model + prompt) ? 'win' : 'loss'),
          );
          return {
            seed: seed + 1,
            win_rate: rateOf(verdicts),
            likelihood: null,
            likelihood_reason: null,
          };
        });
        const [low, high] = combineSeeds(rates)?.interval95 ?? [1, 0];
        if (low <= truth && truth <= high) held += 1;
      }

      // Two standard errors of the simulation below 95 %.
      expect(held / SIMULATIONS).toBeGreaterThan(0.94);
    },
  );
});
