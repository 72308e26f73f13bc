import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { type AccessKind, accessPolicy, type StagePlace } from '#infra/access-policies.ts';
import { keys, lists } from '#shared/platform/store/keys.ts';

const PLACE: StagePlace = {
  partition: 'aws',
  region: 'ap-southeast-2',
  account: '123456789012',
  stage: 'abcdefghijkl',
};

const WRITE = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:ConditionCheckItem',
];

/** What IAM asks for when the SDK makes a call: the Service Authorization Reference, by the name of the SDK's command. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  AbortMultipartUpload: ['s3:AbortMultipartUpload'],
  BatchWriteItem: ['dynamodb:BatchWriteItem'],
  CompleteMultipartUpload: ['s3:PutObject'],
  CopyObject: ['s3:GetObject', 's3:PutObject'],
  CreateMultipartUpload: ['s3:PutObject'],
  DeleteObjects: ['s3:DeleteObject'],
  DeleteTable: ['dynamodb:DeleteTable'],
  DescribeAlarmHistory: ['cloudwatch:DescribeAlarmHistory'],
  DescribeAlarms: ['cloudwatch:DescribeAlarms'],
  DescribeContinuousBackups: ['dynamodb:DescribeContinuousBackups'],
  DescribeKey: ['kms:DescribeKey'],
  DescribeRouteTables: ['ec2:DescribeRouteTables'],
  DescribeSecurityGroups: ['ec2:DescribeSecurityGroups'],
  DescribeStacks: ['cloudformation:DescribeStacks'],
  DescribeSubnets: ['ec2:DescribeSubnets'],
  DescribeTable: ['dynamodb:DescribeTable'],
  DescribeType: ['cloudformation:DescribeType'],
  DescribeVpcEndpoints: ['ec2:DescribeVpcEndpoints'],
  Get: ['dynamodb:GetItem'],
  // API Gateway's, which names its actions after methods.
  GetAccount: ['apigateway:GET'],
  GetAccountSettings: ['lambda:GetAccountSettings'],
  GetAccountSummary: ['iam:GetAccountSummary'],
  // No permission is needed to ask who one is.
  GetCallerIdentity: [],
  GetFunctionConcurrency: ['lambda:GetFunctionConcurrency'],
  GetFunctionConfiguration: ['lambda:GetFunctionConfiguration'],
  GetInferenceProfile: ['bedrock:GetInferenceProfile'],
  GetKeyPolicy: ['kms:GetKeyPolicy'],
  GetObject: ['s3:GetObject'],
  HeadObject: ['s3:GetObject'],
  Invoke: ['lambda:InvokeFunction'],
  ListExecutions: ['states:ListExecutions'],
  ListModelInvocationJobs: ['bedrock:ListModelInvocationJobs'],
  // Whoever lists versions reads them.
  ListObjectVersions: ['s3:ListBucketVersions', 's3:GetObjectVersion'],
  ListObjectsV2: ['s3:ListBucket'],
  ListServiceQuotas: ['servicequotas:ListServiceQuotas'],
  Put: ['dynamodb:PutItem'],
  PutObject: ['s3:PutObject'],
  PutItem: ['dynamodb:PutItem'],
  PutSecretValue: ['secretsmanager:PutSecretValue'],
  Query: ['dynamodb:Query'],
  RestoreTableToPointInTime: [
    'dynamodb:RestoreTableToPointInTime',
    'dynamodb:Scan',
    'dynamodb:Query',
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
    'dynamodb:BatchWriteItem',
  ],
  Scan: ['dynamodb:Scan'],
  SetAlarmState: ['cloudwatch:SetAlarmState'],
  TransactGet: ['dynamodb:GetItem'],
  TransactWrite: WRITE,
  Update: ['dynamodb:UpdateItem'],
  UploadPart: ['s3:PutObject'],
  UploadPartCopy: ['s3:GetObject', 's3:PutObject'],
};

/** Calls that commands make of an emulator alone: its bucket for assets, and the user of its embedded trainer. */
const OF_EMULATORS = [
  'CreateAccessKey',
  'CreateBucket',
  'CreateUser',
  'DeleteAccessKey',
  'DeleteUser',
  'DeleteUserPolicy',
  'GetPolicy',
  'GetPolicyVersion',
  'ListAccessKeys',
  'PutUserPolicy',
];

/** Calls of the deployment's look at the account; others that import it ask for stacks and for the caller alone. */
const OF_ACCOUNT = [
  'DescribeType',
  'GetAccount',
  'GetAccountSettings',
  'GetAccountSummary',
  'GetFunctionConcurrency',
  'GetInferenceProfile',
  'ListModelInvocationJobs',
  'ListServiceQuotas',
];

/** The calls of the SDK that a command can make: those in its bundle, from which unused code is left out. */
async function callsOf(command: string): Promise<string[]> {
  const { outputFiles } = await build({
    entryPoints: [new URL(`../../bin/${command}.ts`, import.meta.url).pathname],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  const text = outputFiles.map((file) => file.text).join('');
  const made = [...text.matchAll(/new (\w+)Command\(|paginate(\w+)\(/g)].map(
    ([, command, page]) => command ?? page ?? '',
  );
  const leftOut = ['admin', 'restore'].includes(command) ? OF_ACCOUNT : [];
  return [...new Set(made)]
    .filter((call) => call !== '' && !OF_EMULATORS.includes(call) && !leftOut.includes(call))
    .sort();
}

const actionsOf = (...kinds: AccessKind[]): Set<string> =>
  new Set(kinds.flatMap((kind) => accessPolicy(kind, PLACE).Statement.flatMap(({ Action }) => Action)));

/** What the policies allow besides the calls of the SDK, and for what. */
const BESIDES: Readonly<Record<string, string>> = {
  'iam:GetPolicy': 'the look at a permissions boundary, a call that commands make of emulators too',
  'sts:AssumeRole': 'the CDK command',
  'bedrock:InvokeModel': 'Converse and embeddings, over connections of the service’s own',
  'bedrock:InvokeModelWithResponseStream': 'ConverseStream, over connections of the service’s own',
  'aws-marketplace:Subscribe': 'the first call of a third party’s model',
  'aws-marketplace:ViewSubscriptions': 'the first call of a third party’s model',
};

it.each([
  { command: 'deploy', kinds: ['deploy'] },
  { command: 'admin', kinds: ['operate'] },
  { command: 'restore', kinds: ['operate'] },
  { command: 'rehearse', kinds: ['deploy', 'operate', 'rehearse'] },
] as const)(
  'the policy of those who run the command $command allows each call that it makes',
  async ({ command, kinds }) => {
    const allowed = actionsOf(...kinds);
    const calls = await callsOf(command);

    expect(calls.length).toBeGreaterThan(3);
    expect(calls.filter((call) => !Object.hasOwn(ACTIONS, call))).toEqual([]);
    expect(calls.filter((call) => ACTIONS[call]?.some((action) => !allowed.has(action)))).toEqual([]);
  },
);

it('the policies allow no action that no command needs', async () => {
  const needed = async (...commands: string[]): Promise<Set<string>> => {
    const calls = (await Promise.all(commands.map(callsOf))).flat();
    return new Set([...calls.flatMap((call) => ACTIONS[call] ?? []), ...Object.keys(BESIDES)]);
  };
  // A deployment loads the pool by a command of the operators.
  const [deploys, operates, rehearses] = await Promise.all([
    needed('deploy', 'admin'),
    needed('admin', 'restore'),
    needed('rehearse'),
  ]);

  expect([...actionsOf('deploy')].filter((action) => !deploys.has(action))).toEqual([]);
  expect([...actionsOf('operate')].filter((action) => !operates.has(action))).toEqual([]);
  expect([...actionsOf('rehearse')].filter((action) => !rehearses.has(action))).toEqual([]);
});

it.each(['deploy', 'operate', 'rehearse'] as const)(
  'the policy "%s" is of one stage, and fits into a managed policy',
  (kind) => {
    const { Statement } = accessPolicy(kind, PLACE);
    const text = JSON.stringify(accessPolicy(kind, PLACE));
    const open = Statement.filter(({ Resource }) => Resource.includes('*')).map(({ Sid }) => Sid);

    expect(text.length).toBeLessThan(6144);
    expect(new Set(Statement.map(({ Sid }) => Sid)).size).toBe(Statement.length);
    expect(open).toEqual(kind === 'deploy' ? ['LookAtAccount', 'SubscribeToModels'] : []);
    const ofService = Statement.flatMap(({ Resource }) => Resource).filter((arn) =>
      /:(?:dynamodb|s3|lambda|states|secretsmanager|cloudwatch):/.test(arn),
    );
    expect(ofService.filter((arn) => !/tunesmith[-/]abcdefghijkl[-/]/.test(arn))).toEqual([]);
  },
);

it('whoever deploys may read no item of the table but that which closes the intake and deployed models, and no object but releases and the pool', () => {
  const reached = accessPolicy('deploy', PLACE).Statement.filter(({ Resource }) =>
    Resource.some((arn) => /:dynamodb:|:s3:/.test(arn)),
  );

  expect(reached.map(({ Sid, Resource, Condition }) => [Sid, Condition ?? Resource])).toEqual([
    [
      'KeepReleasesAndPool',
      [
        'arn:aws:s3:::tunesmith-abcdefghijkl-data-bucket*/releases/*',
        'arn:aws:s3:::tunesmith-abcdefghijkl-data-bucket*/pool/*',
      ],
    ],
    ['ListReleasesAndPool', ['arn:aws:s3:::tunesmith-abcdefghijkl-data-bucket*']],
    ['CloseIntake', { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys.claim('*').pk] } }],
    [
      'RecordCommands',
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys.auditEntry('*', '*').pk] } },
    ],
    ['ListDeployedModels', { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [lists.deployments] } }],
  ]);
});

it('whoever operates may delete no entry of the audit log, and change of one only how it ended', () => {
  const denied = accessPolicy('operate', PLACE).Statement.filter(({ Effect }) => Effect === 'Deny');
  const entries = { 'dynamodb:LeadingKeys': [keys.auditEntry('*', '*').pk] };

  expect(denied).toMatchObject([
    {
      Action: ['dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'],
      Condition: { 'ForAnyValue:StringLike': entries },
    },
    {
      Action: ['dynamodb:UpdateItem'],
      Condition: {
        'ForAnyValue:StringLike': entries,
        'ForAnyValue:StringNotEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'outcome', 'error'] },
      },
    },
  ]);
});
