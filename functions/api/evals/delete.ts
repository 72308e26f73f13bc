import { deleteEval } from '#shared/evals/contracts.ts';
import { evalIdOf, requireEval } from '#shared/evals/decide/records.ts';
import { removeEvalRun } from '#shared/evals/manage-evals.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = serve(
  deleteEval,
  { evals: evals('write'), objects: objects({ read: ['evals'], delete: ['evals'] }) },
  async ({ caller: { team_id }, params }, ports) => {
    const { eval_id } = await requireEval(ports.evals, team_id, params.eval_id);
    for (const run of await ports.evals.listRuns(team_id, eval_id)) await removeEvalRun(ports, run);
    await ports.evals.remove(team_id, eval_id);
    return { object: 'eval.deleted' as const, deleted: true as const, eval_id: evalIdOf(eval_id) };
  },
);
