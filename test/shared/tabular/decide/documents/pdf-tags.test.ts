import { expect, test } from 'vitest';
import { Passages } from '#shared/tabular/decide/documents/passages.ts';
import type { PdfText } from '#shared/tabular/decide/documents/pdf-lines.ts';
import { type PdfNode, writeTagged } from '#shared/tabular/decide/documents/pdf-tags.ts';

test('an item of a page is written once, however many lists stand directly in one another above it', () => {
  const text = [
    { type: 'beginMarkedContentProps', id: 'c' },
    { str: 'A word.', hasEOL: false },
    { type: 'endMarkedContent' },
  ] as unknown as PdfText;
  let item: PdfNode = {
    role: 'LI',
    children: [{ role: 'LBody', children: [{ type: 'content', id: 'c' }] }],
  };
  for (let level = 0; level < 8; level += 1) {
    item = { role: 'LI', children: [{ role: 'L', children: [{ role: 'L', children: [item] }] }] };
  }
  const said: string[] = [];
  const passages = new Passages({ source_file: 'a.pdf', format: 'pdf' }, (row) => said.push(row.text));

  expect(writeTagged({ role: 'Root', children: [{ role: 'L', children: [item] }] }, text, passages)).toBe(
    true,
  );
  passages.end();

  expect(said).toEqual(['- A word.']);
});
