import { expect, test } from 'vitest';
import { scoreTexts } from '#trainer/embedded/batch.ts';
import { createPack, type Encoded, packRows } from '#trainer/embedded/packing.ts';
import { createTinyNetwork } from './tiny-network.ts';

const text = (tokens: readonly number[], start = 1): Encoded => ({ tokens: Int32Array.from(tokens), start });

test('texts that begin alike have their beginning once', () => {
  const pack = createPack([text([1, 2, 3, 4], 2), text([1, 2, 5], 2), text([7, 2], 1)]);
  expect([...pack.tokens.subarray(0, 7)]).toEqual([1, 2, 3, 4, 5, 7, 2]);
  expect([...pack.parents.subarray(0, 7)]).toEqual([-1, 0, 1, 2, 1, -1, 5]);
  expect([...pack.positions.subarray(0, 7)]).toEqual([0, 1, 2, 3, 2, 0, 1]);
  expect([...pack.targetPlaces]).toEqual([1, 2, 1, 5]);
  expect([...pack.targets]).toEqual([3, 4, 5, 2]);
  expect(pack.bounds).toEqual([0, 2, 3, 4]);
  expect(pack.tokens).toHaveLength(32);
});

test('a text is as likely in company as by itself', async () => {
  const network = await createTinyNetwork();
  const texts = [
    text([1, 2, 3, 4, 9, 11], 2),
    text([1, 2, 3, 8, 30], 1),
    text([5, 6, 7], 0),
    text(
      Array.from({ length: 90 }, (_, index) => (index * 7) % 32),
      60,
    ),
  ];
  const together = await scoreTexts(network, texts);
  for (const [index, alone] of texts.entries()) {
    expect(together[index]).toBeCloseTo(
      (await network.score(createPack([alone]))).logprobs.reduce(sum, 0),
      3,
    );
  }
});

test('every text of every row is in one pack, and those of a row are in one group', () => {
  const long = (first: number, length: number) =>
    text([first, ...Array.from({ length }, (_, index) => index)]);
  const rows = [
    [long(1, 20), long(2, 30)],
    [long(3, 190), long(4, 190)],
    [long(5, 60)],
    [text([])],
    [long(6, 300)],
  ];
  const groups = packRows(rows);
  const places = groups.map(({ packs }) => packs.flatMap(({ texts }) => texts));
  expect(places.flat()).toHaveLength(7);
  for (const row of rows.keys()) {
    expect(places.filter((group) => group.some((place) => place.row === row))).toHaveLength(1);
  }
  expect(Math.max(...groups.flatMap(({ packs }) => packs.map(({ pack }) => pack.tokens.length)))).toBe(320);
});

function sum(total: number, value: number): number {
  return total + value;
}
