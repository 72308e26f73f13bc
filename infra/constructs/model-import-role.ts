import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import type { Config } from '../config.ts';
import type { DataResources } from '../grants.ts';
import { keyPolicyOf } from '../key.ts';
import { bedrockJobs } from './bedrock-jobs.ts';

/** The files of merged models, as a pattern (`object-keys.ts`). */
const MODELS = `${bucketPrefixes.trainings}*/deployment/model/*`;

/** Reading the files of merged models, for the services that answer with them. */
export function mergedModelStatements(
  scope: Construct,
  { bucket }: Pick<DataResources, 'bucket'>,
): PolicyStatement[] {
  const { account } = Stack.of(scope);
  return [
    new PolicyStatement({
      sid: 'ReadModels',
      actions: ['s3:GetObject'],
      resources: [bucket.arnForObjects(MODELS)],
      conditions: { StringEquals: { 'aws:ResourceAccount': account } },
    }),
    new PolicyStatement({
      sid: 'ListModels',
      actions: ['s3:ListBucket'],
      resources: [bucket.bucketArn],
      conditions: {
        StringEquals: { 'aws:ResourceAccount': account },
        StringLikeIfExists: { 's3:prefix': [MODELS] },
      },
    }),
  ];
}

/**
 * The role that Amazon Bedrock assumes to import models of this account: it reads their files
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/model-import-iam-role.html).
 */
export function addModelImportRole(scope: Construct, config: Config, data: DataResources): Role {
  return new Role(scope, 'ModelImportRole', {
    assumedBy: bedrockJobs(Stack.of(scope), 'model-import-job'),
    ...keyPolicyOf(scope, config),
    description: 'For imports of Amazon Bedrock: the files of merged models.',
    inlinePolicies: {
      ModelImports: new PolicyDocument({ statements: mergedModelStatements(scope, data) }),
    },
  });
}
