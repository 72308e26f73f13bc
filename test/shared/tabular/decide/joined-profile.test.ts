import { expect, test } from 'vitest';
import { ColumnProfiler } from '#shared/tabular/decide/column-profiler.ts';
import { joinedProfile } from '#shared/tabular/decide/joined-profile.ts';
import type { ColumnProfile } from '#shared/tabular/schema/rows-manifest.ts';
import { PNG } from '#test/helpers/images.ts';

const CHAT = JSON.stringify([{ role: 'user', content: 'hi' }]);
const LINK = 'https://example.com/cat.png';
type Cells = readonly (string | null)[];
const cells = (cell: string | null, count: number): Cells => new Array(count).fill(cell);

function profileOf(column: readonly unknown[], name = 'c'): ColumnProfile {
  const profiler = new ColumnProfiler();
  const body = Buffer.from(column.map((cell) => `${JSON.stringify({ [name]: cell })}\n`).join(''));
  profiler.look([{ body, firstRow: 0, rowCount: column.length }], [name]);
  const [{ profile } = {}] = profiler.profiled([{ name, type: 'VARCHAR' }]);
  if (profile === undefined) throw new Error('The column has no profile.');
  return profile;
}

/** Joins the profiles of several files, one after another. */
function joined(first: readonly unknown[], ...others: (readonly unknown[])[]): ColumnProfile {
  let profile = profileOf(first);
  let rows = first.length;
  for (const file of others) {
    profile = joinedProfile(profile, profileOf(file), rows);
    rows += file.length;
  }
  return profile;
}

test.each<[string, [Cells, Cells]]>([
  ['a text after conversations', [cells(CHAT, 60), cells('x', 1)]],
  ['many texts after conversations', [cells(CHAT, 51), cells('x', 500)]],
  ['a conversation after texts', [cells('x', 60), cells(CHAT, 1)]],
  ['conversations after a text', [cells('x', 1), cells(CHAT, 60)]],
  ['conversations after empty rows', [cells(null, 3), cells(CHAT, 1)]],
  ['empty rows after a text', [cells('x', 1), cells('', 3)]],
  ['nothing', [cells(null, 2), cells('', 3)]],
  ['a link after images', [cells(PNG, 3), cells(LINK, 1)]],
  ['a text after images', [cells(PNG, 3), cells('n/a', 1)]],
  ['images after a text', [cells('n/a', 2), cells(LINK, 3)]],
  ['files of one kind', [cells(CHAT, 30), cells(CHAT, 30)]],
])('the column of two files is what it would be in one: %s', (_, [first, next]) => {
  expect(joined(first, next)).toEqual(profileOf([...first, ...next]));
});

test('rows that follow decide only while fewer than fifty cells came before', () => {
  expect(joined(cells(CHAT, 49), cells('x', 500)).not_chat).toMatchObject({ row: 49 });
  expect(joined(cells(CHAT, 25), cells(CHAT, 25), cells('x', 500)).not_chat).toBeNull();
  expect(joined(cells(CHAT, 50), cells('x', 500), cells('x', 500)).not_chat).toBeNull();
});

test('a profile that does not say how many cells it had is decided for good', () => {
  const earlier = { is_empty: false, not_chat: null, image_format: null };

  expect(joinedProfile(earlier, profileOf(cells('x', 500)), 1)).toEqual(earlier);
});

test('a column is unlike its name if it is so where most of its first cells are', () => {
  const of = (...column: unknown[]) => profileOf(column, 'tools');
  const [unlike, like] = [of(['oven'], ['pan']), of([{ name: 'find' }])];

  expect(joinedProfile(unlike, like, 2)).toMatchObject({ unlike_name: true });
  expect(joinedProfile(like, unlike, 1)).toMatchObject({ unlike_name: true });
  expect(joinedProfile(like, of(['oven']), 1)).not.toHaveProperty('unlike_name');
});
