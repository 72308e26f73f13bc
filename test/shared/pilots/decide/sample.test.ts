import { expect, test } from 'vitest';
import { type SampleCandidate, stratifiedSample } from '#shared/pilots/decide/sample.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

/** Rows of two languages, and of lengths from 60 to 1,300 characters. */
function rowsOf(count: number, seed = 'rows'): SampleCandidate[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, row) => ({
    row,
    characters: 60 * (1 + Math.floor(20 * random())) + (row % 10),
    language: random() < 0.8 ? 'en' : 'de',
  }));
}

const sampled = (rows: readonly SampleCandidate[], count: number, seed = 'seed'): SampleCandidate[] => {
  const drawn = new Set(stratifiedSample(rows, count, seed));
  return rows.filter(({ row }) => drawn.has(row));
};

test('a stratified sample has as many rows as asked for, each once and in ascending order', () => {
  for (const count of [1, 2, 7, 30, 199]) {
    const drawn = stratifiedSample(rowsOf(200), count, 'seed');

    expect(drawn).toEqual([...new Set(drawn)].sort((a, b) => a - b));
    expect(drawn).toHaveLength(count);
  }
});

test('a stratified sample is the same for the same seed, in whichever order the candidates come, and another for another', () => {
  const rows = rowsOf(300);

  expect(stratifiedSample(rows.toReversed(), 30, 'a')).toEqual(stratifiedSample(rows, 30, 'a'));
  expect(stratifiedSample(rows, 30, 'b')).not.toEqual(stratifiedSample(rows, 30, 'a'));
});

test('a stratified sample is all rows where there are no more, and none of none', () => {
  const rows = rowsOf(5).map((each) => ({ ...each, row: each.row * 10 }));

  expect(stratifiedSample(rows.toReversed(), 5, 's')).toEqual([0, 10, 20, 30, 40]);
  expect(stratifiedSample(rows, 9, 's')).toEqual([0, 10, 20, 30, 40]);
  expect(stratifiedSample([], 9, 's')).toEqual([]);
  expect(stratifiedSample(rows, 0, 's')).toEqual([]);
  expect(stratifiedSample([...rows, ...rows], 5, 's')).toEqual([0, 10, 20, 30, 40]);
});

test('a stratified sample has the languages and lengths in the proportion of the candidates, within two rows', () => {
  const rows = rowsOf(1_000);
  const third = rows.map(({ characters }) => characters).sort((a, b) => a - b)[333] ?? 0;
  const isShort = ({ characters }: SampleCandidate): boolean => characters < third;
  for (const seed of ['a', 'b', 'c', 'd', 'e']) {
    const drawn = sampled(rows, 60, seed);
    const off = drawn.filter(isShort).length - (60 * rows.filter(isShort).length) / rows.length;

    expect(Math.abs(off)).toBeLessThanOrEqual(2);
    const english = (some: readonly SampleCandidate[]): number =>
      some.filter(({ language }) => language === 'en').length;
    expect(Math.abs(english(drawn) - 0.06 * english(rows))).toBeLessThan(1);
  }
});

test('a stratified sample gives rare languages their share together, though each is too rare for a row', () => {
  const rows = rowsOf(1_000).map((each) => ({
    ...each,
    language: each.row % 10 < 7 ? 'en' : `x${each.row % 50}`,
  }));

  const rare = sampled(rows, 30).filter(({ language }) => language !== 'en').length;
  expect(rare).toBeGreaterThanOrEqual(8);
  expect(rare).toBeLessThanOrEqual(10);
});

test('a stratified sample draws every row with the same probability', () => {
  const rows = rowsOf(60);
  const times = new Map<number, number>();
  for (let n = 0; n < 200; n += 1) {
    for (const row of stratifiedSample(rows, 20, `seed ${n}`)) times.set(row, (times.get(row) ?? 0) + 1);
  }

  expect(times.size).toBe(60);
  // A third of 200, with a standard deviation of 6.7.
  expect(Math.min(...times.values())).toBeGreaterThan(40);
  expect(Math.max(...times.values())).toBeLessThan(94);
});

test('a stratified sample is drawn also where no language is known and all rows are empty', () => {
  const rows = Array.from({ length: 400 }, (_, row) => ({ row, characters: 0, language: null }));

  expect(stratifiedSample(rows, 30, 'seed')).toHaveLength(30);
});
