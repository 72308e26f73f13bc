import { expect, test } from 'vitest';
import { Passages } from '#shared/tabular/decide/documents/passages.ts';
import {
  layoutOf,
  type PdfText,
  type PdfTextItem,
  writeLines,
} from '#shared/tabular/decide/documents/pdf-lines.ts';

function item(str: string, x: number, y: number, size = 10): PdfTextItem {
  return {
    str,
    width: str.length * size * 0.5,
    height: size,
    transform: [size, 0, 0, size, x, y],
    hasEOL: false,
  };
}

/** What the pages of a document become, each passage as heading and text. */
function write(pages: readonly PdfText[]): (string | null)[][] {
  const rows: (string | null)[][] = [];
  const passages = new Passages({ source_file: 'a.pdf', format: 'pdf' }, ({ heading, text }) =>
    rows.push([heading, text]),
  );
  const layout = layoutOf(pages);
  for (const [index, page] of pages.entries()) {
    passages.moveTo({ page: index + 1 });
    writeLines(page, layout, passages);
  }
  passages.end();
  return rows;
}

test('heads and numbers that run through the pages are no text, the same words elsewhere are', () => {
  const pages = ['one', 'two', 'three', 'four'].map((word, index) => [
    item('Guide to the light', 50, 800),
    item(`This is page ${word}.`, 50, 700),
    item(index === 2 ? 'Guide to the light' : 'More.', 50, 650),
    item(`Last line of ${word}.`, 50, 600),
    item(`${index + 9}`, 300, 30),
  ]);

  expect(write(pages).map(([, text]) => text)).toEqual([
    'This is page one.\n\nMore.\n\nLast line of one.',
    'This is page two.\n\nMore.\n\nLast line of two.',
    'This is page three.\n\nGuide to the light\n\nLast line of three.',
    'This is page four.\n\nMore.\n\nLast line of four.',
  ]);
});

test('letters that are larger are headings, the larger the outer', () => {
  const page = [
    item('Keeping', 50, 700, 20),
    item('Oil', 50, 660, 14),
    item('The tank is filled with oil', 50, 640),
    item('each afternoon.', 50, 628),
    item('Wick', 50, 600, 14),
    item('It is trimmed.', 50, 580),
  ];

  expect(write([page])).toEqual([
    ['Keeping > Oil', 'The tank is filled with oil each afternoon.'],
    ['Keeping > Wick', 'It is trimmed.'],
  ]);
});

test('wide gaps part columns; lines of as many columns are a table, one alone is a line', () => {
  const page = [
    item('Left', 50, 700),
    item('right', 300, 700),
    item('A paragraph between.', 50, 680),
    item('Name', 50, 640),
    item('Sum', 300, 640),
    item('Oil', 50, 628),
    item('7', 300, 628),
    item('Pie', 50, 600),
    item('ces', 65.5, 600),
    item('of words', 83, 600),
  ];

  expect(write([page])).toEqual([
    [
      null,
      'Left | right\n\nA paragraph between.\n\n| Name | Sum |\n| --- | --- |\n| Oil | 7 |\n\nPieces of words',
    ],
  ]);
});

test('marks of lists begin items, whatever character they are', () => {
  const page = ['•', '\uf0b7', '–'].flatMap((mark, index) => [
    item(mark, 50, 700 - 12 * index),
    item(`item ${index}`, 70, 700 - 12 * index),
  ]);

  expect(write([page])).toEqual([[null, '- item 0\n- item 1\n- item 2']]);
});
