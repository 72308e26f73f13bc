import { HostedModels } from '../schema/hosted-model.ts';
import { MODEL_ROLES, type ModelRole, RespondApi } from '../schema/model-role.ts';
import {
  envNames,
  functionNameName,
  modelIdName,
  secretArnName,
  stateMachineArnName,
  trainerQueueUrlName,
} from './env-names.ts';

function requireVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(
      `The environment variable ${name} is not set: declare it in the uses of the need that reads it, and run "npm run permissions".`,
    );
  }
  return value;
}

function integer(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${name} must be a whole number above 0, not "${text}".`);
  return value;
}

/** Settings that the stack passes to its functions; read on first use, so that a function needs only its own. */
export const env = {
  stage: () => requireVariable(envNames.stage),
  tableName: () => requireVariable(envNames.tableName),
  bucketName: () => requireVariable(envNames.bucketName),
  stateMachineArn: (pipelineId: string) => requireVariable(stateMachineArnName(pipelineId)),
  functionName: (functionId: string) => requireVariable(functionNameName(functionId)),
  secretArn: (secret: string) => requireVariable(secretArnName(secret)),
  modelProvider: () => requireVariable(envNames.modelProvider),
  modelBaseUrl: () => requireVariable(envNames.modelBaseUrl),
  modelId: (role: ModelRole) => requireVariable(modelIdName(role)),
  /** Null if the installation has no model for the role. */
  optionalModelId: (role: ModelRole) => process.env[modelIdName(role)] || null,
  /** Ids of the roles that have a model. */
  modelIds: (roles: readonly ModelRole[]): Partial<Record<ModelRole, string>> =>
    Object.fromEntries(
      roles.flatMap((role) => {
        const id = process.env[modelIdName(role)];
        return id ? [[role, id]] : [];
      }),
    ),
  modelRoles: () => MODEL_ROLES.filter((role) => Boolean(process.env[modelIdName(role)])),
  modelConcurrency: () => integer(envNames.modelConcurrency, 32),
  modelContextTokens: () => integer(envNames.modelContextTokens, 8192),
  modelCachesPrompts: () => process.env[envNames.modelCachesPrompts] !== 'false',
  modelSeesImages: () => process.env[envNames.modelSeesImages] === 'true',
  modelRespondApi: () => RespondApi.parse(requireVariable(envNames.modelRespondApi)),
  hostedModels: () => HostedModels.parse(JSON.parse(requireVariable(envNames.hostedModels))),
  modelTimeoutSeconds: () => integer(envNames.modelTimeoutSeconds, 180),
  modelOutageSeconds: () => integer(envNames.modelOutageSeconds, 240),
  /** Null if the installation has no search provider. */
  searchBaseUrl: () => process.env[envNames.searchBaseUrl] || null,
  trainerQueueUrl: (trainer: string) => requireVariable(trainerQueueUrlName(trainer)),
  trainers: () => requireVariable(envNames.trainers).split(','),
  attemptRoleArn: () => requireVariable(envNames.attemptRoleArn),
  trainingJobImage: () => requireVariable(envNames.trainingJobImage),
  trainingJobRoleArn: () => requireVariable(envNames.trainingJobRoleArn),
  trainingJobSourceUrl: () => requireVariable(envNames.trainingJobSourceUrl),
  trainingJobInstanceType: () => requireVariable(envNames.trainingJobInstanceType),
  trainingJobVolumeGb: () => Number(requireVariable(envNames.trainingJobVolumeGb)),
  trainingJobHoursMax: () => Number(requireVariable(envNames.trainingJobHoursMax)),
  trainingJobSpot: () => requireVariable(envNames.trainingJobSpot) === 'true',
  searchConcurrency: () => integer(envNames.searchConcurrency, 8),
  evaluationSampleRows: () => integer(envNames.evaluationSampleRows, 100),
  huggingFaceUrl: () => requireVariable(envNames.huggingFaceUrl),
  kaggleUrl: () => requireVariable(envNames.kaggleUrl),
  googleSheetsUrl: () => requireVariable(envNames.googleSheetsUrl),
  egressAllow: () => (process.env[envNames.egressAllow] ?? '').split(',').filter(Boolean),
  corsOrigins: () => (process.env[envNames.corsOrigins] ?? '').split(',').filter(Boolean),
  connectionsPrefix: () => requireVariable(envNames.connectionsPrefix),
  /** `host:port` of Lambda's runtime API, which exposes other invocations and accepts results for this one. */
  lambdaRuntime: () => process.env.AWS_LAMBDA_RUNTIME_API || null,
  /** Address of the X-Ray daemon, and the trace of the invocation; empty outside Lambda. */
  xray: () => ({
    daemon: process.env.AWS_XRAY_DAEMON_ADDRESS ?? '',
    trace: process.env._X_AMZN_TRACE_ID ?? '',
  }),
  region: () => requireVariable('AWS_REGION'),
  /** An emulator's bucket hosts do not resolve, so bucket URLs are then path-style. */
  isEmulated: () => Boolean(process.env.AWS_ENDPOINT_URL),
  /** In tests, problems that are only logged in production are failures. */
  isTest: () => process.env.NODE_ENV === 'test',
  uploadBytesMax: () => integer(envNames.uploadBytesMax, 2_147_483_648),
  uploadsWaitingBytesMax: () => integer(envNames.uploadsWaitingBytesMax, 21_474_836_480),
};
