import { deleteDeployment } from '#shared/deployments/contracts.ts';
import { showDeployment } from '#shared/deployments/show-deployment.ts';
import { deploymentRetirer, deploymentSettings, deployments } from '#shared/deployments/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  deleteDeployment,
  {
    trainings: trainings('read'),
    deployments: deployments('read'),
    settings: deploymentSettings,
    retireDeployment: deploymentRetirer,
  },
  async ({ caller, params, now }, { trainings, retireDeployment, ...ports }) => {
    const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));
    return showDeployment(ports, training, await retireDeployment(training.experiment_id), now);
  },
);
