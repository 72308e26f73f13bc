import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEndlessObjects } from '#shared/tabular/decide/documents/pdf-objects.ts';

const BYTES = 1_000_000;
/** A text so often as to make a megabyte; `#` stands for a number that is another one each time. */
const repeated = (text: string): Buffer =>
  Buffer.from(
    Array.from({ length: BYTES / text.length }, (_, n) => text.replaceAll('#', String(n))).join(''),
  );

test.each([
  ['a dictionary', '2 0 obj\n<</Length 3 '],
  ['a dictionary whose object ends', '2 0 obj\n<</Length 3\nendobj\n'],
  ['a list', '2 0 obj\n[1 '],
  ['a text', '2 0 obj (a '],
  ['a text after a number', '2 0 obj 1 (a '],
  ['a text whose bracket is escaped', '2 0 obj (\\) '],
  ['a hexadecimal text', '2 0 obj <ab '],
  ['a comment', '2 0 obj % '],
  ['a dictionary in other generations', '2 0 obj <</A 1 2 1 obj <</B 2 02 00 obj <<'],
  ['a text of other objects', '# 0 obj (a \n'],
  ['a text of what may be a table of references', '# 0 obj (/XRef \n'],
  ['a text on the line after the header', '2 0 obj 1 1 1\n(a \n'],
  ['a text after a header of many spaces', `1${' '.repeat(40)}0 obj\n(a \n`],
  ['a text of a trailer', 'trailer ( startxref\n'],
])('objects are endless where %s does not end, which is seen within a second', (_, text) => {
  const bytes = repeated(text);
  const { user } = process.cpuUsage();

  expect(hasEndlessObjects(bytes)).toBe(true);
  expect((process.cpuUsage().user - user) / 1000).toBeLessThan(1000);
});

test.each([
  ['a dictionary', '2 0 obj\n<</A [1 2] /B <</C (a \\( b (c) d) >> /D <ab> >>\nendobj\n'],
  ['a reference', '2 0 obj 3 0 R endobj\n'],
  ['a line', '2 0 obj 3 '],
  ['a comment', '2 0 obj % (\n1\nendobj '],
  ['a stream', '2 0 obj <</Length 8>> stream\n((((<<[[\nendstream endobj\n'],
])('objects end where %s does, however often it occurs', (_, text) => {
  expect(hasEndlessObjects(repeated(text))).toBe(false);
});

test.each(['report.pdf', 'handbook.pdf', 'handbook-tagged.pdf', 'page-linear.pdf'])(
  'objects end in %s',
  async (name) => {
    expect(
      hasEndlessObjects(await readFile(join(import.meta.dirname, '../../../../fixtures/documents', name))),
    ).toBe(false);
  },
);

test('a word that ends in obj, and one without numbers, begin no object', () => {
  expect(hasEndlessObjects(repeated('obj a obj (a endobj <<'))).toBe(false);
});
