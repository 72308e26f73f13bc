import { serve } from '#shared/platform/runtime/serve.ts';
import { freeUses } from '#shared/platform/wire.ts';
import { admitCancellation, cancelTraining } from '#shared/training/cancel-training.ts';
import { cancelTraining as contract } from '#shared/training/contracts.ts';
import { shownTraining, toTrainingRun } from '#shared/training/decide/record.ts';
import { trainingCancellation } from '#shared/training/wire.ts';

export const handler = serve(
  contract,
  { ...trainingCancellation, freeUses },
  async ({ caller, params, now }, ports) => {
    const training = shownTraining(await ports.trainings.find(caller.team_id, params.experiment_id));
    await admitCancellation(ports, caller, training, now);
    return toTrainingRun(await cancelTraining(ports, training, now));
  },
);
