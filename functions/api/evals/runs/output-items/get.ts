import { getOutputItem } from '#shared/evals/contracts.ts';
import { requireEvalRun, requireRows } from '#shared/evals/decide/records.ts';
import { requireItem } from '#shared/evals/list-items.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = serve(
  getOutputItem,
  { evals: evals('read'), objects: objects({ read: ['evals'] }) },
  async ({ caller, params: { output_item_id, ...params } }, { evals, objects }) =>
    requireItem(
      objects,
      requireRows(caller, await requireEvalRun(evals, caller.team_id, params)),
      output_item_id,
    ),
);
