import { deleteDeployment } from '#shared/deployments/contracts.ts';
import { toDeployment } from '#shared/deployments/decide/view.ts';
import { deploymentSettings, retireDeployment } from '#shared/deployments/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  deleteDeployment,
  { trainings: trainings('read'), settings: deploymentSettings, retireDeployment },
  async ({ caller, params, now }, { trainings, settings, retireDeployment }) => {
    const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));
    return toDeployment(settings, training, await retireDeployment(training.experiment_id), now);
  },
);
