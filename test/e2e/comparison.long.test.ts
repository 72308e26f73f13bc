import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MeasuredComparison, measureComparisons } from '#lab/effect/comparison-measure.ts';
import { holdsHalf, liesAbove, winRatesOf } from '#lab/effect/comparison-report.ts';
import { COMPARED_MODEL } from '#lab/effect/comparison-service.ts';
import { setUpModels } from '#local/model/setup.ts';
import { silentProgress } from '#local/progress.ts';
import { describeTrainer, loadModel } from '#trainer/embedded/load-model.ts';
import { trainerModelIds } from '#trainer/embedded/models.ts';

/** 48 trainings: fifty minutes on two cores, and twice that beside other work. */
const MILLISECONDS_MAX = 3 * 3_600_000;

const folder = mkdtempSync(join(tmpdir(), 'tunesmith-comparisons-'));
let measured: readonly MeasuredComparison[];

beforeAll(async () => {
  await setUpModels(trainerModelIds, silentProgress);
  measured = await measureComparisons({
    model: await loadModel(COMPARED_MODEL),
    trainer: await describeTrainer(),
    file: join(folder, 'comparisons.jsonl'),
    onProgress: (text) => console.log(text),
  });
}, MILLISECONDS_MAX);
afterAll(() => rmSync(folder, { recursive: true }));

test('a comparison tells the model that was trained on clean rows from that of noisy ones', () => {
  const rates = winRatesOf(measured, 'noisy-longer');

  expect(rates).toHaveLength(1);
  expect(rates.filter(liesAbove)).toHaveLength(1);
});

test('it never finds the model of the noisy rows better on a row, however short the trainings are', () => {
  const rates = winRatesOf(measured, 'noisy');

  expect(rates).toHaveLength(3);
  for (const { wins, losses } of rates) {
    expect(losses).toBe(0);
    expect(wins).toBeGreaterThan(0);
  }
});

test('it holds 0.5 for two equal halves in at least 17 of 20 seeds, and decides rows in most of them', () => {
  const rates = winRatesOf(measured, 'equal');

  expect(rates).toHaveLength(20);
  expect(rates.filter(holdsHalf).length).toBeGreaterThanOrEqual(17);
  // An interval around nothing but ties would hold 0.5 whatever the models are worth.
  expect(rates.filter(({ wins, losses }) => wins + losses > 0).length).toBeGreaterThanOrEqual(17);
});
