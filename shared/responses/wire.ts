import { existsSync, readFileSync } from 'node:fs';
import type { DeploymentPlatform } from '#shared/deployments/schema/deployment.ts';
import { createDeploymentRepository } from '#shared/deployments/store/deployments.ts';
import type { BedrockEndpoint } from '#shared/models/adapters/bedrock.ts';
import type { SageMakerEndpoints } from '#shared/models/adapters/sagemaker-endpoint.ts';
import type { AnsweringModels, ServedTrainings } from '#shared/models/decide/answering-models.ts';
import type { AnsweringModel } from '#shared/models/decide/turn.ts';
import { theClock } from '#shared/models/wire.ts';
import { isEmulatedStage, toolCatalogFile } from '#shared/platform/runtime/env-names.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, resource } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import type { HostedModel } from '#shared/platform/schema/hosted-model.ts';
import { theSecrets, theTable } from '#shared/platform/wire.ts';
import { createTrainingRepository } from '#shared/training/store/trainings.ts';
import { createAnsweringModels } from './answering-models.ts';
import type { StackRepository } from './decide/stack.ts';
import { createDeployedTrainings, withDeployments } from './deployed-trainings.ts';
import { measureAnswering } from './measure-answers.ts';
import { ToolCatalog } from './schema/tool.ts';
import { createStackRepository } from './store/stacks.ts';

/** An endpoint of models that answer, with the trained models that it serves. */
export interface AnsweringEndpoint {
  answering(modelId: string): AnsweringModel;
  /** A model that was imported into Amazon Bedrock, by its ARN. */
  imported(modelArn: string, baseModel: string): AnsweringModel;
  /** A model with an endpoint of SageMaker, by its name. */
  onEndpoint(name: string, baseModel: string, reasons: boolean): AnsweringModel;
  readonly served: ServedTrainings;
}

/**
 * The endpoint of the models that answer. Only the provider's own client is loaded, with the first response: it is most of
 * the code.
 */
export const theAnsweringModels = /* @__PURE__ */ resource<() => Promise<AnsweringEndpoint>>(
  'models that answer',
  (use) => {
    const { env } = use;
    return once(async () => {
      const shared = { connectionsMax: env.modelConcurrency(), timeoutSeconds: env.modelTimeoutSeconds() };
      const isBedrock = env.modelProvider() === 'bedrock';
      const deploysTo = env.trainedModels();
      let bedrock: BedrockEndpoint | null = null;
      if (isBedrock || deploysTo.includes(IMPORTED)) {
        const { connectBedrock } = await import('#shared/models/adapters/bedrock.ts');
        bedrock = connectBedrock({
          ...shared,
          region: env.region(),
          cachesPrompts: env.modelCachesPrompts(),
        });
      }
      let sagemaker: SageMakerEndpoints | null = null;
      if (deploysTo.includes(ENDPOINTS)) {
        const { connectSageMaker } = await import('#shared/models/adapters/sagemaker-endpoint.ts');
        sagemaker = connectSageMaker({ ...shared, region: env.region() });
      }
      const trained = {
        imported: bedrock?.imported ?? notDeployed,
        onEndpoint: sagemaker?.answering ?? notDeployed,
      };
      if (bedrock !== null && isBedrock) {
        const served = { find: async () => null, list: async () => ({ ids: [], failure: null }) };
        return { answering: bedrock.answering, ...trained, served };
      }
      const apiKey = await use(theSecrets)('model_api_key')();
      const { connectOpenAi } = await import('#shared/models/adapters/openai-compatible.ts');
      const { createServedTrainings } = await import('./adapters/served-trainings.ts');
      const endpoint = connectOpenAi({
        ...shared,
        baseUrl: env.modelBaseUrl(),
        apiKey,
        trace: outgoingTrace,
      });
      return {
        answering: (modelId: string) => endpoint.answering(modelId, env.modelRespondApi()),
        ...trained,
        served: createServedTrainings(endpoint, use(theClock)),
      };
    });
  },
);

const IMPORTED: DeploymentPlatform = 'amazon_bedrock';
const ENDPOINTS: DeploymentPlatform = 'amazon_sagemaker';

/** Whether trained models are deployed on AWS, of which the table tells. */
const deploysOnAws = (platforms: readonly string[]): boolean =>
  platforms.includes(IMPORTED) || platforms.includes(ENDPOINTS);

function notDeployed(): never {
  throw new Error('This installation deploys no models of that kind any more.');
}

/** The models that the installation offers to every team. */
export const hostedModels = /* @__PURE__ */ need<readonly HostedModel[]>({ listsModels: true }, ({ env }) =>
  env.hostedModels(),
);

/** The trained models that are served. */
export const servedTrainings = /* @__PURE__ */ need<ServedTrainings>(
  { listsModels: true, secrets: ['model_api_key'], table: 'read', deploysModels: 'read' },
  (use) => {
    const connected = use(theAnsweringModels);
    const served: ServedTrainings = {
      find: async (...asked) => (await connected()).served.find(...asked),
      list: async (...asked) => (await connected()).served.list(...asked),
    };
    return deploysOnAws(use.env.trainedModels())
      ? withDeployments(served, createDeploymentRepository(use(theTable)))
      : served;
  },
);

/** Logs that an endpoint does not list its models. */
export const onSilentEndpoint = /* @__PURE__ */ need(
  {},
  () =>
    (failure: Error): void =>
      logger.warn('the model endpoint lists no models', describeError(failure)),
);

/** The models for responses; their connections are kept for the life of the process. */
export const answeringModels = /* @__PURE__ */ need<AnsweringModels>(
  { models: ['respond'], secrets: ['model_api_key'], table: 'write', deploysModels: 'read' },
  (use) => {
    const opened = once(async () => {
      const { answering, imported, onEndpoint, served } = await use(theAnsweringModels)();
      return createAnsweringModels({
        hosted: use.env.hostedModels(),
        contextTokens: use.env.modelContextTokens(),
        connect: (modelId) => measureAnswering(answering(modelId)),
        connectImported: (modelArn, baseModel) => measureAnswering(imported(modelArn, baseModel)),
        connectEndpoint: (...asked) => measureAnswering(onEndpoint(...asked)),
        deployed: deploysOnAws(use.env.trainedModels())
          ? createDeployedTrainings(
              createDeploymentRepository(use(theTable)),
              use(theClock).now,
              use.env.trainedModelsHours(),
            )
          : null,
        trainings: createTrainingRepository(use(theTable)),
        served,
        isLocal: isEmulatedStage(use.env.stage()),
      });
    });
    return { choose: async (...asked) => (await opened()).choose(...asked) };
  },
);

/** The team's inference stacks, read-only: operators write them. */
export const stacks = /* @__PURE__ */ need<Pick<StackRepository, 'find' | 'list'>>({ table: 'read' }, (use) =>
  createStackRepository(use(theTable)),
);

/** The tool servers of the operator. The deployment adds their file to the functions that use it. */
export const toolCatalog = /* @__PURE__ */ need<ToolCatalog>({ toolCatalog: true }, () => {
  const file = new URL(toolCatalogFile, import.meta.url);
  return existsSync(file) ? ToolCatalog.parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
});
