import { listEvalRuns } from '#shared/evals/contracts.ts';
import { requireEval, runIdOf, shownStatus, toEvalRun } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { readPage } from '#shared/openai/read-page.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  listEvalRuns,
  { evals: evals('read') },
  async ({ caller: { team_id }, params, query: { order, status, ...page }, now }, { evals }) => {
    const { eval_id } = await requireEval(evals, team_id, params.eval_id);
    const heads = await evals.listRuns(team_id, eval_id);
    const wanted = heads.filter((run) => status === undefined || shownStatus(run, now) === status);
    if (order === 'desc') wanted.reverse();
    const own = new Map(wanted.map(({ run_id }) => [runIdOf(run_id), run_id]));
    return readPage([...own.keys()], page, async (id) => {
      const found = await evals.findRun(team_id, eval_id, own.get(id) ?? '');
      return found === null ? null : toEvalRun(found, now);
    });
  },
);
