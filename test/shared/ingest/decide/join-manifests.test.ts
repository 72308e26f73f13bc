import { expect, test } from 'vitest';
import { joinedColumn } from '#shared/ingest/decide/join-manifests.ts';

test('a column that was not looked at in the rows that follow keeps what it was before', () => {
  const column = {
    name: 'chat',
    type: 'JSON',
    profile: { is_empty: false, not_chat: null, image_format: null },
  };

  expect(joinedColumn(column, { name: 'chat', type: 'JSON' }, 60, ['a', 'b'])).toEqual(column);
});
