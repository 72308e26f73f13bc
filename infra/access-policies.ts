import { guardedPartitions, READ_ITEMS, secretName, WRITE_ITEMS } from './grants.ts';
import { functionName, stateMachineName } from './names.ts';

/** Who runs commands of the project: `deploy`, `admin` and `restore`, and what `rehearse` does besides both. */
export const ACCESS_KINDS = ['deploy', 'operate', 'rehearse'] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** Where a stage is, or is going to be. */
export interface StagePlace {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  readonly stage: string;
  /** ARN of the key that the stage was deployed with (`KMS_KEY_ARN`). */
  readonly key?: string;
}

interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, unknown>>;
}

/** A policy document of IAM. */
export interface AccessPolicy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

const allow = (Sid: string, Action: readonly string[], Resource: readonly string[]): Statement => ({
  Sid,
  Effect: 'Allow',
  Action,
  Resource,
});

/**
 * The use of a key, also for a table that is restored under it
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html, "Key policy for a customer managed key").
 */
const KEY_ACTIONS = [
  'kms:Decrypt',
  'kms:Encrypt',
  'kms:ReEncrypt*',
  'kms:GenerateDataKey*',
  'kms:DescribeKey',
  'kms:CreateGrant',
];

/** The policy of a person or a pipeline that runs commands of one kind on one stage. */
export function accessPolicy(kind: AccessKind, place: StagePlace): AccessPolicy {
  const { key } = place;
  const useKey = key === undefined ? [] : [allow('UseKey', KEY_ACTIONS, [key])];
  return { Version: '2012-10-17', Statement: [...STATEMENTS[kind](place), ...useKey] };
}

const STATEMENTS: Readonly<Record<AccessKind, (place: StagePlace) => Statement[]>> = {
  deploy: (place) => {
    const { partition, region, account, stage } = place;
    const arn = arnsOf(place);
    return [
      // All that is made is made by the roles of the CDK's bootstrap.
      allow(
        'AssumeCdkRoles',
        ['sts:AssumeRole'],
        [`arn:${partition}:iam::${account}:role/cdk-*-role-${account}-${region}`],
      ),
      lookAtStacks(place),
      // None of these has a resource that a policy could name.
      allow(
        'LookAtAccount',
        [
          'cloudformation:DescribeType',
          'lambda:GetAccountSettings',
          'iam:GetAccountSummary',
          'servicequotas:ListServiceQuotas',
          'cloudwatch:DescribeAlarms',
          'bedrock:ListModelInvocationJobs',
          'ec2:DescribeRouteTables',
          'ec2:DescribeSecurityGroups',
          'ec2:DescribeSubnets',
          'ec2:DescribeVpcEndpoints',
        ],
        ['*'],
      ),
      allow(
        'LookAtKey',
        ['kms:DescribeKey', 'kms:GetKeyPolicy'],
        [`arn:${partition}:kms:${region}:${account}:key/*`],
      ),
      allow('LookAtBoundary', ['iam:GetPolicy'], [`arn:${partition}:iam::${account}:policy/*`]),
      allow('LookAtGateway', ['apigateway:GET'], [`arn:${partition}:apigateway:${region}::/account`]),
      allow('LookAtFunctions', ['lambda:GetFunctionConcurrency'], [arn.lambda(functionName(stage, '*'))]),
      allow('LookAtRuns', ['states:ListExecutions'], [arn.states(stateMachineName(stage, '*'))]),
      allow(
        'AskModels',
        ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream', 'bedrock:GetInferenceProfile'],
        [
          `arn:${partition}:bedrock:*::foundation-model/*`,
          `arn:${partition}:bedrock:*:${account}:inference-profile/*`,
          `arn:${partition}:bedrock:*:${account}:application-inference-profile/*`,
        ],
      ),
      // The first call of a third party's model subscribes to it.
      allow('SubscribeToModels', ['aws-marketplace:Subscribe', 'aws-marketplace:ViewSubscriptions'], ['*']),
      allow(
        'StoreModelKey',
        ['secretsmanager:PutSecretValue'],
        [arn.secret(secretName(stage, 'model_api_key'))],
      ),
      allow('KeepReleasesAndPool', OBJECTS, [`${arn.bucket}/releases/*`, `${arn.bucket}/pool/*`]),
      allow('ListReleasesAndPool', ['s3:ListBucket'], [arn.bucket]),
      {
        ...allow('CloseIntake', [...READ_ITEMS, ...WRITE_ITEMS], [arn.table]),
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['CLAIM#*'] } },
      },
      {
        ...allow('RecordCommands', ['dynamodb:PutItem', 'dynamodb:UpdateItem'], [arn.table]),
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['AUDIT#*'] } },
      },
      {
        ...allow('ListDeployedModels', ['dynamodb:Query'], [`${arn.table}/index/*`]),
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DEPLOYMENTS'] } },
      },
      allow(
        'LoadPool',
        ['lambda:InvokeFunction'],
        [arn.lambda(functionName(stage, 'tasks/pool/embed-shard'))],
      ),
    ];
  },

  operate: (place) => {
    const { stage } = place;
    const arn = arnsOf(place);
    return [
      lookAtStacks(place),
      // With the table that a restoration makes, reads and deletes.
      allow(
        'UseItems',
        [...READ_ITEMS, ...WRITE_ITEMS, 'dynamodb:BatchWriteItem', 'dynamodb:DescribeTable'],
        [arn.table, `${arn.table}/index/*`],
      ),
      // What operators did stays told. IAM cannot tell a first write of an entry from a second one.
      {
        Sid: 'KeepAuditLog',
        Effect: 'Deny',
        Action: ['dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'],
        Resource: [arn.table],
        Condition: AUDIT_ENTRIES,
      },
      {
        Sid: 'KeepAuditEntries',
        Effect: 'Deny',
        Action: ['dynamodb:UpdateItem'],
        Resource: [arn.table],
        Condition: {
          ...AUDIT_ENTRIES,
          'ForAnyValue:StringNotEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'outcome', 'error'] },
        },
      },
      allow(
        'RestoreTable',
        [
          'dynamodb:DescribeContinuousBackups',
          'dynamodb:RestoreTableToPointInTime',
          'dynamodb:Scan',
          'dynamodb:DeleteTable',
        ],
        [arn.table],
      ),
      allow(
        'StoreProbeKey',
        ['secretsmanager:PutSecretValue'],
        [arn.secret(secretName(stage, 'probe_access'))],
      ),
      allow('UseObjects', [...OBJECTS, 's3:GetObjectVersion'], [`${arn.bucket}/*`]),
      allow('ListObjects', ['s3:ListBucket', 's3:ListBucketVersions'], [arn.bucket]),
      allow(
        'InvokeFunctions',
        ['lambda:InvokeFunction'],
        ['tasks/runs/cancel-run', 'consumers/sweep-runs', 'tasks/pool/embed-shard'].map((id) =>
          arn.lambda(functionName(stage, id)),
        ),
      ),
    ];
  },

  rehearse: (place) => {
    const { partition, region, account, stage } = place;
    return [
      allow(
        'RaiseAlarm',
        ['cloudwatch:SetAlarmState', 'cloudwatch:DescribeAlarmHistory'],
        [`arn:${partition}:cloudwatch:${region}:${account}:alarm:tunesmith-${stage}-*`],
      ),
      allow(
        'ReadSettings',
        ['lambda:GetFunctionConfiguration'],
        [arnsOf(place).lambda(functionName(stage, 'api/me/get'))],
      ),
    ];
  },
};

/** A request that concerns an entry, among others or alone. */
const AUDIT_ENTRIES = {
  'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': guardedPartitions.audit.map((start) => `${start}*`) },
};

const OBJECTS = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'] as const;

const lookAtStacks = ({ partition, region, account, stage }: StagePlace): Statement =>
  allow(
    'LookAtStacks',
    ['cloudformation:DescribeStacks'],
    [`tunesmith-${stage}-*`, 'CDKToolkit'].map(
      (name) => `arn:${partition}:cloudformation:${region}:${account}:stack/${name}/*`,
    ),
  );

/** CloudFormation names the table and the bucket after their stack. */
const arnsOf = ({ partition, region, account, stage }: StagePlace) => ({
  table: `arn:${partition}:dynamodb:${region}:${account}:table/tunesmith-${stage}-data-Table*`,
  bucket: `arn:${partition}:s3:::tunesmith-${stage}-data-bucket*`,
  lambda: (name: string) => `arn:${partition}:lambda:${region}:${account}:function:${name}`,
  states: (name: string) => `arn:${partition}:states:${region}:${account}:stateMachine:${name}`,
  secret: (name: string) => `arn:${partition}:secretsmanager:${region}:${account}:secret:${name}-??????`,
});
