import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Bill, type Billed, prices, toTable } from '#lab/cost/prices.ts';

const cellsOf = (table: string): string[][] =>
  table
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) => line.slice(2, -2).split(' | '));

const number = (text = ''): number => Number(text.replaceAll(/[*,]/g, ''));

test('a bill multiplies what was counted with its price and adds it up', () => {
  const bill = Object.fromEntries(Object.keys(prices).map((billed) => [billed, 0])) as Record<Billed, number>;
  const table = toTable({ ...bill, stateTransition: 40, objectWrite: 200 } satisfies Bill);

  const rows = new Map(cellsOf(table).map(([name, ...cells]) => [name, cells.map(number)]));
  expect(rows.get(prices.stateTransition.name)).toEqual([40, 25, 0.001]);
  expect(rows.get(prices.objectWrite.name)).toEqual([200, 5, 0.001]);
  expect(rows.get('**Together**')?.at(-1)).toBe(0.002);
});

test('the table of the document is one of these, at these prices', () => {
  const document = readFileSync(new URL('../../docs/operations/pay.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- cost -->\n(.*)\n<!-- \/cost -->/s.exec(document) ?? [];
  const [, ...rows] = cellsOf(table);
  const total = rows.pop();

  expect(rows.map(([name]) => name)).toEqual(Object.values(prices).map(({ name }) => name));
  for (const [index, [name, count, million, cost]] of rows.entries()) {
    const { usd } = Object.values(prices)[index] ?? { usd: Number.NaN };
    expect(number(million) / 1e6, name).toBeCloseTo(usd, 9);
    // Three digits of each are shown.
    expect(Math.abs(number(cost) - number(count) * usd), name).toBeLessThanOrEqual(0.01 * number(cost));
  }
  const sum = rows.reduce((added, cells) => added + number(cells[3]), 0);
  expect(Math.abs(number(total?.at(-1)) - sum)).toBeLessThanOrEqual(0.01 * sum);
});
