import { getUsage } from '#shared/access/contracts.ts';
import { readCreditUsage } from '#shared/access/read-credit-usage.ts';
import { books, meter } from '#shared/access/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

const DAYS_DEFAULT = 30;
/** An entry has some 400 bytes: these are eight pages of a megabyte, which are read one after the other. */
const ENTRIES_MAX = 20_000;

export const handler = serve(
  getUsage,
  { meter: meter('read'), books },
  async ({ caller, query, now }, ports) =>
    readCreditUsage({ ...ports, entriesMax: ENTRIES_MAX }, caller.team_id, query.days ?? DAYS_DEFAULT, now),
);
