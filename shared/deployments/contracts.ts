import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { TrainingParams } from '#shared/training/schema/training.ts';
import { Deployment } from './schema/deployment.ts';

export const deployModel = endpoint({
  id: 'autoscientist.deploy',
  counts: { use: 'scans_per_hour' },
  method: 'POST',
  path: '/api/v1/autoscientist/{experiment_id}/deploy',
  summary: 'Deploy the best model of a training, so that it answers',
  description:
    'Works in the background: look at the deployment until it is `ready`. Then `/responses` and `/chat/completions` answer ' +
    'with the id of the training as their model. A deployment that exists is answered as it is; one that failed begins ' +
    'anew. What it costs, the deployment says before it is requested.',
  data: 'Copies the model to the platform that answers with it. The training and its model stay as they are.',
  credits: 'Costs no credits; answers cost those that `costs` names.',
  tag: 'Training',
  scope: 'training',
  params: TrainingParams,
  status: 202,
  response: Deployment,
  errors: ['training_not_found', 'no_artifact', 'model_not_deployable', 'deployments_limit_reached'],
});

export const getDeployment = endpoint({
  id: 'autoscientist.deployment.get',
  method: 'GET',
  path: '/api/v1/autoscientist/{experiment_id}/deployment',
  summary: 'Get the deployment of a training, or what one would cost',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: TrainingParams,
  status: 200,
  response: Deployment,
  errors: ['training_not_found'],
});

export const deleteDeployment = endpoint({
  id: 'autoscientist.deployment.delete',
  method: 'DELETE',
  path: '/api/v1/autoscientist/{experiment_id}/deployment',
  summary: 'Delete the deployment of a training',
  description:
    'The model stops answering at once, and the platform deletes its copy in the background. Without a deployment nothing happens.',
  data: 'Deletes the copy of the platform. The training and its model stay, and can be deployed again.',
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: TrainingParams,
  status: 200,
  response: Deployment,
  errors: ['training_not_found'],
});
