import { expect, test } from 'vitest';
import { ReportBuilder, type TouchedRow } from '#bin/check/check-report.ts';

const doubted = (why: string) =>
  ({ outcome: 'doubted', defect: 'doubtful', form: 'open', why, fallback: null }) as const;
const quoted = (row: number): TouchedRow => ({
  ...doubted('is wrong'),
  ...{ file: 'rows.csv', row, prompt: 'q', completion: 'a', becomes: null },
});

test('a report reads no more rows of a check than it may show', () => {
  const builder = new ReportBuilder(3);
  const read: number[] = [];
  for (let row = 0; row < 100; row += 1) {
    builder.add(doubted('is wrong'), () => {
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
  for (let n = 0; n < 1000; n += 1) builder.add(doubted(`has ${letters(n)}`), () => quoted(n));

  const { checks } = builder.report([]);

  expect(checks).toHaveLength(201);
  expect(checks[0]).toEqual({ check: 'other findings', defect: 'doubtful', changed: 0, doubted: 800 });
});
