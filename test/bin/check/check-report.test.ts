import { expect, test } from 'vitest';
import { ReportBuilder } from '#bin/check/check-report.ts';
import type { TouchedRow } from '#clients/typescript/src/cli/checker.ts';

const doubted = (why: string) =>
  ({ outcome: 'doubted', defect: 'doubtful', form: 'open', why, fallback: null }) as const;
const place = (row: number) => ({ file: 'rows.csv', row });
const quoted = (row: number): TouchedRow => ({
  ...doubted('is wrong'),
  ...{ ...place(row), prompt: 'q', completion: 'a', becomes: null, fallback: null },
});

test('a report reads no more rows of a check than it may show', () => {
  const builder = new ReportBuilder(3);
  const read: number[] = [];
  for (let row = 0; row < 100; row += 1) {
    builder.add(doubted('is wrong'), place(row), () => {
      read.push(row);
      return quoted(row);
    });
  }

  expect(read).toEqual([0, 1, 2]);
  expect(builder.report([])).toMatchObject({ rows: 100, doubted: 100, touched: [0, 1, 2].map(quoted) });
});

test('findings that all differ become one check after 200, so that they do not fill the memory', () => {
  const builder = new ReportBuilder(1);
  const letters = (n: number): string => String.fromCodePoint(0x4e00 + n);
  for (let n = 0; n < 1000; n += 1) builder.add(doubted(`has ${letters(n)}`), place(n), () => quoted(n));

  const { checks } = builder.report([]);

  expect(checks).toHaveLength(201);
  expect(checks[0]).toEqual({ check: 'other findings', defect: 'doubtful', changed: 0, doubted: 800 });
});

test('the report lists the first 1,000 empty rows, and as many skipped ones', () => {
  const builder = new ReportBuilder(1);
  const empty = { ...doubted('is empty'), defect: 'empty' } as const;
  for (let n = 0; n < 2100; n += 1) {
    builder.add(n % 2 === 0 ? empty : { outcome: 'skipped' }, place(n), () => quoted(n));
  }

  const { empty_rows, skipped_rows, ...counts } = builder.report([]);

  expect(counts).toMatchObject({ empty: 1050, skipped: 1050, touched: [] });
  expect(empty_rows).toEqual(Array.from({ length: 1000 }, (_, n) => place(2 * n)));
  expect(skipped_rows).toEqual(Array.from({ length: 1000 }, (_, n) => place(2 * n + 1)));
  expect(builder.answers).toBe(0);
});
