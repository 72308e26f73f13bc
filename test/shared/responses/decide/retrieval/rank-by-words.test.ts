import { expect, it } from 'vitest';
import { rankByWords } from '#shared/responses/decide/retrieval/rank-by-words.ts';
import { termsOf } from '#shared/responses/decide/retrieval/terms.ts';
import { WordShard, writeWordShard } from '#shared/responses/decide/retrieval/word-shard.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

const shardOf = (texts: readonly string[]): WordShard =>
  new WordShard(
    writeWordShard(
      texts,
      texts.map((_, n) => 10 * (n + 1)),
    ),
  );

function rank(shards: readonly (readonly string[])[], query: string, k: number) {
  const terms = [...new Set(termsOf(query))];
  return rankByWords(
    shards.map((texts) => shardOf(texts).match(terms)),
    terms.length,
    k,
  );
}

/** The formula as it is written down, row by row. */
function rankByHand(texts: readonly string[], query: string, k: number) {
  const rows = texts.map(termsOf);
  const mean = rows.reduce((sum, row) => sum + row.length, 0) / rows.length;
  const terms = [...new Set(termsOf(query))];
  return rows
    .map((row, n) => {
      let score = 0;
      for (const term of terms) {
        const having = rows.filter((other) => other.includes(term)).length;
        const times = row.filter((other) => other === term).length;
        const idf = Math.log(1 + (rows.length - having + 0.5) / (having + 0.5));
        score += (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * row.length) / mean));
      }
      return { row: n, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, k);
}

/** Words of which few are frequent and many are rare, in rows of very different lengths. */
function randomTexts(count: number, seed: string): string[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () =>
    Array.from(
      { length: Math.floor(1 + 60 * random() ** 3) },
      () => `w${Math.floor(1 / random() ** 1.5)}`,
    ).join(' '),
  );
}

it('a ranking by words is that of the formula over all rows, whatever shards they are in', () => {
  const texts = randomTexts(700, 'rows');
  const shards = [texts.slice(0, 1), texts.slice(1, 300), texts.slice(300)];
  for (const query of [
    'w1 w2 w700',
    'w3',
    'w9 w9 w9 w14',
    'w1 absent',
    randomTexts(1, 'query')[0] as string,
  ]) {
    const found = rank(shards, query, 50);
    const expected = rankByHand(texts, query, 50);
    expect(found.map(({ row }) => row)).toEqual(expected.map(({ row }) => row));
    for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(expected[at]?.score ?? 0, 10);
  }
});

it('a ranking by words leaves out rows that have none of the words', () => {
  expect(rank([['red fox'], ['blue whale', 'grey wolf']], 'whale', 10)).toHaveLength(1);
  expect(rank([['red fox']], 'whale', 10)).toEqual([]);
  expect(rank([['red fox']], '?!', 10)).toEqual([]);
  expect(rank([], 'whale', 10)).toEqual([]);
});

it('a ranking by words counts a word that is in every row for something', () => {
  expect(rank([['fox', 'fox fox']], 'fox', 10).map(({ row }) => row)).toEqual([1, 0]);
});

it('a ranking by words puts the lower row first among equals', () => {
  const texts = Array.from({ length: 40 }, () => 'the same words');
  expect(rank([texts.slice(0, 7), texts.slice(7)], 'words', 5).map(({ row }) => row)).toEqual([
    0, 1, 2, 3, 4,
  ]);
});

it('a ranking by words finds words by their bytes, in any script', () => {
  const texts = ['zebra', 'Ωμέγα', '𠮷野家', 'a', '東京'];
  for (const [n, text] of texts.entries()) {
    expect(rank([texts], text, 1).map(({ row }) => row)).toEqual([n]);
  }
});

it('an object of words keeps where the texts end', () => {
  expect([...shardOf(['one', 'two words', 'three']).match([]).textEnds]).toEqual([10, 20, 30]);
});

it('an object of words is refused where it is another object, or cut short', () => {
  const body = writeWordShard(['one two'], [5]);
  expect(() => new WordShard(Buffer.from('{}'))).toThrow('holds no words');
  expect(() => new WordShard(body.subarray(0, body.length - 1))).toThrow('incomplete');
  expect(new WordShard(Buffer.concat([Buffer.alloc(3), body]).subarray(3)).rows).toBe(1);
});
