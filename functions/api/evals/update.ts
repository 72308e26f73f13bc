import { updateEval } from '#shared/evals/contracts.ts';
import { requireEval, toEval } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { timestamp } from '#shared/platform/timestamp.ts';

export const handler = serve(
  updateEval,
  { evals: evals('write') },
  async ({ caller: { team_id }, params, body: { name, metadata }, now }, { evals }) => {
    const { eval_id } = await requireEval(evals, team_id, params.eval_id);
    await evals.update(team_id, eval_id, {
      ...(name === undefined ? {} : { name }),
      ...(metadata === undefined ? {} : { metadata }),
      updated_at: timestamp(now),
    });
    return toEval(await requireEval(evals, team_id, params.eval_id));
  },
);
