import { cancelEvalRun } from '#shared/evals/contracts.ts';
import { requireEvalRun, toEvalRun } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  cancelEvalRun,
  { evals: evals('write') },
  async ({ caller: { team_id }, params, now }, { evals }) => {
    const run = await requireEvalRun(evals, team_id, params);
    const changed = await evals.changeRun(run, { status: 'canceled' });
    return toEvalRun(changed ?? (await requireEvalRun(evals, team_id, params)), now);
  },
);
