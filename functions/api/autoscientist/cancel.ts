import { serve } from '#shared/platform/runtime/serve.ts';
import { cancelTraining } from '#shared/training/cancel-training.ts';
import { cancelTraining as contract } from '#shared/training/contracts.ts';
import { shownTraining, toTrainingRun } from '#shared/training/decide/record.ts';
import { trainingCancellation } from '#shared/training/wire.ts';

export const handler = serve(contract, trainingCancellation, async ({ caller, params, now }, ports) => {
  const training = shownTraining(await ports.trainings.find(caller.team_id, params.experiment_id));
  return toTrainingRun(await cancelTraining(ports, training, now));
});
