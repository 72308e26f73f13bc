import { getAccount } from '#shared/access/contracts.ts';
import { emptyBalance } from '#shared/access/decide/ledger/record.ts';
import { books } from '#shared/access/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { RELEASE } from '#shared/platform/schema/release.ts';

export const handler = serve(getAccount, { books }, async ({ caller }, { books }) => {
  const balance = (await books.findBalance(caller.team_id)) ?? emptyBalance(caller.team_id);
  return { ...caller, balance, release: RELEASE };
});
