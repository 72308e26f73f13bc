import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClaims } from '#shared/platform/store/claims.ts';
import { createTable, type Table } from '#shared/platform/store/table.ts';
import { createApprovalRepository } from '#shared/responses/store/approvals.ts';
import { type CloudStore, createCloudStore } from '#test/helpers/cloud-store.ts';

let store: CloudStore;
beforeAll(async () => {
  store = await createCloudStore();
});
afterAll(() => store.remove());

/** The table, over a connection that loses the response to the first request. */
function losingFirstResponse(): { readonly table: Table; readonly lost: () => number } {
  const table = createTable(store.table.name);
  let lost = 0;
  table.client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      if (lost > 0) return result;
      lost += 1;
      throw Object.assign(new Error('The connection is reset.'), { name: 'TimeoutError' });
    },
    { step: 'deserialize', priority: 'high' },
  );
  return { table, lost: () => lost };
}

test('whoever takes a claim has it, though the response is lost; nobody else does', async () => {
  const { table, lost } = losingFirstResponse();

  expect(await createClaims(table).take('work', 900)).toBe(true);
  expect(lost()).toBe(1);
  expect(await createClaims(store.table).take('work', 900)).toBe(false);
});

test('an approval is used by the request whose response was lost, and once', async () => {
  const { table, lost } = losingFirstResponse();

  expect(await createApprovalRepository(table).claim('t', 'mcpr_1')).toBe(true);
  expect(lost()).toBe(1);
  expect(await createApprovalRepository(store.table).claim('t', 'mcpr_1')).toBe(false);
});
