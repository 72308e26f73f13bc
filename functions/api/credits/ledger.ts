import { listLedger } from '#shared/access/contracts.ts';
import { entriesCursor, selectEntries, toMovement } from '#shared/access/decide/ledger/listing.ts';
import { books } from '#shared/access/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { cursorKey } from '#shared/platform/wire.ts';

export const handler = serve(
  listLedger,
  { books, cursorKey },
  async ({ caller: { team_id }, query }, { books, cursorKey }) => {
    const key = await cursorKey();
    const { entries, next } = await books.listNewest(team_id, selectEntries(team_id, query, key));

    return {
      entries: entries.map(toMovement),
      next_cursor: next === null ? null : entriesCursor(team_id, next, key),
    };
  },
);
