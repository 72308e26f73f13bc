import { describe, expect, test } from 'vitest';
import { candidateThreshold, drawOf, heldOutCount, heldOutCut } from '#shared/training/decide/hold-out.ts';

const example = (text: string) => ({
  messages: [{ role: 'user', content: text } as const],
  completion: 'yes',
});

test.each([
  [2, 1],
  [30, 15],
  [40, 20],
  [48, 20],
  [200, 20],
  [1000, 100],
  [2000, 200],
  [1_000_000, 200],
])('how many rows are held out of %i rows %i', (rows, held) => {
  expect(heldOutCount(rows)).toBe(held);
});

describe('which rows are held out', () => {
  test('equal examples stand at one place, whatever their rows are', () => {
    expect(drawOf(example('a'))).toBe(drawOf({ ...example('a') }));
    expect(drawOf(example('a'))).not.toBe(drawOf(example('b')));
    expect(drawOf(example('a'))).not.toBe(drawOf({ ...example('a'), completion: 'no' }));
  });

  test('draws are even', () => {
    const draws = Array.from({ length: 4000 }, (_, n) => drawOf(example(`question ${n}`)));
    for (const at of [0.1, 0.25, 0.5, 0.9]) {
      expect(draws.filter((draw) => draw < at).length / draws.length).toBeCloseTo(at, 1);
    }
  });

  test.each([48, 200, 2000, 100_000])('of %i different rows as many are held out as are to be', (rows) => {
    const held = heldOutCount(rows);
    const threshold = candidateThreshold(rows, held);
    const candidates: number[] = [];
    for (let n = 0; n < rows; n += 1) {
      const draw = drawOf(example(`${rows} ${n}`));
      if (draw < threshold) candidates.push(draw);
    }

    const cut = heldOutCut(candidates, held, threshold >= 1);

    expect(candidates.filter((draw) => draw <= cut)).toHaveLength(held);
    expect(candidates.length).toBeLessThan(held + 12 * Math.sqrt(held) + 20);
  });

  test('rows that are all the same are all trained on', () => {
    expect(heldOutCut([0.5, 0.5, 0.5], 20, true)).toBe(-1);
  });

  test('of few different rows one half at least is trained on', () => {
    const cut = heldOutCut([0.1, 0.1, 0.2, 0.3, 0.4], 20, true);

    expect(cut).toBe(0.2);
  });
});
