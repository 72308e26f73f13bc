import { expect, test } from 'vitest';
import { describeLadder, ladderRowsOf, ladderRowsOfRegister, measureLadder } from '#lab/effect/ladder.ts';
import { loadRows } from '#lab/effect/load-rows.ts';

const halves = await loadRows();

test.each(['held-out', 'development'] as const)(
  'verification spoils no right row of the half %s on any rung, and corrects more the better the model is',
  async (half) => {
    const counts = await measureLadder(await ladderRowsOf(halves[half]), 'correct', [0.6, 0.95, 1]);
    const of = (errors: string) => counts.filter((count) => count.errors === errors);

    const measured = counts.filter(({ errors }) => errors !== 'systematic, on rows alone');
    expect(measured.map(({ spoiled }) => spoiled)).toEqual(measured.map(() => 0));
    const [low, high, all] = of('independent').map(({ corrected, wrong }) => corrected / wrong);
    expect(low).toBeLessThan(0.2);
    expect(high).toBeGreaterThan(0.6);
    expect(all).toBeGreaterThanOrEqual(high as number);
    // A model that errs in the same way each time is measured, and not believed for agreeing with itself.
    const [mostly, nearly] = of('systematic').map(({ corrected, wrong }) => corrected / wrong);
    expect([mostly, nearly].every((share) => (share as number) < 0.2)).toBe(true);
  },
  60_000,
);

test('rows of public sets have other rows’ answers where none of them is wrong', () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({
    prompt: `How much is ${n} + 1?`,
    completion: `${n + 1}`,
    right: true,
  }));
  const ladder = ladderRowsOfRegister(new Map([['sums', rows]]));

  expect(ladder.filter(({ right }) => !right)).toHaveLength(2);
  expect(describeLadder([])).toContain('| errors |');
});
