import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { bedrockModelArns } from '../bedrock-access.ts';
import type { Config } from '../config.ts';
import { batchModelIds, type DataResources } from '../grants.ts';
import { keyPolicyOf } from '../key.ts';
import { bedrockJobs } from './bedrock-jobs.ts';

/** What lies in the bucket of batch jobs, as patterns (`object-keys.ts`). */
const INPUTS = `${bucketPrefixes.runs}*/batch-jobs/passes/*/inputs/*`;
const OUTPUTS = `${bucketPrefixes.batchOutputs}*`;

/**
 * The role that Amazon Bedrock assumes for batch jobs of this account: it invokes the models of runs, reads the input of
 * jobs and writes their output
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/batch-iam-sr.html).
 */
export function addBatchJobRole(scope: Construct, config: Config, { bucket }: DataResources): Role {
  const { account } = Stack.of(scope);
  const { models, profiles } = bedrockModelArns(Stack.of(scope), batchModelIds(config.model));
  return new Role(scope, 'BatchJobRole', {
    assumedBy: bedrockJobs(Stack.of(scope), 'model-invocation-job'),
    ...keyPolicyOf(scope, config),
    description: 'For batch jobs of Amazon Bedrock: the models of runs, and the input and output of jobs.',
    inlinePolicies: {
      BatchJobs: new PolicyDocument({
        statements: [
          new PolicyStatement({
            sid: 'ReadBatchInputs',
            actions: ['s3:GetObject'],
            resources: [bucket.arnForObjects(INPUTS)],
            conditions: { StringEquals: { 'aws:ResourceAccount': account } },
          }),
          // The documented role reads where it writes.
          new PolicyStatement({
            sid: 'WriteBatchOutputs',
            actions: ['s3:GetObject', 's3:PutObject'],
            resources: [bucket.arnForObjects(OUTPUTS)],
            conditions: { StringEquals: { 'aws:ResourceAccount': account } },
          }),
          new PolicyStatement({
            sid: 'ListBatchObjects',
            actions: ['s3:ListBucket'],
            resources: [bucket.bucketArn],
            conditions: {
              StringEquals: { 'aws:ResourceAccount': account },
              StringLikeIfExists: { 's3:prefix': [INPUTS, OUTPUTS] },
            },
          }),
          // Jobs of a single model need none of these; those of a profile do.
          new PolicyStatement({
            sid: 'InvokeBatchModels',
            actions: ['bedrock:InvokeModel'],
            resources: [...models, ...profiles.flatMap(({ profile, model }) => [profile, model])],
          }),
        ],
      }),
    },
  });
}
