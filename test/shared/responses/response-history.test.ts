import { expect, test } from 'vitest';
import { toStoredItems } from '#shared/responses/decide/stored-response.ts';
import { readHistory } from '#shared/responses/response-history.ts';
import type { InputItem } from '#shared/responses/schema/response-request.ts';
import { makeStored } from '#test/helpers/responses.ts';

const search = {
  type: 'file_search_call',
  id: 'fs_1',
  queries: ['salary'],
  results: [{ text: 'a row', filename: 'payroll', attributes: { dataset_id: 'd', row: 1 } }],
} as unknown as InputItem;

test.each([
  ['shows rows to a key that may read datasets', true],
  ['shows no rows to a key that may not, though another key replayed them', false],
])('a request goes on from a history that %s', async (_, mayReadRows) => {
  const stored = {
    ...makeStored(['Hello']),
    input: toStoredItems([search], (prefix) => `${prefix}_1`),
    bytes: 100,
  };
  const repository = { find: async () => stored, findWithin: async () => stored };
  const history = await readHistory(repository, 'team', stored.response.id, 0, {
    isShortened: false,
    mayReadRows,
    beforeLong: async () => {},
  });

  expect(JSON.stringify(history.itemsFor('a-model')).includes('a row')).toBe(mayReadRows);
});
