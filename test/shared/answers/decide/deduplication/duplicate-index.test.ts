import { describe, expect, test } from 'vitest';
import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import {
  DEDUPLICATION_ROWS_MAX,
  type Duplicate,
  DuplicateIndex,
  indexBytes,
} from '#shared/answers/decide/deduplication/duplicate-index.ts';
import { RECORD_WORDS, Signer } from '#shared/answers/decide/deduplication/signature.ts';
import { AUGMENTATION_PROMPTS_MAX } from '#shared/growth/launch-augmentation.ts';
import { augment } from '#shared/growth/pipelines/augment.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

interface Row {
  readonly prompt: string;
  readonly context?: string;
  readonly image?: string;
}

/** What the index says of each of the rows, added in order. */
function addAll(rows: readonly (Row | null)[]): (Duplicate | null)[] {
  const signer = new Signer();
  const index = new DuplicateIndex(rows.length);
  return rows.map((row, n) => {
    const record = new Uint32Array(RECORD_WORDS);
    const { prompt = '', context = '', image = null } = row ?? {};
    const identity = JSON.stringify([prompt, context, image]);
    signer.sign(row === null ? null : { identity, prompt, context, apart: image }, record, 0);
    return index.add(n, record, 0);
  });
}

const repeated = (found: readonly (Duplicate | null)[]): [number, number, boolean][] =>
  found.flatMap((duplicate, row) =>
    duplicate === null ? [] : [[row, duplicate.similarTo, duplicate.isExact] as [number, number, boolean]],
  );

const LONG = Array.from({ length: 120 }, (_, n) => `word${n}`).join(' ');
const NEARLY = LONG.replace('word30', 'other');

test('the first of rows that are alike stays, and each of the others names it', () => {
  const found = addAll([
    { prompt: LONG },
    { prompt: 'how do i boil an egg' },
    { prompt: LONG },
    { prompt: NEARLY },
    { prompt: 'how do i boil an egg' },
  ]);

  expect(repeated(found)).toEqual([
    [2, 0, true],
    [3, 0, false],
    [4, 1, true],
  ]);
  expect(found[3]?.similarity).toBeGreaterThan(0.8);
  expect(found[3]?.similarity).toBeLessThan(1);
});

test('the first of rows that are alike is a kept row: what resembles only a dropped one stays', () => {
  const other = (text: string, place: number) =>
    text
      .split(' ')
      .map((word, n) => (n % 60 === place ? `other${n}` : word))
      .join(' ');
  const second = other(LONG, 0);
  const third = other(second, 18);

  expect(repeated(addAll([{ prompt: second }, { prompt: third }]))).toEqual([[1, 0, false]]);
  expect(repeated(addAll([{ prompt: LONG }, { prompt: second }, { prompt: third }]))).toEqual([
    [1, 0, false],
  ]);
});

test('the first of rows that are alike is the most similar where there are several', () => {
  const far = LONG.replace('word3 ', 'x ').replace('word20', 'y').replace('word40', 'z');

  expect(repeated(addAll([{ prompt: far }, { prompt: LONG }, { prompt: NEARLY }]))).toEqual([[2, 1, false]]);
});

test('rows are held apart by their context, where the prompt is the same', () => {
  const rows = Array.from({ length: 50 }, (_, n) => ({
    prompt: 'Summarize the following article for a reader who has no time, in at most three sentences.',
    context: `article ${n} speaks of topic ${n * 7} and of topic ${n * 13} and of topic ${n * 17}`,
  }));

  expect(repeated(addAll(rows))).toEqual([]);
});

test('rows are held apart by their prompt, where the context is the same', () => {
  const rows = ['who wrote it', 'when was it written', 'who is it about', 'who wrote it?'].map((prompt) => ({
    prompt,
    context: `${LONG} ${LONG.replaceAll('word', 'more')}`,
  }));

  expect(repeated(addAll(rows))).toEqual([[3, 0, false]]);
});

test('rows are held apart by their image, exactly and nearly', () => {
  const prompt = 'describe what can be seen in this picture in one sentence';
  const found = addAll([
    { prompt, image: 'a' },
    { prompt, image: 'b' },
    { prompt: `${prompt}.`, image: 'b' },
    { prompt: '', image: 'c' },
    { prompt: '', image: 'd' },
    { prompt: '', image: 'c' },
  ]);

  expect(repeated(found)).toEqual([
    [2, 1, false],
    [5, 3, true],
  ]);
});

test('rows are held apart where there is nothing to compare', () => {
  expect(repeated(addAll([null, null, { prompt: '...' }, { prompt: '!!!' }]))).toEqual([]);
});

describe('among many random rows', () => {
  const random = seededRandom('rows');
  const words = (count: number) => Array.from({ length: count }, () => `w${Math.floor(random() * 20_000)}`);
  const originals = Array.from({ length: 4000 }, () => words(30 + Math.floor(random() * 60)));
  /** Every fifth row is followed, far behind, by a copy of which one word is another, or none. */
  const planted = originals
    .filter((_, n) => n % 5 === 0)
    .map((row, n) => row.with(n % 7, n % 2 ? 'changed' : (row[n % 7] ?? '')));
  const rows = [...originals, ...planted].map((row) => ({ prompt: row.join(' ') }));
  const found = addAll(rows);

  test('every planted one is found with the row that it repeats, and no other', () => {
    expect(found.slice(0, originals.length).filter((duplicate) => duplicate !== null)).toEqual([]);
    const hits = found.slice(originals.length).filter((duplicate, n) => duplicate?.similarTo === n * 5);
    // A word of thirty that is another leaves a similarity near the threshold; one of ninety leaves 0.9.
    expect(hits.length / planted.length).toBeGreaterThan(0.85);
    const same = found.slice(originals.length).filter((_, n) => n % 2 === 0);
    expect(same.every((duplicate) => duplicate?.isExact === true)).toBe(true);
  });

  test('the same is found every time', () => {
    expect(addAll(rows)).toEqual(found);
  });
});

test('a template of which thousands of rows are made costs each of them few comparisons', () => {
  const rows = 4000;
  const frame = Array.from({ length: 90 }, (_, n) => `frame${n}`);
  const signer = new Signer();
  const index = new DuplicateIndex(rows);
  const record = new Uint32Array(RECORD_WORDS);

  for (let row = 0; row < rows; row += 1) {
    const own = Array.from({ length: 14 }, (_, n) => `own${row}x${n}`);
    const prompt = [...frame, ...own].join(' ');
    signer.sign({ identity: prompt, prompt, context: '', apart: null }, record.fill(0), 0);
    index.add(row, record, 0);
  }

  // Each of the 20 bands offers 16 rows, and most of them offer the same.
  expect(index.comparisons / rows).toBeGreaterThan(10);
  expect(index.comparisons / rows).toBeLessThan(16 * 20);
});

test('an index of as many rows as are taken fits the memory of its task', () => {
  const task = adapt.tasks['find-duplicates'];

  expect(indexBytes(DEDUPLICATION_ROWS_MAX)).toBeLessThan((task.memoryMb - 350) * 1024 * 1024);
  expect(() => new DuplicateIndex(DEDUPLICATION_ROWS_MAX + 1)).toThrow(RangeError);
});

test('an augmentation has a gigabyte beside the index of as many prompts as it compares', () => {
  const task = augment.tasks['assemble-augmentation'];

  expect(indexBytes(AUGMENTATION_PROMPTS_MAX)).toBeLessThan((task.memoryMb - 1024) * 1024 * 1024);
});
