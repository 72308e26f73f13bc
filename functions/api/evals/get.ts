import { getEval } from '#shared/evals/contracts.ts';
import { requireEval, toEval } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(getEval, { evals: evals('read') }, async ({ caller, params }, { evals }) =>
  toEval(await requireEval(evals, caller.team_id, params.eval_id)),
);
