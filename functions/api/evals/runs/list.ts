import { listEvalRuns } from '#shared/evals/contracts.ts';
import { requireEval, toEvalRun } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { cutPage } from '#shared/openai/decide/page.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  listEvalRuns,
  { evals: evals('read') },
  async ({ caller: { team_id }, params, query: { order, status, ...page }, now }, { evals }) => {
    const { eval_id } = await requireEval(evals, team_id, params.eval_id);
    const runs = (await evals.listRuns(team_id, eval_id)).map((run) => toEvalRun(run, now));
    const wanted = runs.filter((run) => status === undefined || run.status === status);
    return cutPage(order === 'desc' ? wanted.reverse() : wanted, page);
  },
);
