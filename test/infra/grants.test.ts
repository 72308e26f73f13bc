import { expect, it } from 'vitest';
import {
  AUTHORIZER_FUNCTION_ID,
  endpointFunctionId,
  FALLBACK_FUNCTION_ID,
  functionName,
  taskFunctionId,
} from '#infra/names.ts';
import { permissionsOf } from '#infra/permissions.ts';
import type { Uses } from '#shared/platform/runtime/uses.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { allBackgroundFunctions } from '#shared/service/pipelines/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import {
  EVERYTHING,
  flatten,
  type Grant,
  grantsOf,
  type Resource,
  resourcesOf,
  synthesize,
  type Template,
} from './synthesize.ts';

const PROFILE = EVERYTHING.MODEL_ID_JUDGE;
const stacks = synthesize('dev', EVERYTHING);

interface Declared {
  readonly functionId: string;
  readonly keyed: boolean;
  readonly hasQueue: boolean;
  readonly isSealed?: boolean;
  /** The queue that it takes messages from. */
  readonly source?: string;
}

const sources: Readonly<Record<string, string>> = {
  queue: 'ATTEMPTS',
  'trainer-queue': 'TRAINERS',
  outbox: 'STREAM',
};

const declared: readonly Declared[] = [
  { functionId: AUTHORIZER_FUNCTION_ID, keyed: false, hasQueue: false },
  { functionId: FALLBACK_FUNCTION_ID, keyed: false, hasQueue: false },
  ...contracts.map((contract) => ({
    functionId: endpointFunctionId(contract),
    keyed: contract.scope !== null,
    hasQueue: false,
  })),
  ...pipelines.flatMap((pipeline) =>
    Object.keys(pipeline.tasks).map((name) => ({
      functionId: taskFunctionId(pipeline.id, name),
      keyed: false,
      hasQueue: false,
    })),
  ),
  ...allBackgroundFunctions.map(({ id, trigger, isSealed = false }) => ({
    functionId: id,
    keyed: false,
    hasQueue: !('isSwept' in trigger || isSealed || trigger.kind === 'logs'),
    isSealed,
    ...(sources[trigger.kind] === undefined ? {} : { source: sources[trigger.kind] ?? '' }),
  })),
];

/** Prefixes of the bucket by their folders: one is not named as in needs. */
function foldersOf(bucket: NonNullable<Uses['bucket']>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(bucket).map(([verb, prefixes]) => [
      verb,
      prefixes.map((prefix) => (prefix === 'batchOutputs' ? 'batch-outputs' : prefix)),
    ]),
  );
}

/** What a role must allow, read from `permissions.json` alone: `action resource [condition]`. */
function expectedGrants({ functionId, keyed, hasQueue, source, isSealed }: Declared): string[] {
  const uses = permissionsOf(functionId);
  const name = `tunesmith-dev-${functionId.replaceAll('/', '-')}`;
  const streams = `arn:aws:logs:REGION:ACCOUNT:log-group:/aws/lambda/${name}:*`;
  const allowed = [
    `logs:CreateLogStream ${streams}`,
    `logs:PutLogEvents ${streams}`,
    ...(isSealed === true ? [] : ['xray:PutTraceSegments *', 'xray:PutTelemetryRecords *']),
  ];
  if (hasQueue) allowed.push('sqs:SendMessage QUEUE');
  if (source === 'STREAM') {
    for (const verb of ['DescribeStream', 'GetRecords', 'GetShardIterator'])
      allowed.push(`dynamodb:${verb} TABLE`);
    allowed.push('dynamodb:ListStreams TABLE/stream/*');
  } else if (source !== undefined) {
    for (const verb of ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'])
      allowed.push(`sqs:${verb} ${source}`);
  }
  const credits = ['CREDITS#*', 'METER#*', 'USAGE#*', 'VOUCHER#*'];
  const operators = [
    'ORG#*',
    'ORG_NAME#*',
    'USER#*',
    'USER_NAME#*',
    'TEAM#*',
    'TEAM_NAME#*',
    'PLAN#*',
    'AUDIT#*',
  ];
  const apiKeys = ['KEY#*', 'TEAM_KEYS#*'];
  const but = (partitions: readonly string[]): string =>
    partitions.length === 0
      ? ''
      : ` {"ForAllValues:StringNotLike":{"dynamodb:LeadingKeys":${JSON.stringify(partitions)}}}`;
  if (uses.table !== undefined) {
    const unread = [
      ...(uses.credits === undefined ? credits : []),
      ...(uses.apiKeys === undefined ? apiKeys : []),
      // What operators did, down to the names of other teams.
      'AUDIT#*',
    ];
    for (const action of ['GetItem', 'Query']) {
      for (const index of ['', '/index/by_created', '/index/by_updated', '/index/by_name']) {
        allowed.push(`dynamodb:${action} TABLE${index}${but(unread)}`);
      }
    }
  }
  if (uses.audit === 'read') {
    allowed.push('dynamodb:Query TABLE {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["AUDIT#*"]}}');
  }
  if (uses.table === 'write') {
    const unwritten = [...(uses.credits === 'write' ? [] : credits), ...apiKeys, ...operators];
    for (const action of ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem']) {
      allowed.push(`dynamodb:${action} TABLE${but(unwritten)}`);
    }
  } else if (keyed) {
    allowed.push(
      'dynamodb:UpdateItem TABLE {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["RATE#*","FREE_USE#*"]}}',
    );
  }
  const { read = [], write = [], delete: remove = [] } = foldersOf(uses.bucket ?? {});
  for (const prefix of read) allowed.push(`s3:GetObject BUCKET/${prefix}/*`);
  if (read.length > 0) {
    const prefixes = read.map((prefix) => `"${prefix}/*"`).join(',');
    allowed.push(`s3:ListBucket BUCKET {"StringLikeIfExists":{"s3:prefix":[${prefixes}]}}`);
  }
  for (const prefix of write) {
    allowed.push(`s3:PutObject BUCKET/${prefix}/*`, `s3:AbortMultipartUpload BUCKET/${prefix}/*`);
  }
  for (const prefix of remove) allowed.push(`s3:DeleteObject BUCKET/${prefix}/*`);
  for (const id of uses.starts ?? []) {
    allowed.push(`states:StartExecution arn:aws:states:REGION:ACCOUNT:stateMachine:tunesmith-dev-${id}`);
  }
  for (const id of uses.observes ?? []) {
    allowed.push(`states:DescribeExecution arn:aws:states:REGION:ACCOUNT:execution:tunesmith-dev-${id}:*`);
  }
  for (const id of uses.stops ?? []) {
    allowed.push(`states:StopExecution arn:aws:states:REGION:ACCOUNT:execution:tunesmith-dev-${id}:*`);
  }
  for (const id of uses.fails ?? []) {
    allowed.push(`states:SendTaskFailure arn:aws:states:REGION:ACCOUNT:stateMachine:tunesmith-dev-${id}`);
  }
  if (uses.trainerQueues === true) allowed.push('sqs:SendMessage TRAINERS');
  if (uses.publishesEvents === true) allowed.push('events:PutEvents BUS');
  if (uses.lendsCredentials === true) {
    allowed.push('sts:AssumeRole arn:aws:iam::ACCOUNT:role/tunesmith/dev/attempts/*');
  }
  const jobs = 'arn:aws:sagemaker:REGION:ACCOUNT:training-job/tunesmith-dev-*';
  if (uses.trainingJobs !== undefined) allowed.push(`sagemaker:StopTrainingJob ${jobs}`);
  if (uses.trainingJobs === 'launch') {
    const toSageMaker = '{"StringEquals":{"iam:PassedToService":"sagemaker.amazonaws.com"}}';
    allowed.push(
      `sagemaker:CreateTrainingJob ${jobs}`,
      `sagemaker:AddTags ${jobs}`,
      `iam:PassRole TRAINING-ROLE ${toSageMaker}`,
    );
  }
  if (uses.batchJobs === 'cancel' || uses.batchJobs === 'write') {
    const batchJobs = 'arn:aws:bedrock:REGION:ACCOUNT:model-invocation-job/*';
    allowed.push('bedrock:ListModelInvocationJobs *');
    for (const verb of ['Get', 'Stop']) allowed.push(`bedrock:${verb}ModelInvocationJob ${batchJobs}`);
    if (uses.batchJobs === 'write') {
      for (const resource of [
        batchJobs,
        'arn:aws:bedrock:REGION::foundation-model/vendor.text-model-v1:0',
        `arn:aws:bedrock:REGION:ACCOUNT:inference-profile/${PROFILE}`,
        'arn:aws:bedrock:*::foundation-model/vendor.judge-model-v1:0',
      ]) {
        allowed.push(`bedrock:CreateModelInvocationJob ${resource}`);
      }
      const toBedrock = '{"StringEquals":{"iam:PassedToService":"bedrock.amazonaws.com"}}';
      allowed.push(`iam:PassRole BATCH-JOB-ROLE ${toBedrock}`, `bedrock:TagResource ${batchJobs}`);
    }
  }
  const endpoints = (part: string): string => `arn:aws:sagemaker:REGION:ACCOUNT:${part}/tunesmith-dev-*`;
  const imported = 'arn:aws:bedrock:REGION:ACCOUNT:imported-model/*';
  const ownModels =
    '{"StringEquals":{"aws:ResourceTag/application":"tunesmith","aws:ResourceTag/stage":"dev"}}';
  if (uses.deploysModels === 'write') {
    const imports = 'arn:aws:bedrock:REGION:ACCOUNT:model-import-job/*';
    allowed.push('bedrock:CreateModelImportJob *', 'bedrock:ListModelImportJobs *');
    allowed.push(`bedrock:GetModelImportJob ${imports}`);
    allowed.push(`bedrock:TagResource ${imports}`, `bedrock:TagResource ${imported}`);
    for (const verb of ['Get', 'Delete'])
      allowed.push(`bedrock:${verb}ImportedModel ${imported} ${ownModels}`);
    allowed.push('iam:PassRole IMPORT-ROLE {"StringEquals":{"iam:PassedToService":"bedrock.amazonaws.com"}}');
    for (const action of [
      'AddTags',
      ...['Endpoint', 'EndpointConfig', 'InferenceComponent', 'Model'].flatMap((part) => [
        `Create${part}`,
        `Delete${part}`,
      ]),
      'DescribeEndpoint',
      'DescribeInferenceComponent',
      'UpdateInferenceComponentRuntimeConfig',
    ]) {
      for (const part of ['endpoint', 'endpoint-config', 'inference-component', 'model']) {
        allowed.push(`sagemaker:${action} ${endpoints(part)}`);
      }
    }
    const toSageMaker = '{"StringEquals":{"iam:PassedToService":"sagemaker.amazonaws.com"}}';
    allowed.push(`iam:PassRole ENDPOINT-ROLE ${toSageMaker}`);
  }
  if (uses.models?.includes('respond') === true) {
    allowed.push(`bedrock:InvokeModelWithResponseStream ${imported} ${ownModels}`);
    for (const part of ['endpoint', 'inference-component']) {
      for (const action of ['InvokeEndpoint', 'InvokeEndpointWithResponseStream'])
        allowed.push(`sagemaker:${action} ${endpoints(part)}`);
    }
  }
  for (const id of uses.invokes ?? []) {
    const invoked = `tunesmith-dev-${id.replaceAll('/', '-')}`;
    allowed.push(`lambda:InvokeFunction arn:aws:lambda:REGION:ACCOUNT:function:${invoked}`);
  }
  for (const secret of uses.secrets ?? []) {
    const path = `tunesmith/dev/${secret.replaceAll('_', '-')}-??????`;
    allowed.push(`secretsmanager:GetSecretValue arn:aws:secretsmanager:REGION:ACCOUNT:secret:${path}`);
  }
  if (uses.connections === true) {
    allowed.push(
      'secretsmanager:GetSecretValue arn:aws:secretsmanager:REGION:ACCOUNT:secret:tunesmith/dev/connections/*',
    );
  }
  const models = uses.models ?? [];
  const invoke = (resource: string, condition = ''): void => {
    for (const action of ['InvokeModel', 'InvokeModelWithResponseStream']) {
      allowed.push(`bedrock:${action} ${resource}${condition}`);
    }
  };
  if (
    models.some(
      (role) => role === 'rewrite' || role === 'answer' || role === 'describe' || role === 'respond',
    )
  ) {
    invoke('arn:aws:bedrock:REGION::foundation-model/vendor.text-model-v1:0');
  }
  if (models.includes('respond')) invoke('arn:aws:bedrock:REGION::foundation-model/vendor.second-model-v1:0');
  if (models.includes('embed')) invoke('arn:aws:bedrock:REGION::foundation-model/vendor.embed-model-v1');
  if (models.includes('judge')) {
    const profile = `arn:aws:bedrock:REGION:ACCOUNT:inference-profile/${PROFILE}`;
    invoke(profile);
    invoke(
      'arn:aws:bedrock:*::foundation-model/vendor.judge-model-v1:0',
      ` {"StringLike":{"bedrock:InferenceProfileArn":"${profile}"}}`,
    );
  }
  return allowed.sort();
}

function flattenCondition(condition: string): string {
  return condition === ''
    ? ''
    : JSON.stringify(JSON.parse(condition), (_key, value) =>
        typeof value === 'object' && value !== null && 'Fn::Join' in value ? flatten(value) : value,
      );
}

const asText = ({ action, resource, condition }: Grant): string =>
  `${action} ${resource
    .replace(/^<DeadLetters.*>$/, 'QUEUE')
    .replace(/^<Attempts.*>$/, 'ATTEMPTS')
    .replace(/^<.*GetAttEvents.*>$/, 'BUS')
    .replace(/^<TrainingJobsRole.*>$/, 'TRAINING-ROLE')
    .replace(/^<BatchJobRole.*>$/, 'BATCH-JOB-ROLE')
    .replace(/^<ModelImportRole.*>$/, 'IMPORT-ROLE')
    .replace(/^<ModelEndpointRole.*>$/, 'ENDPOINT-ROLE')
    .replace(/^<.*GpuTrainer.*>$/, 'TRAINERS')} ${flattenCondition(condition)}`.trim();

function roleOf(template: Template, resource: Resource, property: string): Resource {
  const reference = flatten(resource.Properties[property]).replace(/^<(.*)\.Arn>$/, '$1');
  const role = template.Resources[reference];
  if (role === undefined) throw new Error(`no role ${reference}`);
  return role;
}

function findFunction(functionId: string): { template: Template; resource: Resource } {
  for (const template of [stacks.pipelines, stacks.api]) {
    for (const [, resource] of resourcesOf(template, 'AWS::Lambda::Function')) {
      if (resource.Properties.FunctionName === functionName('dev', functionId)) return { template, resource };
    }
  }
  throw new Error(`no function ${functionId}`);
}

it.each(declared.map((item) => [item.functionId, item] as const))(
  '%s allows exactly what its needs name',
  (functionId, item) => {
    const { template, resource } = findFunction(functionId);

    const grants = grantsOf(roleOf(template, resource, 'Role'))
      .map(asText)
      .sort();

    expect(grants).toEqual(expectedGrants(item));
  },
);

it('the role of a function is its own: no two functions and no machine share one', () => {
  for (const template of [stacks.pipelines, stacks.api]) {
    const holders = [
      ...resourcesOf(template, 'AWS::Lambda::Function').map(([, { Properties }]) => flatten(Properties.Role)),
      ...resourcesOf(template, 'AWS::StepFunctions::StateMachine').map(([, { Properties }]) =>
        flatten(Properties.RoleArn),
      ),
    ];

    expect(new Set(holders).size).toBe(holders.length);
  }
});

it('the role of a function has no managed policy and no statement that was attached from outside', () => {
  for (const template of [stacks.pipelines, stacks.api]) {
    const managed = resourcesOf(template, 'AWS::IAM::Role')
      .filter(([, { Properties }]) => Properties.ManagedPolicyArns !== undefined)
      .map(([id]) => id);

    // Only the role through which API Gateway writes logs, which is no function's.
    expect(managed.every((id) => id.startsWith('ApiCloudWatchRole'))).toBe(true);
    expect(resourcesOf(template, 'AWS::IAM::Policy')).toEqual([]);
    // What operators give to the machines that train, and no function has.
    const policies = resourcesOf(template, 'AWS::IAM::ManagedPolicy').map(([id]) => id);
    expect(policies.every((id) => id.startsWith('TrainerPolicy'))).toBe(true);
  }
});

it('the role of a function that speaks to servers of strangers allows nothing but to log, to trace and to report what failed', () => {
  const { template, resource } = findFunction('tasks/tools/call-tool-server');
  const actions = grantsOf(roleOf(template, resource, 'Role')).map(({ action }) => action);

  expect(new Set(actions)).toEqual(
    new Set([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'xray:PutTraceSegments',
      'xray:PutTelemetryRecords',
      'sqs:SendMessage',
    ]),
  );
});

it('the role of the function that runs the code of rows allows nothing but to log', () => {
  const { template, resource } = findFunction('tasks/witnesses/run-code');
  const name = 'tunesmith-dev-tasks-witnesses-run-code';
  const environment = Object.keys(
    (resource.Properties.Environment as { Variables: Record<string, unknown> }).Variables,
  );

  expect(grantsOf(roleOf(template, resource, 'Role')).map(({ action }) => action)).toEqual([
    'logs:CreateLogStream',
    'logs:PutLogEvents',
  ]);
  expect(JSON.stringify(grantsOf(roleOf(template, resource, 'Role')))).toContain(name);
  expect(resource.Properties.DeadLetterConfig).toBeUndefined();
  expect(environment.filter((each) => /TABLE|BUCKET|SECRET|ARN|URL|FUNCTION/.test(each))).toEqual([]);
});

it('the role of a function names no action with a wildcard', () => {
  for (const template of [stacks.pipelines, stacks.api]) {
    for (const [, role] of resourcesOf(template, 'AWS::IAM::Role')) {
      for (const { action } of grantsOf(role)) expect(action).not.toContain('*');
    }
  }
});
