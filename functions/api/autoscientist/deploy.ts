import { deployModel as contract } from '#shared/deployments/contracts.ts';
import { deployModel } from '#shared/deployments/deploy-model.ts';
import { showDeployment } from '#shared/deployments/show-deployment.ts';
import { deploymentSettings, deployments, startDeploying } from '#shared/deployments/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  contract,
  {
    trainings: trainings('read'),
    deployments: deployments('write'),
    objects: objects({ read: ['trainings'] }),
    settings: deploymentSettings,
    start: startDeploying,
    newId,
  },
  async ({ caller, params, now }, { trainings, ...ports }) => {
    const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));
    const record = await deployModel(ports, caller, training, now);
    return showDeployment(ports, training, record, now);
  },
);
