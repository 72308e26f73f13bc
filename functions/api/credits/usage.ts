import { getUsage } from '#shared/access/contracts.ts';
import { readCreditUsage } from '#shared/access/wire/books.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

const DAYS_DEFAULT = 30;

export const handler = serve(
  getUsage,
  { readCreditUsage },
  async ({ caller, query, now }, { readCreditUsage }) =>
    readCreditUsage(caller.team_id, query.days ?? DAYS_DEFAULT, now),
);
