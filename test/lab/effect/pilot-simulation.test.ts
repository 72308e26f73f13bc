import { expect, test } from 'vitest';
import { PILOTS_REPORT, simulateCell, simulateHalves } from '#lab/effect/pilot-report.ts';
import { readPage } from '#test/helpers/pages.ts';

test('simulated pilots of 2,000 datasets, with a judge that is wrong about one pair in ten where the checks decide nothing, name the right arm or none in 90 %', () => {
  const { right, falsely } = simulateHalves({ sampleRows: 30, judgeError: 0.1, checked: [0.3, 0.7] }, 2_000);

  expect(right).toBeGreaterThanOrEqual(0.9);
  expect(falsely).toBeLessThanOrEqual(0.05);
});

test('simulated pilots name it in 90 % with a judge alone that is wrong about one pair in twenty, or with 40 rows about one in ten', () => {
  const checked = [0, 0] as const;

  expect(simulateHalves({ sampleRows: 30, judgeError: 0.05, checked }, 2_000).right).toBeGreaterThan(0.9);
  expect(simulateHalves({ sampleRows: 40, judgeError: 0.1, checked }, 2_000).right).toBeGreaterThan(0.9);
  expect(simulateHalves({ sampleRows: 30, judgeError: 0.1, checked }, 2_000).right).toBeGreaterThan(0.83);
});

test('recommend an arm in at most 3 % where every arm is exactly as good as the originals', () => {
  for (const sampleRows of [30, 60]) {
    expect(simulateCell('judged', 'even', sampleRows).wrong).toBeLessThan(0.03);
  }
});

test('simulated pilots have the figures of the documentation', () => {
  const written = readPage(`docs/effect/${PILOTS_REPORT}.md`);
  const { right } = simulateCell('judged', 0.9, 30);

  expect(written).toContain(`| win rate 0.9: the best arm is recommended | ${(100 * right).toFixed(1)} % |`);
});
