import { expect, test } from 'vitest';
import { compareRows, type VersionRow } from '#shared/exports/decide/diff/compare-rows.ts';

const source = (row: number, ...cells: (string | null)[]): VersionRow => ({ row, target: null, cells });
const made = (row: number, language: string, text: string, country: string | null = null): VersionRow => ({
  row,
  target: { language, country },
  cells: [text],
});

async function* streamed(rows: readonly VersionRow[]): AsyncGenerator<VersionRow> {
  yield* rows;
}

async function compare(before: VersionRow[], after: VersionRow[]): Promise<string[]> {
  const found: string[] = [];
  for await (const { kind, row, target } of compareRows(streamed(before), streamed(after))) {
    found.push(`${kind} ${row}${target === null ? '' : ` ${target.language}${target.country ?? ''}`}`);
  }
  return found;
}

test('rows of the source are the same by number', async () => {
  const before = [source(0, 'a'), source(1, 'b'), source(2, 'c'), source(5, 'f')];
  const after = [source(0, 'a'), source(2, 'C'), source(3, 'd'), source(5, 'f')];

  expect(await compare(before, after)).toEqual([
    'unchanged 0',
    'removed 1',
    'changed 2',
    'added 3',
    'unchanged 5',
  ]);
});

test.each([
  [[source(0, null)], [source(0, '')], 'changed 0'],
  [[source(0, null)], [source(0, null)], 'unchanged 0'],
  [[source(0, 'a', 'b')], [source(0, 'a', 'B')], 'changed 0'],
])(
  'rows of the source are compared in every cell, and no text is not an empty one',
  async (before, after, expected) => {
    expect(await compare(before, after)).toEqual([expected]);
  },
);

test('rows of the source are all added to none, and all removed where none is left', async () => {
  expect(await compare([], [source(0, 'a'), source(1, 'b')])).toEqual(['added 0', 'added 1']);
  expect(await compare([source(0, 'a')], [])).toEqual(['removed 0']);
  expect(await compare([], [])).toEqual([]);
});

test('rows in other languages are the same by the row that they are made of, the language and the country', async () => {
  const before = [source(0, 'a'), made(0, 'es', 'hola'), made(0, 'de', 'hallo'), made(2, 'es', 'dos')];
  const after = [
    source(0, 'a'),
    made(0, 'de', 'hallo'),
    made(0, 'es', 'buenas'),
    made(0, 'es', 'órale', 'MX'),
    made(1, 'es', 'uno'),
  ];

  expect(await compare(before, after)).toEqual([
    'unchanged 0',
    'changed 0 es',
    'unchanged 0 de',
    'added 0 esMX',
    'added 1 es',
    'removed 2 es',
  ]);
});

test('rows in other languages come after all rows of the source, however many there are', async () => {
  const before = [source(0, 'a'), made(0, 'es', 'hola')];
  const after = [source(0, 'a'), source(1, 'b'), made(0, 'es', 'hola')];

  expect(await compare(before, after)).toEqual(['unchanged 0', 'added 1', 'unchanged 0 es']);
});

test('both streams are closed when the comparison is given up', async () => {
  const closed: string[] = [];
  async function* open(name: string): AsyncGenerator<VersionRow> {
    try {
      for (let row = 0; ; row += 1) yield source(row, name);
    } finally {
      closed.push(name);
    }
  }

  for await (const { row } of compareRows(open('a'), open('b'))) if (row === 3) break;

  expect(closed.sort()).toEqual(['a', 'b']);
});
