import { expect, test } from 'vitest';
import { warnOfTable } from '#shared/tabular/decide/documents/text-table.ts';

test.each([
  ['csv', 'prompt,completion\nq1,a1\nq2,a2\n'],
  ['csv', '"id";"full name"\r\n1;Ann\r\n2;"Bob; B."\r\n'],
  ['csv', 'q\ta\nx\ty\n\nz\tw'],
  ['jsonl', '{"q":"Why?"}\n{"q":"Who?"}\n'],
])('a text whose lines look like rows of %s is told: %j', (format, text) => {
  expect(warnOfTable(text)).toEqual([
    { code: 'table_as_passages', message: expect.stringContaining(`ends in .${format} `) },
  ]);
});

test.each([
  'Dear Ann,\nthank you, and so on.\nYours,\nBob\n',
  'Oslo, Bergen\nTromsø, Bodø\nNarvik, Alta\n',
  'apples,pears\nWe like both.\nReally.\n',
  '{"q":"Why?"} is JSON.\nSo is this.\n',
  '{"q":1}',
  '',
])('a text is told as nothing else where its lines are no rows: %j', (text) => {
  expect(warnOfTable(text)).toEqual([]);
});
