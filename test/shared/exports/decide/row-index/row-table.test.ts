import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  blockOf,
  NumberList,
  rangesOf,
  readNumbers,
  ValueNumbers,
} from '#shared/exports/decide/row-index/row-table.ts';

test('a block is the last one that does not begin after a row', () => {
  const firstRows = Uint32Array.of(0, 3, 4, 10);

  expect([0, 2, 3, 4, 9, 10, 999].map((row) => blockOf(firstRows, row))).toEqual([0, 0, 1, 2, 2, 3, 3]);
});

test('ranges contain every wanted block, begin with one and end with one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 40 }), isWanted: fc.boolean() }), {
        maxLength: 40,
      }),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 120 }),
      (blocks, gapMax, bytesMax) => {
        let end = 0;
        const ends = Float64Array.from(blocks, ({ bytes }) => (end += bytes));
        const wanted = blocks.flatMap(({ isWanted }, block) => (isWanted ? [block] : []));
        const from = (block: number): number => (block === 0 ? 0 : (ends[block - 1] as number));

        const ranges = rangesOf(ends, wanted, { gapMax, bytesMax });

        expect(ranges.flatMap((range) => range.blocks)).toEqual(wanted);
        for (const range of ranges) {
          expect(range.from).toBe(from(range.blocks[0] as number));
          expect(range.to).toBe((ends[range.blocks.at(-1) as number] as number) - 1);
          expect(range.to - range.from < bytesMax || range.blocks.length === 1).toBe(true);
        }
      },
    ),
  );
});

test('numbers come back from any place in an object', () => {
  const list = new NumberList((length) => new Float64Array(length));
  for (let n = 0; n < 3000; n += 1) list.push(n * 1e10);
  const object = Buffer.concat([Buffer.alloc(5), list.bytes(), Buffer.alloc(3)]);
  const section = { at: 5, bytes: list.bytes().length };

  const whole = readNumbers(Float64Array, object, 0, section);
  const part = readNumbers(Float64Array, object.subarray(5 + 8), 5 + 8, { at: 5 + 8, bytes: 8 });

  expect(list.length).toBe(3000);
  expect(whole[2999]).toBe(2999e10);
  expect([...part]).toEqual([1e10]);
});

test('more values than two bytes can number have no number', () => {
  const values = new ValueNumbers();
  for (let n = 0; n < 65_535; n += 1) values.numberOf(`value ${n}`);

  expect(values.numberOf('value 65534')).toBe(65_535);
  expect(values.numberOf('one more')).toBe(0);
  expect(values.numberOf('value 0')).toBe(1);
  expect(values.numberOf(null)).toBe(0);
  expect(values.numberOf('__proto__')).toBe(0);
});
