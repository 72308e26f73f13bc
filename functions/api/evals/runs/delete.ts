import { deleteEvalRun } from '#shared/evals/contracts.ts';
import { requireEvalRun, runIdOf } from '#shared/evals/decide/records.ts';
import { removeEvalRun } from '#shared/evals/manage-evals.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = serve(
  deleteEvalRun,
  { evals: evals('write'), objects: objects({ read: ['evals'], delete: ['evals'] }) },
  async ({ caller, params }, ports) => {
    const run = await requireEvalRun(ports.evals, caller.team_id, params);
    await removeEvalRun(ports, run);
    return { object: 'eval.run.deleted' as const, deleted: true as const, run_id: runIdOf(run.run_id) };
  },
);
