import { expect, test } from 'vitest';
import { joinedColumn, joinManifests } from '#shared/ingest/decide/join-manifests.ts';
import type { ColumnProfile, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';

test('a column that was not looked at in the rows that follow keeps what it was before', () => {
  const column = {
    name: 'chat',
    type: 'JSON',
    profile: { is_empty: false, not_chat: null, image_format: null },
  };

  expect(joinedColumn(column, { name: 'chat', type: 'JSON' }, 60, ['a', 'b'])).toEqual(column);
});

const TEXT: ColumnProfile = {
  is_empty: false,
  not_chat: { row: 0, problem: 'is no list' },
  image_format: null,
};
const CHAT: ColumnProfile = { ...TEXT, not_chat: null };
const EMBEDDED: ColumnProfile = { ...TEXT, image_format: 'embedded_bytes' };
const LINKS: ColumnProfile = { ...TEXT, mapped_image_format: 'url' };
const PICTURES: ColumnProfile = { ...TEXT, image_format: 'url' };
const WORDS: ColumnProfile = { ...TEXT, unlike_name: true };

test.each<[string, ColumnProfile, ColumnProfile, string | null]>([
  ['c', EMBEDDED, TEXT, 'images of one kind'],
  ['c', EMBEDDED, LINKS, 'images of one kind'],
  ['c', EMBEDDED, CHAT, 'images of one kind'],
  ['c', TEXT, EMBEDDED, 'no images of this kind'],
  ['c', LINKS, EMBEDDED, 'no images of this kind'],
  ['c', CHAT, EMBEDDED, 'conversations'],
  ['c', CHAT, TEXT, 'conversations'],
  ['c', TEXT, CHAT, 'no conversations'],
  ['c', LINKS, PICTURES, null],
  ['c', LINKS, TEXT, null],
  ['tools', TEXT, WORDS, 'definitions of tools'],
  ['tools', WORDS, TEXT, 'no definitions of tools'],
  ['c', WORDS, TEXT, null],
])(
  'rows that follow in a column %s of %j, with %j, are said to differ from %s',
  (name, before, next, held) => {
    const of = (profile: ColumnProfile): RowsManifest => ({
      version: 1,
      row_count: 60,
      columns: [{ name, type: 'VARCHAR', profile }],
      source_format: 'jsonl',
      chunks: [],
      warnings: [],
    });
    const said = ` is read as in "a", where it holds ${held}; most of its cells in "b" hold something else.`;

    expect(joinManifests(of(before), of(next), ['a', 'b']).warnings).toEqual(
      held === null ? [] : [{ code: 'columns_differ', message: `Column "${name}"${said}` }],
    );
  },
);
