import { listOutputItems } from '#shared/evals/contracts.ts';
import { requireEvalRun, requireRows } from '#shared/evals/decide/records.ts';
import { listItems } from '#shared/evals/list-items.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = serve(
  listOutputItems,
  { evals: evals('read'), objects: objects({ read: ['evals'] }) },
  async ({ caller, params, query }, { evals, objects }) =>
    listItems(objects, requireRows(caller, await requireEvalRun(evals, caller.team_id, params)), query),
);
