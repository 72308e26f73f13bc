import { own } from '../own.ts';
import { HostedModels } from '../schema/hosted-model.ts';
import { type ModelRole, RespondApi } from '../schema/model-role.ts';
import {
  envNames,
  functionNameName,
  modelIdName,
  secretArnName,
  stateMachineArnName,
  trainerQueueUrlName,
} from './env-names.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The settings in environment variables; each is read on first use, so that a function needs only its own. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one line for each setting
export function createEnv(variables: Variables) {
  function required(name: string): string {
    const value = own(variables, name);
    if (value === undefined || value === '') {
      throw new Error(
        `The environment variable ${name} is not set: declare it in the uses of the need that reads it, and run "npm run permissions".`,
      );
    }
    return value;
  }

  function integer(name: string, fallback: number): number {
    const text = own(variables, name);
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`${name} must be a whole number above 0, not "${text}".`);
    return value;
  }

  const listed = (name: string): string[] => (own(variables, name) ?? '').split(',').filter(Boolean);
  const egressAllow = () => listed(envNames.egressAllow);
  return {
    stage: () => required(envNames.stage),
    tableName: () => required(envNames.tableName),
    bucketName: () => required(envNames.bucketName),
    bucketOrigin: () => required(envNames.bucketOrigin),
    stateMachineArn: (pipelineId: string) => required(stateMachineArnName(pipelineId)),
    functionName: (functionId: string) => required(functionNameName(functionId)),
    secretArn: (secret: string) => required(secretArnName(secret)),
    modelProvider: () => required(envNames.modelProvider),
    modelBaseUrl: () => required(envNames.modelBaseUrl),
    /** Null for Amazon Bedrock. */
    optionalModelBaseUrl: () => own(variables, envNames.modelBaseUrl) || null,
    logsModelCalls: () => variables[envNames.modelCallLogs] === 'true',
    otlpEndpoint: () => required(envNames.otlpEndpoint),
    modelId: (role: ModelRole) => required(modelIdName(role)),
    /** Null if the installation has no model for the role. */
    optionalModelId: (role: ModelRole) => own(variables, modelIdName(role)) || null,
    /** Ids of the roles that have a model. */
    modelIds: (roles: readonly ModelRole[]): Partial<Record<ModelRole, string>> =>
      Object.fromEntries(
        roles.flatMap((role) => {
          const id = own(variables, modelIdName(role));
          return id ? [[role, id]] : [];
        }),
      ),
    modelConcurrency: () => integer(envNames.modelConcurrency, 32),
    modelContextTokens: () => integer(envNames.modelContextTokens, 8192),
    modelCachesPrompts: () => variables[envNames.modelCachesPrompts] !== 'false',
    modelSeesImages: () => variables[envNames.modelSeesImages] === 'true',
    /** Whether the installation makes batch jobs. */
    modelBatchJobs: () => variables[envNames.modelBatchJobs] === 'true',
    batchJobRoleArn: () => required(envNames.batchJobRoleArn),
    /** The tags of jobs that cost by themselves: training jobs and batch jobs. */
    jobTags: () => JSON.parse(required(envNames.jobTags)) as Record<string, string>,
    modelRespondApi: () => RespondApi.parse(required(envNames.modelRespondApi)),
    hostedModels: () => HostedModels.parse(JSON.parse(required(envNames.hostedModels))),
    modelTimeoutSeconds: () => integer(envNames.modelTimeoutSeconds, 180),
    modelOutageSeconds: () => integer(envNames.modelOutageSeconds, 240),
    modelQuotaWaitHours: () => integer(envNames.modelQuotaWaitHours, 0),
    /** Null if the installation has no search provider. */
    searchBaseUrl: () => variables[envNames.searchBaseUrl] || null,
    trainerQueueUrl: (trainer: string) => required(trainerQueueUrlName(trainer)),
    eventBusName: () => required(envNames.eventBusName),
    trainers: () => required(envNames.trainers).split(','),
    attemptRoleArn: () => required(envNames.attemptRoleArn),
    trainingJobImage: () => required(envNames.trainingJobImage),
    trainingJobRoleArn: () => required(envNames.trainingJobRoleArn),
    trainingJobSourceUrl: () => required(envNames.trainingJobSourceUrl),
    trainingJobInstanceType: () => required(envNames.trainingJobInstanceType),
    trainingJobVolumeGb: () => Number(required(envNames.trainingJobVolumeGb)),
    trainingJobHoursMax: () => Number(required(envNames.trainingJobHoursMax)),
    trainingJobSpot: () => required(envNames.trainingJobSpot) === 'true',
    /** The private network of training jobs and endpoints; null for SageMaker's own. */
    trainingJobNetwork: () => {
      const subnets = listed(envNames.trainingJobSubnets);
      const securityGroups = listed(envNames.trainingJobSecurityGroups);
      return subnets.length === 0 ? null : { subnets, securityGroups };
    },
    /** Empty if the installation deploys no trained models. */
    trainedModels: () => listed(envNames.trainedModels),
    /** Null if a deployed model stays until it is deleted. */
    trainedModelsIdleDays: () => integer(envNames.trainedModelsIdleDays, 0) || null,
    /** Null if a deployed model is kept ready for as long as it is asked. */
    trainedModelsHours: () => integer(envNames.trainedModelsHours, 0) || null,
    modelImportRoleArn: () => required(envNames.modelImportRoleArn),
    modelImportKeyArn: () => variables[envNames.modelImportKeyArn] || null,
    modelEndpointImage: () => required(envNames.modelEndpointImage),
    modelEndpointRoleArn: () => required(envNames.modelEndpointRoleArn),
    searchConcurrency: () => integer(envNames.searchConcurrency, 8),
    evaluationSampleRows: () => integer(envNames.evaluationSampleRows, 100),
    huggingFaceUrl: () => required(envNames.huggingFaceUrl),
    kaggleUrl: () => required(envNames.kaggleUrl),
    googleSheetsUrl: () => required(envNames.googleSheetsUrl),
    egressAllow,
    corsOrigins: () => listed(envNames.corsOrigins),
    connectionsPrefix: () => required(envNames.connectionsPrefix),
    /**
     * What requests to addresses of callers may reach besides the public internet. Never Lambda's runtime API, which exposes other
     * invocations and accepts results for this one.
     */
    egressGuard: () => ({
      allowed: egressAllow(),
      denied: [variables.AWS_LAMBDA_RUNTIME_API ?? ''].filter(Boolean),
    }),
    /** Address of the X-Ray daemon, and the trace of the invocation; empty outside Lambda. */
    xray: () => ({
      daemon: variables.AWS_XRAY_DAEMON_ADDRESS ?? '',
      trace: variables._X_AMZN_TRACE_ID ?? '',
    }),
    region: () => required('AWS_REGION'),
    /** An emulator's bucket hosts do not resolve, so bucket URLs are then path-style. */
    isEmulated: () => Boolean(variables.AWS_ENDPOINT_URL),
    /** In tests, problems that are only logged in production are failures. */
    isTest: () => variables.NODE_ENV === 'test',
    uploadBytesMax: () => integer(envNames.uploadBytesMax, 2_147_483_648),
    uploadsWaitingBytesMax: () => integer(envNames.uploadsWaitingBytesMax, 21_474_836_480),
  };
}

export type Env = ReturnType<typeof createEnv>;

/** Settings that the stack passes to its functions. */
export const env = createEnv(process.env);
