import { expect, test } from 'vitest';
import { type SampleCandidate, stratifiedSample } from '#shared/pilots/decide/sample.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';

const SUBJECTS = [
  'How long do I cook rice with beans and onions in a pan',
  'Which planet of the solar system has the largest moon in orbit',
  'Write a function that sorts an array of strings in Python code',
  'Who won the football match of the league on Saturday evening',
];

/** Rows of four subjects, two languages and lengths from 40 to 1,300 characters. */
function rowsOf(count: number, seed = 'rows'): SampleCandidate[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, row) => {
    const subject = SUBJECTS[row % SUBJECTS.length] ?? '';
    const text = `${subject} ${row} `.repeat(1 + Math.floor(20 * random()));
    return { row, characters: text.length, language: random() < 0.8 ? 'en' : 'de', text };
  });
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

test('a stratified sample has the languages, lengths and subjects in the proportion of the candidates, within two rows', () => {
  const rows = rowsOf(1_000);
  const third = rows.map(({ characters }) => characters).sort((a, b) => a - b)[333] ?? 0;
  const groups: ((row: SampleCandidate) => boolean)[] = [
    ({ characters }) => characters < third,
    ...SUBJECTS.map(
      (subject) =>
        ({ text }: SampleCandidate) =>
          text.startsWith(subject),
    ),
  ];
  for (const seed of ['a', 'b', 'c', 'd', 'e']) {
    const drawn = sampled(rows, 60, seed);
    const off = groups.map(
      (isOf) => drawn.filter(isOf).length - (60 * rows.filter(isOf).length) / rows.length,
    );

    expect(Math.max(...off.map(Math.abs))).toBeLessThanOrEqual(2);
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

test('a stratified sample survives hostile texts', () => {
  const texts = ['', ' \n\t', `e${'\u0301'.repeat(50_000)}`, '\ud800 word \udfff', '日本語'.repeat(5_000)];
  const rows = Array.from({ length: 400 }, (_, row) => {
    const text = texts[row % texts.length] ?? '';
    return { row, characters: text.length, language: row % 3 === 0 ? null : 'en', text };
  });
  expect(stratifiedSample(rows, 30, 'seed')).toHaveLength(30);
  const empty = rows.map((each) => ({ ...each, text: '', characters: 0, language: null }));
  expect(stratifiedSample(empty, 30, 'seed')).toHaveLength(30);

  const repeated = (text: string): number[] =>
    stratifiedSample(
      rows.slice(0, 50).map((each) => ({ ...each, text, characters: text.length })),
      20,
      'seed',
    );
  expect(slowTexts(repeated)).toEqual([]);
});

test('a stratified sample of 5,000 candidates with 2,000 characters and more takes less than a second', () => {
  const random = seededRandom('words');
  const word = (): string => Math.floor(20_000 * random()).toString(36);
  const words = Array.from({ length: 10_000 }, word).join(' ');
  const rows = Array.from({ length: 5_000 }, (_, row) => {
    const from = Math.floor(30_000 * random());
    const text = words.slice(from, from + 2_500);
    return { row, characters: text.length, language: 'en', text };
  });

  const draw = (): number => millisecondsOf(() => stratifiedSample(rows, 30, 'seed'));
  const taken = draw();
  // The processor is shared: what is slow once may have been waiting.
  expect(taken < 1_000 ? taken : draw()).toBeLessThan(1_000);
});
