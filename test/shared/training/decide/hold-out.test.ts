import { describe, expect, test } from 'vitest';
import {
  drawOf,
  HELD_OUT_ROWS_MAX,
  heldOutCount,
  LowestDraws,
  LowestExamples,
} from '#shared/training/decide/hold-out.ts';

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

  test.each([2, 48, 200, 1999, 2001, 60_000])(
    'of %i different rows as many are held out as are to be, those that are lowest',
    (rows) => {
      const draws = new LowestDraws();
      const all: number[] = [];
      const candidates = new Set<number>();
      for (let n = 0; n < rows; n += 1) {
        const draw = drawOf(example(`${rows} ${n}`));
        all.push(draw);
        draws.add(draw);
        if (draws.mayBeLowest(draw)) candidates.add(draw);
      }

      const held = draws.heldOut();

      expect([...held]).toEqual(all.sort((a, b) => a - b).slice(0, heldOutCount(rows)));
      expect([...held].every((draw) => candidates.has(draw))).toBe(true);
      expect(candidates.size).toBeLessThan(HELD_OUT_ROWS_MAX * (2 + Math.log(rows)));
    },
  );

  test('rows that are all the same are all trained on', () => {
    const draws = new LowestDraws();
    for (const draw of [0.5, 0.5, 0.5]) draws.add(draw);

    expect(draws.heldOut().size).toBe(0);
  });

  test('rows that repeat others change nothing of how many are held out', () => {
    const draws = new LowestDraws();
    for (const draw of [0.1, 0.3, 0.1, 0.4, 0.2, 0.1, 0.3]) draws.add(draw);

    expect([...draws.heldOut()]).toEqual([0.1, 0.2]);
  });
});

test.each([
  ['at random', () => 0],
  ['by their draws, the highest first', (a: number, b: number) => b - a],
  ['by their draws, the lowest first', (a: number, b: number) => a - b],
])('examples that come %s leave those of the lowest draws, and few others are held meanwhile', (_, order) => {
  const draws = Array.from({ length: 5000 }, (__, n) => drawOf(example(`question ${n}`)));
  const lowest = new LowestExamples<string>();
  let most = 0;
  for (const draw of [...draws].sort(order)) {
    lowest.add(draw, `example ${draw}`);
    most = Math.max(most, lowest.size);
  }

  const expected = draws.sort((a, b) => a - b).slice(0, HELD_OUT_ROWS_MAX);
  expect([...lowest.lowest()]).toEqual(expected.map((draw) => [draw, `example ${draw}`]));
  expect(most).toBeLessThanOrEqual(2 * HELD_OUT_ROWS_MAX);
});
