import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { getComparison } from '#shared/training/contracts.ts';
import { shownComparison } from '#shared/training/decide/comparison.ts';
import { visibleComparison } from '#shared/training/decide/visible-texts.ts';
import { readComparison } from '#shared/training/read-comparison.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  getComparison,
  { trainings: trainings('read'), objects: objects({ read: ['trainings'] }) },
  async ({ caller, params }, ports) =>
    visibleComparison(
      caller,
      await readComparison(
        ports,
        shownComparison(await ports.trainings.find(caller.team_id, params.comparison_id)),
      ),
    ),
);
