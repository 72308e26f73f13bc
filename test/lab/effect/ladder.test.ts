import { expect, test } from 'vitest';
import {
  describeBlindCalibration,
  describeLadder,
  describeVerified,
  ladderModel,
  ladderRowsOf,
  ladderRowsOfRegister,
  measureLadder,
  sampleRows,
  verifyRows,
} from '#lab/effect/ladder.ts';
import { loadRows } from '#lab/effect/load-rows.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { measureBlind } from '#shared/witnesses/calibrate-blind.ts';
import { askingInTests } from '#test/helpers/replying-model.ts';

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

test('a model that is asked as a witness is measured before, and verifies a sample of each set', async () => {
  const rows = Array.from({ length: 40 }, (_, n) => ({
    prompt: `How many apples are ${n} apples and ${n + 2} apples?`,
    completion: `${2 * n + 2}`,
    right: true,
    set: n % 2 === 0 ? 'even' : 'odd',
  }));
  const datasets = new Map(['even', 'odd'].map((name) => [name, rows.filter(({ set }) => set === name)]));
  const ladder = ladderRowsOfRegister(datasets);
  const sampled = sampleRows(ladder, 15);
  const model = ladderModel(ladder, 1, 'independent');
  const calibration = await measureBlind(model, askingInTests(), newCallMeter());
  const count = await verifyRows(sampled, { model, calibration }, askingInTests(), 'correct');

  expect(sampled).toHaveLength(30);
  expect(count).toMatchObject({ spoiled: 0, corrected: count.wrong, right: 30 - count.wrong });
  expect(count.wrong).toBeGreaterThan(0);
  expect(describeVerified([{ verification: 'correct', ...count }])).toContain(
    `| ${count.wrong} (100.00 %) |`,
  );
  expect(describeBlindCalibration(calibration)).toMatch(/\| label \| \d+ \| 0 \(0\.00 %\)/);
});
