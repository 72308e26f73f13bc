import { expect, test } from 'vitest';
import type { DocumentRow } from '#shared/tabular/decide/documents/document-row.ts';
import { PASSAGE_CHARACTERS_MAX, Passages } from '#shared/tabular/decide/documents/passages.ts';

function gather(write: (passages: Passages) => void): DocumentRow[] {
  const rows: DocumentRow[] = [];
  const passages = new Passages({ source_file: 'a.docx', format: 'docx' }, (row) => rows.push(row));
  write(passages);
  passages.end();
  return rows;
}
const said = (rows: readonly DocumentRow[]) => rows.map(({ heading, text }) => [heading, text]);
const cells = (...texts: string[]) => texts.map((text, column) => ({ column, text }));

test('headings stand above a passage from the outermost to its own', () => {
  const rows = gather((passages) => {
    passages.paragraph('Before.');
    passages.heading(1, 'One');
    passages.heading(3, 'Deep');
    passages.paragraph('a');
    passages.heading(2, 'Less deep');
    passages.paragraph('b');
    passages.heading(1, 'Two');
    passages.paragraph('c');
  });

  expect(said(rows)).toEqual([
    [null, 'Before.'],
    ['One > Deep', 'a'],
    ['One > Less deep', 'b'],
    ['Two', 'c'],
  ]);
});

test('headings that nothing stands below are passages themselves', () => {
  const rows = gather((passages) => {
    passages.heading(1, 'Cover');
    passages.heading(1, 'One');
    passages.heading(2, 'Empty');
    passages.heading(2, 'Full');
    passages.paragraph('a');
    passages.heading(1, 'End');
  });

  expect(said(rows)).toEqual([
    [null, 'Cover'],
    ['One', 'Empty'],
    ['One > Full', 'a'],
    [null, 'End'],
  ]);
});

test('headings go on from page to page, and end with a slide or a sheet', () => {
  const rows = gather((passages) => {
    passages.moveTo({ page: 1 });
    passages.heading(1, 'One');
    passages.paragraph('a');
    passages.moveTo({ page: 2 });
    passages.paragraph('b');
    passages.moveTo({ slide: 3 });
    passages.paragraph('c');
  });

  expect(rows.map(({ page, slide, heading, text }) => [page, slide, heading, text])).toEqual([
    [1, null, 'One', 'a'],
    [2, null, 'One', 'b'],
    [null, 3, null, 'c'],
  ]);
});

test('headings as long as text are text', () => {
  expect(said(gather((passages) => passages.heading(1, 'x'.repeat(201))))).toEqual([[null, 'x'.repeat(201)]]);
});

test('a passage holds blocks until they are too many, and never one that another heading has', () => {
  const rows = gather((passages) => {
    for (let n = 0; n < 5; n += 1) passages.paragraph('x'.repeat(900));
  });

  expect(rows.map(({ text }) => text.length)).toEqual([1802, 1802, 900]);
});

test('a passage is never longer than it may be, and loses no word of a paragraph that is', () => {
  const text = Array.from({ length: 1500 }, (_, n) => `Word ${n}${n % 9 === 0 ? '. ' : ' '}`)
    .join('')
    .trim();

  const rows = gather((passages) => passages.paragraph(text));

  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) expect(row.text.length).toBeLessThanOrEqual(PASSAGE_CHARACTERS_MAX);
  expect(
    rows
      .map((row) => row.text)
      .join(' ')
      .split(/\s+/),
  ).toEqual(text.split(/\s+/));
  expect(rows.slice(0, -1).every((row) => row.text.endsWith('.'))).toBe(true);
});

test('a passage is cut between characters, not within one', () => {
  const rows = gather((passages) => passages.paragraph('🐧'.repeat(3000)));

  expect(rows.map(({ text }) => text).join('')).toBe('🐧'.repeat(3000));
  for (const { text } of rows) expect(text).not.toMatch(/\p{Cs}/u);
});

test('a passage sets list items below each other and other blocks apart, without control characters', () => {
  const rows = gather((passages) => {
    passages.paragraph('Two\u0000 things:\r\nthese');
    passages.paragraph('- a');
    passages.paragraph('  - b');
    passages.paragraph('Done.');
  });

  expect(said(rows)).toEqual([[null, 'Two things:\nthese\n\n- a\n  - b\n\nDone.']]);
});

test('a table keeps its columns where cells are missing, and escapes what parts them', () => {
  const rows = gather((passages) => {
    passages.tableRow(cells('Name', 'Note', 'Sum'));
    passages.tableRow([{ column: 2, text: '7' }]);
    passages.tableRow([]);
    passages.tableRow(cells('a|b', 'two\nlines'));
  });

  expect(said(rows)).toEqual([
    [null, '| Name | Note | Sum |\n| --- | --- | --- |\n|  |  | 7 |\n| a\\|b | two lines |  |'],
  ]);
});

test('a table that is cut has its first row again in each part, and every other row once', () => {
  const rows = gather((passages) => {
    passages.tableRow(cells('Number', 'Text'));
    for (let n = 0; n < 500; n += 1) passages.tableRow(cells(`no ${n}`, 'x'.repeat(20)));
  });

  expect(rows.length).toBeGreaterThan(5);
  for (const { text } of rows) expect(text).toMatch(/^\| Number \| Text \|\n\| --- \| --- \|\n\| no \d/);
  const numbers = rows.flatMap(({ text }) => [...text.matchAll(/no (\d+)/g)].map(([, n]) => Number(n)));
  expect(numbers).toEqual(Array.from({ length: 500 }, (_, n) => n));
});

test('a table that lays out a page is its text', () => {
  const rows = gather((passages) => passages.tableRow(cells('Menu', 'word '.repeat(600))));

  expect(rows[0]?.text.startsWith('Menu')).toBe(true);
  expect(rows.map(({ text }) => text).join(' ')).not.toContain('|');
});
