import { listBatches } from '#shared/openai/contracts/batches.ts';
import { toBatch } from '#shared/openai/decide/batches.ts';
import { cutPage } from '#shared/openai/decide/page.ts';
import { batches } from '#shared/openai/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  listBatches,
  { batches: batches('read') },
  async ({ caller, query }, { batches }) => cutPage((await batches.list(caller.team_id)).map(toBatch), query),
);
