import { getDeployment } from '#shared/deployments/contracts.ts';
import { showDeployment } from '#shared/deployments/show-deployment.ts';
import { deploymentSettings, deployments } from '#shared/deployments/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  getDeployment,
  { trainings: trainings('read'), deployments: deployments('read'), settings: deploymentSettings },
  async ({ caller, params, now }, { trainings, ...ports }) => {
    const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));
    return showDeployment(ports, training, await ports.deployments.find(training.experiment_id), now);
  },
);
