import { cancelEvalRun as contract } from '#shared/evals/contracts.ts';
import { toEvalRun } from '#shared/evals/decide/records.ts';
import { cancelEvalRun } from '#shared/evals/manage-evals.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { evals: evals('write') },
  async ({ caller, params, now }, { evals }) =>
    toEvalRun(await cancelEvalRun(evals, caller.team_id, params), now),
);
