import { expect, it } from 'vitest';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { EVERYTHING, grantsOf, resourcesOf, synthesize, type Template } from './synthesize.ts';

const { pipelines, api } = synthesize('dev', EVERYTHING);

const roleIn = (template: Template) =>
  resourcesOf(template, 'AWS::IAM::Role').find(([id]) => id.startsWith('BatchJobRole'))?.[1];

/** Functions whose environment names the role. */
const namingRole = (template: Template): string[] =>
  resourcesOf(template, 'AWS::Lambda::Function')
    .filter(([, { Properties }]) =>
      JSON.stringify(Properties.Environment ?? {}).includes('BATCH_JOB_ROLE_ARN'),
    )
    .map(([, { Properties }]) => String(Properties.FunctionName));

it('a stage with batch jobs of Amazon Bedrock has a role that Bedrock alone assumes, for batch jobs of this account and region', () => {
  const policy = roleIn(pipelines)?.Properties.AssumeRolePolicyDocument as { Statement: unknown[] };

  expect(policy.Statement).toEqual([
    {
      Action: 'sts:AssumeRole',
      Effect: 'Allow',
      Principal: { Service: 'bedrock.amazonaws.com' },
      Condition: {
        StringEquals: { 'aws:SourceAccount': expect.anything() },
        ArnLike: { 'aws:SourceArn': expect.anything() },
      },
    },
  ]);
  expect(JSON.stringify(policy)).toMatch(/:model-invocation-job\/\*/);
});

it('a stage with batch jobs of Amazon Bedrock lets a job read inputs, write outputs and invoke the models of runs, and nothing else', () => {
  const role = roleIn(pipelines);
  if (role === undefined) throw new Error('no role for batch jobs');

  expect(grantsOf(role).map(({ action, resource }) => `${action} ${resource}`)).toEqual([
    's3:GetObject BUCKET/runs/*/batch-jobs/passes/*/inputs/*',
    's3:GetObject BUCKET/batch-outputs/*',
    's3:PutObject BUCKET/batch-outputs/*',
    's3:ListBucket BUCKET',
    'bedrock:InvokeModel arn:aws:bedrock:REGION::foundation-model/vendor.text-model-v1:0',
    'bedrock:InvokeModel arn:aws:bedrock:REGION:ACCOUNT:inference-profile/eu.vendor.judge-model-v1:0',
    'bedrock:InvokeModel arn:aws:bedrock:*::foundation-model/vendor.judge-model-v1:0',
  ]);
  expect(objectKeys.batchInput('r', 1, 2)).toMatch(/^runs\/.*\/batch-jobs\/passes\/.*\/inputs\/.*/);
  expect(objectKeys.batchOutput('r', 1, 2)).toMatch(/^batch-outputs\//);
});

it('a stage with batch jobs of Amazon Bedrock names the role to the functions that make jobs and end them, and to no other', () => {
  expect(namingRole(pipelines).sort()).toEqual([
    'tunesmith-dev-tasks-adapt-end-batch-jobs',
    'tunesmith-dev-tasks-batch-jobs-advance-batch',
    'tunesmith-dev-tasks-runs-cancel-batch-jobs',
  ]);
  expect(namingRole(api)).toEqual([]);
});

it.each([
  ['without batch jobs', { MODEL_ID: 'vendor.text-model-v1:0' }],
  [
    'with those of another provider',
    { MODEL_ID: 'm', MODEL_BASE_URL: 'http://models.example/v1', MODEL_BATCH_JOBS: 'true' },
  ],
])('a stage %s has no role and no permission for batch jobs of Amazon Bedrock', (_, settings) => {
  const other = synthesize('dev', settings);

  expect(roleIn(other.pipelines)).toBeUndefined();
  expect(JSON.stringify([other.pipelines, other.api])).not.toMatch(/ModelInvocationJob|BATCH_JOB_ROLE/);
});
