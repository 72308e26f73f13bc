import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { DeploymentPlatform } from '#shared/deployments/schema/deployment.ts';
import {
  envNames,
  functionNameName,
  modelIdName,
  secretArnName,
  stateMachineArnName,
  trainerQueueUrlName,
} from '#shared/platform/runtime/env-names.ts';
import {
  type BucketPrefix,
  bucketPrefixes,
  type SecretName,
  type Uses,
} from '#shared/platform/runtime/uses.ts';
import { lendCredentials } from '#shared/training/background.ts';
import type { Trainer } from '#shared/training/schema/training.ts';
import { bedrockModelArns, bedrockStatements } from './bedrock-access.ts';
import { type Config, tagsOf } from './config.ts';
import {
  attemptRolePath,
  functionName,
  modelEndpointPrefix,
  stateMachineName,
  trainingJobPrefix,
} from './names.ts';

/** Prefixes of partition keys that a function may only access if its needs declare it. */
export const guardedPartitions = {
  credits: ['CREDITS#', 'METER#', 'USAGE#', 'VOUCHER#'],
  apiKeys: ['KEY#', 'TEAM_KEYS#'],
  /** Written only by operators, without a function: teams with their members and stacks, users, plans. */
  operators: ['ORG#', 'ORG_NAME#', 'USER#', 'USER_NAME#', 'TEAM#', 'TEAM_NAME#', 'PLAN#'],
  /** What operators did: no function writes it. */
  audit: ['AUDIT#'],
} as const;

/** What the data stack offers to the functions of the others. */
export interface DataResources {
  readonly table: Table;
  readonly bucket: Bucket;
  readonly eventBus: EventBus;
  /** Those of the trainers that are deployed. */
  readonly trainerQueues: ReadonlyMap<Trainer, Queue>;
}

/** What training jobs of SageMaker are launched with. */
export interface TrainingJobResources {
  readonly imageUri: string;
  /** `s3://` address of the source bundle. */
  readonly sourceUrl: string;
  readonly roleArn: string;
}

/** What endpoints of SageMaker are made with. */
export interface ModelEndpointResources {
  readonly imageUri: string;
  readonly roleArn: string;
}

/** What functions are granted parts of. */
export interface Resources extends DataResources {
  /** The role whose sessions are lent to trainers; given to the functions beside the API. */
  readonly attemptRoleArn?: string;
  /** Absent where SageMaker runs no trainings. */
  readonly trainingJobs?: TrainingJobResources;
  /** The role that Amazon Bedrock assumes for batch jobs; absent where it makes none. */
  readonly batchJobRoleArn?: string;
  /** The role that Amazon Bedrock assumes to import models; absent where it imports none. */
  readonly modelImportRoleArn?: string;
  /** What endpoints of SageMaker are made with; absent where it has none. */
  readonly modelEndpoints?: ModelEndpointResources;
}

export const TABLE_INDEXES = ['by_created', 'by_updated', 'by_name'] as const;

export const READ_ITEMS = ['dynamodb:GetItem', 'dynamodb:Query'];

/** A transaction has no action of its own: each of its items is allowed as the single write that it is. */
export const WRITE_ITEMS = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:ConditionCheckItem',
];

/** Partition keys of the items that count a team's requests, all of them and those that take long. */
const COUNTER_KEYS = ['RATE#*', 'FREE_USE#*'];

export const secretName = (stage: string, name: SecretName): string =>
  `tunesmith/${stage}/${name.replaceAll('_', '-')}`;

/** A team's connections are secrets below this, by team and provider. An operator stores them. */
export const connectionsPrefix = (stage: string): string => `tunesmith/${stage}/connections`;

export const functionArn = (scope: Construct, stage: string, functionId: string): string =>
  Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: functionName(stage, functionId),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

export const stateMachineArn = (scope: Construct, stage: string, pipelineId: string): string =>
  Stack.of(scope).formatArn({
    service: 'states',
    resource: 'stateMachine',
    resourceName: stateMachineName(stage, pipelineId),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

export const executionArns = (scope: Construct, stage: string, pipelineId: string): string =>
  Stack.of(scope).formatArn({
    service: 'states',
    resource: 'execution',
    resourceName: `${stateMachineName(stage, pipelineId)}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** Lets a function read what operators did, and nothing else of the table. */
function auditGrants(table: Table): PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'ReadAuditLog',
      actions: ['dynamodb:Query'],
      resources: [table.tableArn],
      conditions: withinPartitions(guardedPartitions.audit.map((beginning) => `${beginning}*`)),
    }),
  ];
}

/**
 * The items of the table that a function reaches: those of credits and of API keys only where it says so. Conditions are
 * on the leading key, which a request to DynamoDB always has but for a scan, and nobody may scan.
 */
function tableGrants(table: Table, { table: access, credits, apiKeys }: Uses): PolicyStatement[] {
  if (access === undefined) return [];
  const indexes = TABLE_INDEXES.map((index) => `${table.tableArn}/index/${index}`);
  const reads = [
    ...(credits === undefined ? guardedPartitions.credits : []),
    ...(apiKeys === undefined ? guardedPartitions.apiKeys : []),
    ...guardedPartitions.audit,
  ];
  const writes = [
    ...(credits === 'write' ? [] : guardedPartitions.credits),
    ...guardedPartitions.apiKeys,
    ...guardedPartitions.operators,
    ...guardedPartitions.audit,
  ];
  return [
    new PolicyStatement({
      sid: 'ReadItems',
      actions: READ_ITEMS,
      resources: [table.tableArn, ...indexes],
      conditions: withoutPartitions(reads),
    }),
    ...(access === 'write'
      ? [
          new PolicyStatement({
            sid: 'WriteItems',
            actions: WRITE_ITEMS,
            resources: [table.tableArn],
            conditions: withoutPartitions(writes),
          }),
        ]
      : []),
  ];
}

// Only the ForAllValues forms pass on an emulator that does not know the key; on AWS the key is always there.
const withinPartitions = (patterns: readonly string[]): Record<string, unknown> => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
});

const withoutPartitions = (beginnings: readonly string[]): Record<string, unknown> =>
  beginnings.length === 0
    ? {}
    : {
        'ForAllValues:StringNotLike': {
          'dynamodb:LeadingKeys': beginnings.map((beginning) => `${beginning}*`),
        },
      };

/** Lets a function count requests and write nothing else of the table. */
export function rateLimitGrant(table: Table): PolicyStatement {
  return new PolicyStatement({
    sid: 'CountRequests',
    actions: ['dynamodb:UpdateItem'],
    resources: [table.tableArn],
    conditions: withinPartitions(COUNTER_KEYS),
  });
}

function objectGrants(bucket: Bucket, uses: NonNullable<Uses['bucket']>): PolicyStatement[] {
  const objects = (prefixes: readonly BucketPrefix[]): string[] =>
    prefixes.map((prefix) => bucket.arnForObjects(`${bucketPrefixes[prefix]}*`));
  const { read = [], write = [], delete: remove = [] } = uses;
  return [
    ...(read.length === 0
      ? []
      : [
          new PolicyStatement({ sid: 'ReadObjects', actions: ['s3:GetObject'], resources: objects(read) }),
          // Besides listings, this makes S3 say 404 instead of 403 of a missing object. Such a request has no prefix,
          // so the condition holds where there is one.
          new PolicyStatement({
            sid: 'ListObjects',
            actions: ['s3:ListBucket'],
            resources: [bucket.bucketArn],
            conditions: {
              StringLikeIfExists: { 's3:prefix': read.map((prefix) => `${bucketPrefixes[prefix]}*`) },
            },
          }),
        ]),
    ...(write.length === 0
      ? []
      : [
          new PolicyStatement({
            sid: 'WriteObjects',
            actions: ['s3:PutObject', 's3:AbortMultipartUpload'],
            resources: objects(write),
          }),
        ]),
    ...(remove.length === 0
      ? []
      : [
          new PolicyStatement({
            sid: 'DeleteObjects',
            actions: ['s3:DeleteObject'],
            resources: objects(remove),
          }),
        ]),
  ];
}

/** Invoking models of Amazon Bedrock: those of profiles on the condition that the request comes through the profile. */
export const bedrockGrants = (scope: Construct, ids: readonly string[]): PolicyStatement[] =>
  bedrockStatements(Stack.of(scope), ids).map((statement) => new PolicyStatement(statement));

/** Ids of the models whose calls batch jobs make. */
export const batchModelIds = ({ ids }: Config['model']): string[] =>
  [ids.rewrite, ids.answer, ids.judge].filter((id) => id !== undefined);

/**
 * Batch jobs of Amazon Bedrock: looking at those of the region and ending them, and making them of the models of a run,
 * by the role that Bedrock assumes.
 */
function batchJobGrants(
  scope: Construct,
  use: 'cancel' | 'write',
  { model }: Pick<Config, 'model'>,
  roleArn: string,
): PolicyStatement[] {
  const jobs = Stack.of(scope).formatArn({
    service: 'bedrock',
    resource: 'model-invocation-job',
    resourceName: '*',
  });
  const { models, profiles } = bedrockModelArns(Stack.of(scope), batchModelIds(model));
  return [
    new PolicyStatement({
      sid: 'ListBatchJobs',
      actions: ['bedrock:ListModelInvocationJobs'],
      resources: ['*'],
    }),
    new PolicyStatement({
      sid: 'EndBatchJobs',
      actions: ['bedrock:GetModelInvocationJob', 'bedrock:StopModelInvocationJob'],
      resources: [jobs],
    }),
    ...(use === 'cancel'
      ? []
      : [
          new PolicyStatement({
            sid: 'MakeBatchJobs',
            actions: ['bedrock:CreateModelInvocationJob'],
            resources: [jobs, ...models, ...profiles.flatMap(({ profile, model }) => [profile, model])],
          }),
          // A job that is created with tags needs it too.
          new PolicyStatement({ sid: 'TagBatchJobs', actions: ['bedrock:TagResource'], resources: [jobs] }),
          new PolicyStatement({
            sid: 'PassBatchJobRole',
            actions: ['iam:PassRole'],
            resources: [roleArn],
            conditions: { StringEquals: { 'iam:PassedToService': 'bedrock.amazonaws.com' } },
          }),
        ]),
  ];
}

/**
 * The models that this stage has imported. Bedrock chooses the ends of their ARNs, so what tells them from those of others is
 * their tags.
 */
function importedModels(scope: Construct, { stage }: Config) {
  const tags = { 'aws:ResourceTag/application': 'tunesmith', 'aws:ResourceTag/stage': stage };
  return {
    resources: [
      Stack.of(scope).formatArn({ service: 'bedrock', resource: 'imported-model', resourceName: '*' }),
    ],
    conditions: { StringEquals: tags },
  };
}

/** The use of the operator's key through Amazon Bedrock, by which it looks whether a role may use a model. */
function importKeyGrants(scope: Construct, { keyArn }: Config, actions: string[]): PolicyStatement[] {
  if (keyArn === null) return [];
  return [
    new PolicyStatement({
      sid: 'UseKeyOfModels',
      actions,
      resources: [keyArn],
      conditions: { StringLike: { 'kms:ViaService': `bedrock.${Stack.of(scope).region}.amazonaws.com*` } },
    }),
  ];
}

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonbedrock.html */
function modelImportGrants(scope: Construct, config: Config, roleArn: string): PolicyStatement[] {
  const jobs = Stack.of(scope).formatArn({
    service: 'bedrock',
    resource: 'model-import-job',
    resourceName: '*',
  });
  const { resources: models, conditions } = importedModels(scope, config);
  return [
    // Neither has a resource: what is made has no ARN yet, and lists are of the account.
    new PolicyStatement({
      sid: 'ImportModels',
      actions: ['bedrock:CreateModelImportJob', 'bedrock:ListModelImportJobs'],
      resources: ['*'],
    }),
    new PolicyStatement({ sid: 'FollowImports', actions: ['bedrock:GetModelImportJob'], resources: [jobs] }),
    // What is created with tags needs it too.
    new PolicyStatement({
      sid: 'TagModels',
      actions: ['bedrock:TagResource'],
      resources: [jobs, ...models],
    }),
    new PolicyStatement({
      sid: 'DeleteModels',
      actions: ['bedrock:GetImportedModel', 'bedrock:DeleteImportedModel'],
      resources: models,
      conditions,
    }),
    new PolicyStatement({
      sid: 'PassModelImportRole',
      actions: ['iam:PassRole'],
      resources: [roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'bedrock.amazonaws.com' } },
    }),
    ...importKeyGrants(scope, config, [
      'kms:CreateGrant',
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:GenerateDataKey',
    ]),
  ];
}

/** Whether a function asks models for callers, and so trained ones of this platform too. */
const asksTrained = (uses: Uses, { trainedModels }: Config, platform: DeploymentPlatform): boolean =>
  trainedModels?.platforms.includes(platform) === true && (uses.models ?? []).includes('respond');

/** What belongs to the endpoints of the stage, by the beginning of their names. */
const endpointArns = (scope: Construct, { stage }: Config, kinds: readonly string[]): string[] =>
  kinds.map((resource) =>
    Stack.of(scope).formatArn({
      service: 'sagemaker',
      resource,
      resourceName: `${modelEndpointPrefix(stage)}*`,
    }),
  );

function endpointGrants(scope: Construct, config: Config, roleArn: string): PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'MakeEndpoints',
      actions: [
        'sagemaker:AddTags',
        'sagemaker:CreateEndpoint',
        'sagemaker:CreateEndpointConfig',
        'sagemaker:CreateInferenceComponent',
        'sagemaker:CreateModel',
        'sagemaker:DeleteEndpoint',
        'sagemaker:DeleteEndpointConfig',
        'sagemaker:DeleteInferenceComponent',
        'sagemaker:DeleteModel',
        'sagemaker:DescribeEndpoint',
        'sagemaker:DescribeInferenceComponent',
        'sagemaker:UpdateInferenceComponentRuntimeConfig',
      ],
      resources: endpointArns(scope, config, ['endpoint', 'endpoint-config', 'inference-component', 'model']),
    }),
    new PolicyStatement({
      sid: 'PassModelEndpointRole',
      actions: ['iam:PassRole'],
      resources: [roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'sagemaker.amazonaws.com' } },
    }),
  ];
}

/**
 * Streamed answers are an action of their own in the service authorization reference, while the page of the API asks for the other one:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsagemaker.html
 */
const invokeEndpointGrants = (scope: Construct, uses: Uses, config: Config): PolicyStatement[] =>
  one(
    'InvokeEndpoints',
    ['sagemaker:InvokeEndpoint', 'sagemaker:InvokeEndpointWithResponseStream'],
    asksTrained(uses, config, 'amazon_sagemaker')
      ? endpointArns(scope, config, ['endpoint', 'inference-component'])
      : [],
  );

/** What asks models for callers asks imported ones too. */
function importedModelGrants(scope: Construct, uses: Uses, config: Config): PolicyStatement[] {
  if (!asksTrained(uses, config, 'amazon_bedrock')) return [];
  return [
    new PolicyStatement({
      sid: 'InvokeImportedModels',
      actions: ['bedrock:InvokeModelWithResponseStream'],
      ...importedModels(scope, config),
    }),
    ...importKeyGrants(scope, config, ['kms:Decrypt']),
  ];
}

/** An emulator evaluates the answers to task tokens against every resource, and so refuses a grant on a machine. */
export function tokenResources({ emulated }: Pick<Config, 'emulated'>, machines: string[]): string[] {
  return emulated && machines.length > 0 ? ['*'] : machines;
}

function trainingJobGrants(
  scope: Construct,
  stage: string,
  use: NonNullable<Uses['trainingJobs']>,
  jobs: TrainingJobResources,
): PolicyStatement[] {
  const resources = [
    Stack.of(scope).formatArn({
      service: 'sagemaker',
      resource: 'training-job',
      resourceName: `${trainingJobPrefix(stage)}*`,
    }),
  ];
  return [
    new PolicyStatement({ sid: 'StopTrainingJobs', actions: ['sagemaker:StopTrainingJob'], resources }),
    ...(use === 'stop'
      ? []
      : [
          new PolicyStatement({
            sid: 'LaunchTrainingJobs',
            actions: ['sagemaker:CreateTrainingJob', 'sagemaker:AddTags'],
            resources,
          }),
          new PolicyStatement({
            sid: 'PassTrainingRole',
            actions: ['iam:PassRole'],
            resources: [jobs.roleArn],
            conditions: { StringEquals: { 'iam:PassedToService': 'sagemaker.amazonaws.com' } },
          }),
        ]),
  ];
}

const list = <T>(items: readonly T[] | undefined): readonly T[] => items ?? [];

/** A statement; none without resources. */
const one = (sid: string, actions: string[], resources: string[]): PolicyStatement[] =>
  resources.length === 0 ? [] : [new PolicyStatement({ sid, actions, resources })];

function executionGrants(scope: Construct, uses: Uses, config: Config): PolicyStatement[] {
  const { stage } = config;
  return [
    ...one(
      'StartExecutions',
      ['states:StartExecution'],
      list(uses.starts).map((id) => stateMachineArn(scope, stage, id)),
    ),
    ...one(
      'DescribeExecutions',
      ['states:DescribeExecution'],
      list(uses.observes).map((id) => executionArns(scope, stage, id)),
    ),
    ...one(
      'StopExecutions',
      ['states:StopExecution'],
      list(uses.stops).map((id) => executionArns(scope, stage, id)),
    ),
    ...one(
      'FailTasks',
      ['states:SendTaskFailure'],
      tokenResources(
        config,
        list(uses.fails).map((id) => stateMachineArn(scope, stage, id)),
      ),
    ),
  ];
}

function secretGrants(scope: Construct, uses: Uses, stage: string): PolicyStatement[] {
  return [
    ...one(
      'ReadSecrets',
      ['secretsmanager:GetSecretValue'],
      list(uses.secrets).map((name) =>
        Stack.of(scope).formatArn({
          service: 'secretsmanager',
          resource: 'secret',
          // Secrets Manager ends every ARN in six characters of its own.
          resourceName: `${secretName(stage, name)}-??????`,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ),
    ),
    ...one(
      'ReadConnections',
      ['secretsmanager:GetSecretValue'],
      uses.connections === true
        ? [
            Stack.of(scope).formatArn({
              service: 'secretsmanager',
              resource: 'secret',
              resourceName: `${connectionsPrefix(stage)}/*`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          ]
        : [],
    ),
  ];
}

/** The statements that `uses` calls for, and no other. */
export function grantsFor(scope: Construct, uses: Uses, config: Config, data: Resources): PolicyStatement[] {
  const { stage, model } = config;
  return [
    ...tableGrants(data.table, uses),
    ...(uses.audit === undefined ? [] : auditGrants(data.table)),
    ...(uses.bucket === undefined ? [] : objectGrants(data.bucket, uses.bucket)),
    ...executionGrants(scope, uses, config),
    ...one(
      'QueueJobs',
      ['sqs:SendMessage'],
      uses.trainerQueues === true ? [...data.trainerQueues.values()].map(({ queueArn }) => queueArn) : [],
    ),
    ...one(
      'PublishEvents',
      ['events:PutEvents'],
      uses.publishesEvents === true ? [data.eventBus.eventBusArn] : [],
    ),
    // By its path, since the role itself names the one that these statements are of.
    ...one(
      'AssumeAttemptRole',
      ['sts:AssumeRole'],
      uses.lendsCredentials === true
        ? [
            Stack.of(scope).formatArn({
              service: 'iam',
              region: '',
              resource: `role${attemptRolePath(stage)}*`,
              arnFormat: ArnFormat.NO_RESOURCE_NAME,
            }),
          ]
        : [],
    ),
    ...(uses.trainingJobs === undefined || data.trainingJobs === undefined
      ? []
      : trainingJobGrants(scope, stage, uses.trainingJobs, data.trainingJobs)),
    ...(uses.batchJobs === undefined || uses.batchJobs === 'read' || data.batchJobRoleArn === undefined
      ? []
      : batchJobGrants(scope, uses.batchJobs, config, data.batchJobRoleArn)),
    ...(uses.deploysModels !== 'write' || data.modelImportRoleArn === undefined
      ? []
      : modelImportGrants(scope, config, data.modelImportRoleArn)),
    ...(uses.deploysModels !== 'write' || data.modelEndpoints === undefined
      ? []
      : endpointGrants(scope, config, data.modelEndpoints.roleArn)),
    ...importedModelGrants(scope, uses, config),
    ...invokeEndpointGrants(scope, uses, config),
    ...one(
      'InvokeFunctions',
      ['lambda:InvokeFunction'],
      list(uses.invokes).map((id) => functionArn(scope, stage, id)),
    ),
    ...secretGrants(scope, uses, stage),
    ...(model.provider === 'bedrock'
      ? bedrockGrants(
          scope,
          list(uses.models).flatMap((role) =>
            role === 'respond' ? model.hosted.map(({ id }) => id) : (model.ids[role] ?? []),
          ),
        )
      : []),
  ];
}

/** Where presigned URLs lead: the bucket's own host on AWS, the emulator locally. */
function bucketOrigin(scope: Construct, config: Config, { bucket }: Resources): string {
  if (config.emulatorUrl !== null) return new URL(config.emulatorUrl).origin;
  const { region, urlSuffix } = Stack.of(scope);
  return `https://${bucket.bucketName}.s3.${region}.${urlSuffix}`;
}

/** What calls of models, at once or by batch jobs, read of the environment. */
function modelEntries(uses: Uses, config: Config, data: Resources): [string, string][] {
  const { model } = config;
  const entries: [string, string][] = [];
  const callsModels = uses.models !== undefined && uses.models.length > 0;
  if (callsModels || uses.listsModels === true || uses.batchJobs !== undefined) {
    entries.push([envNames.modelProvider, model.provider]);
  }
  if (callsModels || uses.listsModels === true) {
    entries.push([envNames.modelTimeoutSeconds, String(model.timeoutSeconds)]);
    if (model.baseUrl !== null) entries.push([envNames.modelBaseUrl, model.baseUrl]);
  }
  if (callsModels) {
    entries.push([envNames.modelOutageSeconds, String(model.outageSeconds)]);
    if (model.quotaWaitHours !== null) {
      entries.push([envNames.modelQuotaWaitHours, String(model.quotaWaitHours)]);
    }
    if (model.baseUrl === null) entries.push([envNames.modelCachesPrompts, String(model.cachesPrompts)]);
  }
  if (callsModels && config.telemetry !== null) entries.push([envNames.modelCallLogs, 'true']);
  if (uses.batchJobs !== undefined) entries.push([envNames.modelBatchJobs, String(model.batchJobs)]);
  if (uses.batchJobs !== undefined && uses.batchJobs !== 'read' && data.batchJobRoleArn !== undefined) {
    entries.push([envNames.batchJobRoleArn, data.batchJobRoleArn]);
    entries.push([envNames.jobTags, JSON.stringify(tagsOf(config))]);
  }
  return entries;
}

/** What is told of the deployment of trained models. */
function deploymentEntries(uses: Uses, config: Config, data: Resources): [string, string][] {
  const { trainedModels, keyArn } = config;
  if (uses.deploysModels === undefined || trainedModels === null) return [];
  const entries: [string, string][] = [[envNames.trainedModels, trainedModels.platforms.join(',')]];
  if (trainedModels.idleDays !== null) {
    entries.push([envNames.trainedModelsIdleDays, String(trainedModels.idleDays)]);
  }
  if (trainedModels.hoursPerDay !== null) {
    entries.push([envNames.trainedModelsHours, String(trainedModels.hoursPerDay)]);
  }
  if (uses.deploysModels === 'write' && data.modelImportRoleArn !== undefined) {
    entries.push([envNames.modelImportRoleArn, data.modelImportRoleArn]);
    entries.push([envNames.jobTags, JSON.stringify(tagsOf(config))]);
    if (keyArn !== null) entries.push([envNames.modelImportKeyArn, keyArn]);
  }
  if (uses.deploysModels === 'write' && data.modelEndpoints !== undefined) {
    const { network } = trainedModels;
    entries.push([envNames.modelEndpointImage, data.modelEndpoints.imageUri]);
    entries.push([envNames.modelEndpointRoleArn, data.modelEndpoints.roleArn]);
    entries.push([envNames.jobTags, JSON.stringify(tagsOf(config))]);
    if (network !== null) {
      entries.push([envNames.trainingJobSubnets, network.subnets.join(',')]);
      entries.push([envNames.trainingJobSecurityGroups, network.securityGroups.join(',')]);
    }
  }
  return entries;
}

/** What sends telemetry knows the receiver, and where the calls of models go that it tells of. */
function telemetryEntries(uses: Uses, { telemetry, model }: Config): [string, string][] {
  if (uses.telemetry !== true || telemetry === null) return [];
  return [
    [envNames.otlpEndpoint, telemetry.endpoint],
    [envNames.modelProvider, model.provider],
    ...(model.baseUrl === null ? [] : [[envNames.modelBaseUrl, model.baseUrl] satisfies [string, string]]),
  ];
}

/** The environment that `uses` calls for; `shared/platform/runtime/env.ts` reads it. */
export function environmentFor(
  scope: Construct,
  uses: Uses,
  config: Config,
  data: Resources,
): Record<string, string> {
  const { stage, model, sagemaker } = config;
  const entries: [string, string][] = [
    [envNames.stage, stage],
    [envNames.modelConcurrency, String(model.concurrency)],
    [envNames.modelContextTokens, String(model.contextTokens)],
    [envNames.modelSeesImages, String(model.seesImages)],
    [envNames.evaluationSampleRows, String(config.evaluationSampleRows)],
    [envNames.uploadBytesMax, String(config.uploadBytesMax)],
    [envNames.uploadsWaitingBytesMax, String(config.uploadsWaitingBytesMax)],
  ];
  if (uses.table !== undefined || uses.audit !== undefined)
    entries.push([envNames.tableName, data.table.tableName]);
  if (uses.bucket !== undefined) entries.push([envNames.bucketName, data.bucket.bucketName]);
  if (uses.bucketOrigin === true) entries.push([envNames.bucketOrigin, bucketOrigin(scope, config, data)]);
  for (const id of new Set([...(uses.starts ?? []), ...(uses.observes ?? []), ...(uses.stops ?? [])])) {
    entries.push([stateMachineArnName(id), stateMachineArn(scope, stage, id)]);
  }
  for (const id of uses.invokes ?? []) entries.push([functionNameName(id), functionName(stage, id)]);
  for (const name of uses.secrets ?? []) entries.push([secretArnName(name), secretName(stage, name)]);
  entries.push(...modelEntries(uses, config, data));
  entries.push(...deploymentEntries(uses, config, data));
  entries.push(...telemetryEntries(uses, config));
  if (uses.search === true && config.search !== null) {
    entries.push([envNames.searchBaseUrl, config.search.baseUrl]);
    entries.push([envNames.searchConcurrency, String(config.search.concurrency)]);
  }
  if (uses.trainerQueues === true) {
    for (const [trainer, queue] of data.trainerQueues) {
      entries.push([trainerQueueUrlName(trainer), queue.queueUrl]);
    }
    entries.push([functionNameName(lendCredentials.id), functionName(stage, lendCredentials.id)]);
  }
  if (uses.lendsCredentials === true && data.attemptRoleArn !== undefined) {
    entries.push([envNames.attemptRoleArn, data.attemptRoleArn]);
  }
  if (uses.publishesEvents === true) entries.push([envNames.eventBusName, data.eventBus.eventBusName]);
  if (uses.trainers === true) entries.push([envNames.trainers, config.trainers.join(',')]);
  if (uses.trainingJobs === 'launch' && data.trainingJobs !== undefined && sagemaker !== null) {
    entries.push([envNames.trainingJobImage, data.trainingJobs.imageUri]);
    entries.push([envNames.trainingJobRoleArn, data.trainingJobs.roleArn]);
    entries.push([envNames.trainingJobSourceUrl, data.trainingJobs.sourceUrl]);
    entries.push([envNames.trainingJobInstanceType, sagemaker.instanceType]);
    entries.push([envNames.trainingJobVolumeGb, String(sagemaker.volumeGb)]);
    entries.push([envNames.trainingJobHoursMax, String(sagemaker.hoursMax)]);
    entries.push([envNames.trainingJobSpot, String(sagemaker.spot)]);
    if (sagemaker.network !== null) {
      entries.push([envNames.trainingJobSubnets, sagemaker.network.subnets.join(',')]);
      entries.push([envNames.trainingJobSecurityGroups, sagemaker.network.securityGroups.join(',')]);
    }
    entries.push([envNames.jobTags, JSON.stringify(tagsOf(config))]);
  }
  if (uses.imports === true) {
    const { huggingFaceUrl, kaggleUrl, googleSheetsUrl } = config.imports;
    entries.push([envNames.huggingFaceUrl, huggingFaceUrl]);
    entries.push([envNames.kaggleUrl, kaggleUrl]);
    entries.push([envNames.googleSheetsUrl, googleSheetsUrl]);
  }
  if (uses.imports === true || uses.egress === true) {
    entries.push([envNames.egressAllow, config.imports.egressAllow.join(',')]);
  }
  if (uses.connections === true) entries.push([envNames.connectionsPrefix, connectionsPrefix(stage)]);
  for (const role of new Set([...(uses.models ?? []), ...(uses.modelIds ?? [])])) {
    const id = model.ids[role];
    if (id !== undefined) entries.push([modelIdName(role), id]);
  }
  if (uses.models?.includes('respond') === true || uses.listsModels === true) {
    entries.push([envNames.hostedModels, JSON.stringify(model.hosted)]);
    entries.push([envNames.modelRespondApi, model.respondApi]);
  }
  return Object.fromEntries(entries);
}
