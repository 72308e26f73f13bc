import { listBatches } from '#shared/openai/contracts/batches.ts';
import { toBatch } from '#shared/openai/decide/batches.ts';
import { openaiId } from '#shared/openai/decide/ids.ts';
import { readPage } from '#shared/openai/read-page.ts';
import { batches } from '#shared/openai/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  listBatches,
  { batches: batches('read') },
  async ({ caller: { team_id }, query }, { batches }) => {
    const own = new Map(
      (await batches.list(team_id)).map(({ batch_id }) => [openaiId('batch_', batch_id), batch_id]),
    );
    return readPage([...own.keys()], query, async (id) => {
      const found = await batches.find(team_id, own.get(id) ?? '');
      return found === null ? null : toBatch(found);
    });
  },
);
