import { expect, it } from 'vitest';
import { functionName, trainingJobPrefix } from '#infra/names.ts';
import { trainingJobFunctions } from '#shared/service/pipelines/background.ts';
import { trainingJobName } from '#shared/training/decide/training-jobs.ts';
import {
  configFor,
  EVERYTHING,
  flatten,
  grantsOf,
  propertiesOfFirst,
  resourcesOf,
  synthesize,
} from './synthesize.ts';

const { data, pipelines } = synthesize('dev', EVERYTHING);

it('a stage whose trainings SageMaker runs launches them on AWS’s image of its own region, with what was set', () => {
  const { FunctionName, Environment } = propertiesOfFirst(
    pipelines,
    'AWS::Lambda::Function',
    'ConsumersLaunchTrainingJob',
  );
  const { Variables } = Environment as { Variables: Record<string, unknown> };

  expect(FunctionName).toBe(functionName('dev', 'consumers/launch-training-job'));
  expect(Variables).toMatchObject({
    TRAINING_JOB_INSTANCE_TYPE: 'ml.g5.2xlarge',
    TRAINING_JOB_VOLUME_GB: '200',
    TRAINING_JOB_HOURS_MAX: '24',
    TRAINING_JOB_SPOT: 'false',
  });
  expect(flatten(Variables.TRAINING_JOB_IMAGE)).toMatch(
    /^\{"Fn::FindInMap":.*AWS::Region.*\}\.dkr\.ecr\.REGION\.<AWS::URLSuffix>\/pytorch:[\d.]+-cu\d+-amzn\d+-sagemaker$/,
  );
  expect(JSON.stringify(Variables.TRAINING_JOB_SOURCE_URL)).toMatch(/s3:\/\/.*\.gz"/);
});

it('a stage whose trainings SageMaker runs takes the trainer’s jobs one at a time, and says which are to come again', () => {
  const mapping = propertiesOfFirst(
    pipelines,
    'AWS::Lambda::EventSourceMapping',
    'ConsumersLaunchTrainingJob',
  );
  expect(mapping).toMatchObject({ BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] });
  expect(flatten(mapping.EventSourceArn)).toContain('GpuTrainer');

  const queue = propertiesOfFirst(data, 'AWS::SQS::Queue', 'GpuTrainer');
  const { maxReceiveCount } = queue.RedrivePolicy as { maxReceiveCount: number };
  expect(maxReceiveCount * Number(queue.VisibilityTimeout)).toBe(6 * 3600);
});

it('a stage whose trainings SageMaker runs hears of its own training jobs alone', () => {
  const { EventPattern } = propertiesOfFirst(pipelines, 'AWS::Events::Rule', 'ConsumersFollowTrainingJob');
  const id = { experiment_id: '5a3f9a54-9d0c-4d3e-8f0b-1d7f6f0c2b11', iteration: 10, attempt: 3 };

  expect(EventPattern).toEqual({
    source: ['aws.sagemaker'],
    'detail-type': ['SageMaker Training Job State Change'],
    detail: { TrainingJobName: [{ prefix: 'tunesmith-dev-' }] },
  });
  expect(trainingJobName('dev', id)).toMatch(new RegExp(`^${trainingJobPrefix('dev')}`));
});

it('a stage whose trainings SageMaker runs lets training jobs do what trainers may, fetch their image and source, and write their log, and take no message', () => {
  const found = resourcesOf(pipelines, 'AWS::IAM::Role').find(([id]) => id.startsWith('TrainingJobsRole'));
  if (found === undefined) throw new Error('no role for training jobs');
  const [, role] = found;

  expect(role.Properties.AssumeRolePolicyDocument).toMatchObject({
    Statement: [
      {
        Principal: { Service: 'sagemaker.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ],
  });
  expect(role.Properties.ManagedPolicyArns).toBeUndefined();
  expect(grantsOf(role).map(({ action }) => action)).toEqual([
    'lambda:InvokeFunction',
    ...['Success', 'Failure', 'Heartbeat'].map((verb) => `states:SendTask${verb}`),
    's3:GetObject',
    'kms:Decrypt',
    's3:PutObject',
    's3:AbortMultipartUpload',
    'ecr:GetAuthorizationToken',
    'ecr:BatchCheckLayerAvailability',
    'ecr:GetDownloadUrlForLayer',
    'ecr:BatchGetImage',
    'cloudwatch:PutMetricData',
    ...['CreateLogGroup', 'CreateLogStream', 'DescribeLogStreams', 'PutLogEvents'].flatMap((verb) => [
      `logs:${verb}`,
      `logs:${verb}`,
    ]),
  ]);
});

it('training jobs read their source from a bucket of the CDK that has a key of its own, and decrypt nothing else', () => {
  const [, role] =
    resourcesOf(pipelines, 'AWS::IAM::Role').find(([id]) => id.startsWith('TrainingJobsRole')) ?? [];
  if (role === undefined) throw new Error('no role for training jobs');
  const source = grantsOf(role).find(({ action }) => action === 's3:GetObject')?.resource ?? '';
  const bucket = source.slice(0, source.indexOf('/'));

  const [decrypting, ...others] = grantsOf(role).filter(({ action }) => action.startsWith('kms:'));

  expect(others).toEqual([]);
  expect(decrypting?.resource).toBe('arn:aws:kms:REGION:ACCOUNT:key/*');
  const { StringLike = {}, ...more } = JSON.parse(decrypting?.condition ?? '{}') as Record<
    string,
    Record<string, unknown>
  >;
  expect(more).toEqual({});
  // S3 names the object as the context of its decryption, or the bucket where that has a key for buckets.
  expect([StringLike['kms:EncryptionContext:aws:s3:arn']].flat().map(flatten)).toEqual([bucket, source]);
  expect(flatten(StringLike['kms:ViaService'])).toBe('s3.REGION.amazonaws.com*');
});

it('a stage without the setting has nothing of SageMaker, and workers take the queue', () => {
  const without = synthesize('dev');
  const text = JSON.stringify([without.data, without.pipelines, without.api, without.operations]);

  expect(text).not.toMatch(/sagemaker/i);
  for (const { id } of trainingJobFunctions) expect(text).not.toContain(functionName('dev', id));
  expect(propertiesOfFirst(without.data, 'AWS::SQS::Queue', 'GpuTrainer').RedrivePolicy).toMatchObject({
    maxReceiveCount: 5,
  });
});

it('a stage whose trainings SageMaker runs in a private network tells the launcher where, and lets the jobs join it', () => {
  const { pipelines: networked } = synthesize('dev', {
    SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge',
    SAGEMAKER_SUBNETS: 'subnet-0123abcd,subnet-4567abcd',
    SAGEMAKER_SECURITY_GROUPS: 'sg-0123abcd',
  });
  const { Environment } = propertiesOfFirst(networked, 'AWS::Lambda::Function', 'ConsumersLaunchTrainingJob');
  const actionsOf = (template: typeof networked) =>
    resourcesOf(template, 'AWS::IAM::Role').flatMap(([, role]) =>
      grantsOf(role).flatMap(({ sid, action }) => (sid === 'JoinNetwork' ? [action] : [])),
    );

  expect(Environment).toMatchObject({
    Variables: {
      TRAINING_JOB_SUBNETS: 'subnet-0123abcd,subnet-4567abcd',
      TRAINING_JOB_SECURITY_GROUPS: 'sg-0123abcd',
    },
  });
  expect(actionsOf(networked)).toContain('ec2:CreateNetworkInterface');
  expect(actionsOf(networked)).toHaveLength(9);
  expect(actionsOf(pipelines)).toEqual([]);
});

it.each([
  [{ SAGEMAKER_SUBNETS: 'subnet-0123abcd' }, 'SAGEMAKER_SECURITY_GROUPS is missing'],
  [{ SAGEMAKER_SECURITY_GROUPS: 'sg-0123abcd' }, 'SAGEMAKER_SUBNETS is missing'],
  [
    { SAGEMAKER_SUBNETS: 'vpc-1', SAGEMAKER_SECURITY_GROUPS: 'sg-0123abcd' },
    'SAGEMAKER_SUBNETS must list ids',
  ],
  [
    { SAGEMAKER_SUBNETS: 'subnet-0123abcd', SAGEMAKER_SECURITY_GROUPS: Array(6).fill('sg-0123abcd').join() },
    'SAGEMAKER_SECURITY_GROUPS may list 5 ids, not 6',
  ],
])('the settings %j of a private network are refused by name', (settings, message) => {
  expect(() =>
    configFor('dev', { SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge', ...(settings as Record<string, string>) }),
  ).toThrow(message);
});
