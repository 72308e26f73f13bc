import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { cancelTraining } from '#shared/training/cancel-training.ts';
import { cancelComparison as contract } from '#shared/training/contracts.ts';
import { shownComparison } from '#shared/training/decide/comparison.ts';
import { readComparison } from '#shared/training/read-comparison.ts';
import { removeLeftovers } from '#shared/training/remove-leftovers.ts';
import { trainingCancellation } from '#shared/training/wire.ts';

/** The models of a comparison are for it alone, and are deleted at its end; a repetition deletes the rest. */
export const handler = serve(
  contract,
  { ...trainingCancellation, objects: objects({ read: ['runs', 'trainings'], delete: ['trainings'] }) },
  async ({ caller: { team_id }, params: { comparison_id }, now }, ports) => {
    const comparison = shownComparison(await ports.trainings.find(team_id, comparison_id));
    await cancelTraining(ports, comparison, now);
    await removeLeftovers(ports.objects, comparison);
    return readComparison(ports, shownComparison(await ports.trainings.find(team_id, comparison_id)));
  },
);
