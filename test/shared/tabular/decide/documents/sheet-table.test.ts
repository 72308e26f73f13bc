import { describe, expect, test } from 'vitest';
import { SheetTable } from '#shared/tabular/decide/documents/sheet-table.ts';

/** Sheets as they are read: rows of texts, where an empty one is no cell. */
function readSheets(...sheets: readonly (readonly (readonly string[])[])[]) {
  const rows: Readonly<Record<string, string | null>>[] = [];
  const table = new SheetTable((row) => rows.push(row) < 5);
  for (const sheet of sheets) {
    table.beginSheet('s');
    for (const row of sheet)
      table.row(row.flatMap((text, column) => (text === '' ? [] : [{ column, text }])));
  }
  return table.isTable ? rows : null;
}

const HEAD = ['prompt', 'completion'];

test('sheets with one row of names are a table, with empty cells as null and without empty rows', () => {
  expect(readSheets([[], HEAD, ['q1', ' a1\n'], ['', ''], ['q2']], [], [HEAD, ['', 'a3']])).toEqual([
    { prompt: 'q1', completion: ' a1\n' },
    { prompt: 'q2', completion: null },
    { prompt: null, completion: 'a3' },
  ]);
});

test('a name of a column may be one that objects have by themselves', () => {
  expect(
    readSheets([
      ['__proto__', 'constructor'],
      ['a', 'b'],
    ])?.map((row) => JSON.stringify(row)),
  ).toEqual(['{"__proto__":"a","constructor":"b"}']);
});

describe('sheets are no table', () => {
  test.each<[string, readonly (readonly (readonly string[])[])[]]>([
    ['with a title above the names', [[['Tides of 2024'], HEAD, ['q', 'a']]]],
    ['with one column', [[['text'], ['a'], ['b']]]],
    ['without rows', [[HEAD]]],
    [
      'with a value in place of a name',
      [
        [
          ['Oslo', '4,100'],
          ['Bergen', '3,900'],
        ],
      ],
    ],
    [
      'with a date in place of a name',
      [
        [
          ['Oslo', '2024-03-09'],
          ['Bergen', '2024-03-10'],
        ],
      ],
    ],
    [
      'with a name twice',
      [
        [
          ['Answer', 'answer'],
          ['a', 'b'],
        ],
      ],
    ],
    [
      'with a text in place of a name',
      [
        [
          ['prompt', 'x'.repeat(101)],
          ['a', 'b'],
        ],
      ],
    ],
    ['with a cell beside the named columns', [[HEAD, ['q', 'a', 'sum: 5']]]],
    [
      'with other names in another sheet',
      [
        [HEAD, ['q', 'a']],
        [
          ['prompt', 'answer'],
          ['q', 'a'],
        ],
      ],
    ],
    [
      'with more names in another sheet',
      [
        [HEAD, ['q', 'a']],
        [
          [...HEAD, 'id'],
          ['q', 'a', '1'],
        ],
      ],
    ],
  ])('sheets %s are read as no table', (_, sheets) => {
    expect(readSheets(...sheets)).toBeNull();
  });
});

test('the index that pandas writes has no name in the first row, and is a column', () => {
  expect(
    readSheets([
      ['', ...HEAD],
      ['0', 'q1', 'a1'],
      ['1', 'q2', 'a2'],
    ]),
  ).toEqual([
    { column_1: '0', prompt: 'q1', completion: 'a1' },
    { column_1: '1', prompt: 'q2', completion: 'a2' },
  ]);
  // A cell without a name further on is a note.
  expect(readSheets([HEAD, ['q1', 'a1', 'see below']])).toBeNull();
});
