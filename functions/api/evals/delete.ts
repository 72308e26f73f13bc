import { deleteEval } from '#shared/evals/contracts.ts';
import { evalIdOf } from '#shared/evals/decide/records.ts';
import { removeEval } from '#shared/evals/manage-evals.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  deleteEval,
  { evals: evals('write') },
  async ({ caller, params, now }, { evals }) => ({
    object: 'eval.deleted' as const,
    deleted: true as const,
    eval_id: evalIdOf(await removeEval(evals, caller.team_id, params.eval_id, now)),
  }),
);
