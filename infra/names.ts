import { join } from 'node:path';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import { taskPath } from '#shared/platform/pipelines/pipeline.ts';
import { contracts, handlerPath } from '#shared/service/contracts/index.ts';
import { allBackgroundFunctions } from '#shared/service/pipelines/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';

/**
 * A function's id is its file path without the root folder and the extension: `functions/api/datasets/get.ts` is
 * `api/datasets/get`. Bundles, resource names and permissions are derived from it.
 */
export const functionIdOf = (path: string): string => path.replace(/^functions\//, '').replace(/\.ts$/, '');

export const endpointFunctionId = (contract: Pick<EndpointContract, 'id'>): string =>
  functionIdOf(handlerPath(contract));

export const taskFunctionId = (pipelineId: string, taskName: string): string =>
  functionIdOf(taskPath(pipelineId, taskName));

export const AUTHORIZER_FUNCTION_ID = 'api/authorizer';

/** Handles requests without a route in the contracts. */
export const FALLBACK_FUNCTION_ID = 'api/fallback';

/** Every function of the service, by id; its source is `functions/<id>.ts`. */
export const functionIds: readonly string[] = [
  AUTHORIZER_FUNCTION_ID,
  FALLBACK_FUNCTION_ID,
  ...contracts.map(endpointFunctionId),
  ...pipelines.flatMap((pipeline) =>
    Object.keys(pipeline.tasks).map((task) => taskFunctionId(pipeline.id, task)),
  ),
  ...allBackgroundFunctions.map(({ id }) => id),
];

const pascal = (text: string): string =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** `api/datasets/get` → `ApiDatasetsGet`. */
export const constructIdOf = (id: string): string => pascal(id);

/** Folder of a function's code. Slashes are replaced, so that no asset is inside another. */
export const bundlePath = (assetRoot: string, functionId: string): string =>
  join(assetRoot, 'functions', functionId.replaceAll('/', '.'));

export const layerPath = (assetRoot: string, layer: string): string => join(assetRoot, 'layers', layer);

/** The GPU trainer as a SageMaker source bundle. */
export const trainerBundlePath = (assetRoot: string): string =>
  join(assetRoot, 'trainer', 'sourcedir.tar.gz');

/** Lambda's limit is 64 characters; the longest ids leave room for a stage of 12. */
export const functionName = (stage: string, functionId: string): string =>
  `tunesmith-${stage}-${functionId.replaceAll('/', '-')}`;

/** Every pipeline, each of which is a state machine. */
export const pipelineIds: readonly string[] = pipelines.map(({ id }) => id);

export const stateMachineName = (stage: string, pipelineId: string): string =>
  `tunesmith-${stage}-${pipelineId}`;

/** Token in an ASL file that becomes a task's ARN: `plan-run` → `PlanRunFunctionArn`. */
export const functionToken = (taskName: string): string => `${pascal(taskName)}FunctionArn`;

/** Token in an ASL file that becomes a machine's ARN: `map-chunks` → `MapChunksStateMachineArn`. */
export const stateMachineToken = (pipelineId: string): string => `${pascal(pipelineId)}StateMachineArn`;

export const queueName = (stage: string, name: string): string => `tunesmith-${stage}-${name}`;

/** The bus of events of a stage. */
export const eventBusName = (stage: string): string => `tunesmith-${stage}`;

/** Token in an ASL file that becomes a queue's URL: `attempts` → `AttemptsQueueUrl`. */
export const queueToken = (name: string): string => `${pascal(name)}QueueUrl`;

/** The queue of a trainer. */
export const trainerQueueName = (stage: string, trainer: string): string =>
  `tunesmith-${stage}-trainer-${trainer}`;

/** Path of the role whose sessions are lent to trainers. Its name is CloudFormation's. */
export const attemptRolePath = (stage: string): string => `/tunesmith/${stage}/attempts/`;

/** Beginning of the names of all that belongs to a stage's endpoints of models (`deploy-model.ts`). */
export const modelEndpointPrefix = (stage: string): string => `tunesmith-${stage}-`;

/** Beginning of the names of a stage's training jobs. */
export const trainingJobPrefix = (stage: string): string => `tunesmith-${stage}-`;

export const apiName = (stage: string): string => `tunesmith-${stage}`;

/** Log group of the API's access log. */
export const apiAccessLogName = (stage: string): string => `/tunesmith/${stage}/api-access`;

/** Name of the data bucket's request metrics, for all objects. */
export const BUCKET_METRICS_FILTER = 'all';
