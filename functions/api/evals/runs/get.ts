import { getEvalRun } from '#shared/evals/contracts.ts';
import { requireEvalRun, toEvalRun } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getEvalRun,
  { evals: evals('read') },
  async ({ caller, params, now }, { evals }) =>
    toEvalRun(await requireEvalRun(evals, caller.team_id, params), now),
);
