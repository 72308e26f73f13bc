import { listEvals } from '#shared/evals/contracts.ts';
import { toEval } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { cutPage } from '#shared/openai/decide/page.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  listEvals,
  { evals: evals('read') },
  async ({ caller, query: { order, order_by: by, ...page } }, { evals }) => {
    const found = await evals.list(caller.team_id);
    if (by === 'updated_at') found.sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1));
    return cutPage((order === 'desc' ? found.reverse() : found).map(toEval), page);
  },
);
