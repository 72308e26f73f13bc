import { createGuardedFetch } from '#shared/platform/adapters/egress/guarded-fetch.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import { need, operation, resource } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { type Access, theSecrets, theTable } from '#shared/platform/wire.ts';
import { starter } from '#shared/platform/wire-functions.ts';
import { createBaseModelHub } from './adapters/base-model-hub.ts';
import { createModelEndpoints } from './adapters/model-endpoints.ts';
import { createModelImporter } from './adapters/model-importer.ts';
import { createModelServer } from './adapters/model-server.ts';
import type { BaseModelHub, ModelEndpoints, ModelImporter, TrainedModelServer } from './decide/ports.ts';
import type { DeploymentRecord } from './decide/record.ts';
import type { DeploymentSettings } from './decide/view.ts';
import { retireDeployment } from './retire-deployment.ts';
import { DeploymentPlatform } from './schema/deployment.ts';
import { createDeploymentRepository } from './store/deployments.ts';

export const deployments = (access: Access) =>
  need({ table: access }, (use) => createDeploymentRepository(use(theTable)));

/** Where the installation deploys trained models to. */
export const deploymentSettings = /* @__PURE__ */ need<DeploymentSettings & { readonly stage: string }>(
  { deploysModels: 'read' },
  ({ env }) => {
    const platforms = DeploymentPlatform.array().parse(env.trainedModels());
    return {
      platforms,
      region: platforms.includes('amazon_bedrock') ? env.region() : '',
      idleDays: env.trainedModelsIdleDays(),
      hoursPerDay: env.trainedModelsHours(),
      stage: env.stage(),
    };
  },
);

/** Starts the work on a deployment. */
export const startDeploying = /* @__PURE__ */ starter('tasks/deployments/advance-deployment');

/** The hub that base models come from. */
export const theBaseModels = /* @__PURE__ */ resource<BaseModelHub>('the hub of base models', ({ env }) =>
  createBaseModelHub(env.huggingFaceUrl(), createGuardedFetch(env.egressGuard())),
);

export const baseModels = /* @__PURE__ */ need({ imports: true }, (use) => use(theBaseModels));

/** The import of models of Amazon Bedrock. */
export const theModelImporter = /* @__PURE__ */ resource<ModelImporter>('the import of models', ({ env }) =>
  createModelImporter({
    bucketName: env.bucketName(),
    roleArn: env.modelImportRoleArn(),
    keyArn: env.modelImportKeyArn(),
    tags: env.jobTags(),
  }),
);

/** Connected on first use: an installation has it or the model server. */
export const modelImporter = /* @__PURE__ */ need<ModelImporter>({ deploysModels: 'write' }, (use) => ({
  start: (...asked) => use(theModelImporter).start(...asked),
  findJob: (...asked) => use(theModelImporter).findJob(...asked),
  look: (...asked) => use(theModelImporter).look(...asked),
  unitsOf: (...asked) => use(theModelImporter).unitsOf(...asked),
  remove: (...asked) => use(theModelImporter).remove(...asked),
}));

/** The endpoints of Amazon SageMaker. */
export const theModelEndpoints = /* @__PURE__ */ resource<ModelEndpoints>(
  'the endpoints of models',
  ({ env }) =>
    createModelEndpoints({
      bucketName: env.bucketName(),
      image: env.modelEndpointImage(),
      roleArn: env.modelEndpointRoleArn(),
      contextTokens: env.modelContextTokens(),
      network: env.trainingJobNetwork(),
      tags: env.jobTags(),
    }),
);

/** Connected on first use, as the import is. */
export const modelEndpoints = /* @__PURE__ */ need<ModelEndpoints>({ deploysModels: 'write' }, (use) => ({
  prepare: (...asked) => use(theModelEndpoints).prepare(...asked),
  make: (...asked) => use(theModelEndpoints).make(...asked),
  copiesOf: (...asked) => use(theModelEndpoints).copiesOf(...asked),
  setCopies: (...asked) => use(theModelEndpoints).setCopies(...asked),
  remove: (...asked) => use(theModelEndpoints).remove(...asked),
}));

/** The model server of a laptop. */
export const theModelServer = /* @__PURE__ */ resource<() => Promise<TrainedModelServer>>(
  'the model server',
  (use) =>
    once(async () => {
      const { env } = use;
      return createModelServer({
        baseUrl: env.modelBaseUrl(),
        apiKey: await use(theSecrets)('model_api_key')(),
        connectionsMax: 1,
        timeoutSeconds: env.modelTimeoutSeconds(),
      });
    }),
);

export const modelServer = /* @__PURE__ */ need<TrainedModelServer>(
  { listsModels: true, secrets: ['model_api_key'] },
  (use) => ({
    put: async (...asked) => (await use(theModelServer)()).put(...asked),
    remove: async (...asked) => (await use(theModelServer)()).remove(...asked),
  }),
);

/** What it takes to have a deployment deleted. */
const deploymentRetirement = {
  deployments: /* @__PURE__ */ deployments('write'),
  start: startDeploying,
};

/** Has the deployment of a training deleted, if there is one. */
export const deploymentRetirer = /* @__PURE__ */ operation(deploymentRetirement, retireDeployment);

/** Tells the operator, by a warning and a metric with an alarm, of a deployment that is not what its platform was told. */
export function reportOverdue({
  experiment_id,
  name,
  status,
  copies,
  unsettled_since: since,
}: DeploymentRecord): void {
  logger.warn('deployment overdue', { experiment_id, name, status, copies, since });
  recordMetric('DeploymentsOverdue', {});
}
