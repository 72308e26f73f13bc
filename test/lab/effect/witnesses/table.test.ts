import { expect, test } from 'vitest';
import { describeWitnesses, measureWitnesses, TOGETHER } from '#lab/effect/witnesses/table.ts';

const noVectors = async (texts: readonly string[]) => texts.map(() => new Float32Array([1, 0]));

test('rows of public sets are looked at by each witness, and by all together for files with wrong rows', async () => {
  const sums = Array.from({ length: 20 }, (_, n) => ({
    prompt: `What are ${n} and 2?`,
    completion: `Adding both gives ${n} + 2 = ${n === 7 ? n + 3 : n + 2}, which is the answer.`,
    right: n !== 7,
  }));
  const facts = Array.from({ length: 20 }, (_, n) => ({
    prompt: `Who won race ${n}?`,
    completion: `Race ${n} was won by team ${n}, as in the year before it.`,
    right: true,
  }));
  const measured = await measureWitnesses(
    new Map([
      ['sums/a', sums],
      ['facts', facts],
    ]),
    noVectors,
  );

  const of = (witness: string) =>
    measured.lines
      .filter((line) => line.witness === witness)
      .map(({ rows, right, rightFlagged, wrong, wrongFlagged }) => [
        rows,
        right,
        rightFlagged,
        wrong,
        wrongFlagged,
      ]);
  expect(of(TOGETHER)).toEqual([['sums: as they are', 19, 0, 1, 1]]);
  expect(of('program')[0]).toEqual(['as they are', 39, 0, 1, 1]);
  expect(of('execution')).toEqual([
    ['as they are', 39, 0, 1, 0],
    ['as they are; functions with examples', 0, 0, 0, 0],
  ]);
  expect(of('neighbours')[0]).toEqual(['as they are', 39, 0, 1, 0]);
  expect(describeWitnesses(measured)).toContain(
    '| all together | sums: as they are | 19 | 0 (0.00 %) | 1 | 1 (100.00 %) |  |',
  );
});
