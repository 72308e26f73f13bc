import { listEvals } from '#shared/evals/contracts.ts';
import { evalIdOf, toEval } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { readPage } from '#shared/openai/read-page.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  listEvals,
  { evals: evals('read') },
  async ({ caller: { team_id }, query: { order, order_by: by, ...page } }, { evals }) => {
    const heads = await evals.list(team_id);
    if (by === 'updated_at') heads.sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1));
    if (order === 'desc') heads.reverse();
    const own = new Map(heads.map(({ eval_id }) => [evalIdOf(eval_id), eval_id]));
    return readPage([...own.keys()], page, async (id) => {
      const found = await evals.find(team_id, own.get(id) ?? '');
      return found === null ? null : toEval(found);
    });
  },
);
