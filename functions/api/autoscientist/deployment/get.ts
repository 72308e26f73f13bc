import { getDeployment } from '#shared/deployments/contracts.ts';
import { toDeployment } from '#shared/deployments/decide/view.ts';
import { deploymentSettings, deployments } from '#shared/deployments/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  getDeployment,
  { trainings: trainings('read'), deployments: deployments('read'), settings: deploymentSettings },
  async ({ caller, params, now }, { trainings, deployments, settings }) => {
    const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));
    return toDeployment(settings, training, await deployments.find(training.experiment_id), now);
  },
);
