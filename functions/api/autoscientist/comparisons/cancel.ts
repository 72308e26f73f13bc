import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { cancelTraining } from '#shared/training/cancel-training.ts';
import { cancelComparison as contract } from '#shared/training/contracts.ts';
import { shownComparison } from '#shared/training/decide/comparison.ts';
import { visibleComparison } from '#shared/training/decide/visible-texts.ts';
import { readComparison } from '#shared/training/read-comparison.ts';
import { removeLeftovers } from '#shared/training/remove-leftovers.ts';
import { trainingCancellation } from '#shared/training/wire.ts';

/** The models of a comparison are for it alone, and are deleted at its end; a repetition deletes the rest. */
export const handler = serve(
  contract,
  { ...trainingCancellation, objects: objects({ read: ['runs', 'trainings'], delete: ['trainings'] }) },
  async ({ caller, params: { comparison_id }, now }, ports) => {
    const { team_id } = caller;
    const comparison = shownComparison(await ports.trainings.find(team_id, comparison_id));
    await cancelTraining(ports, comparison, now);
    await removeLeftovers(ports.objects, comparison);
    const ended = shownComparison(await ports.trainings.find(team_id, comparison_id));
    return visibleComparison(caller, await readComparison(ports, ended));
  },
);
