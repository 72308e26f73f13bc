import { ArnPrincipal, Effect, PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { ATTEMPT_ATTRIBUTES } from '#shared/training/schema/training-job.ts';
import type { Config } from '../config.ts';
import type { DataResources } from '../grants.ts';
import { keyPolicyOf } from '../key.ts';
import { attemptRolePath } from '../names.ts';

/**
 * The role whose sessions are lent to trainers. It may do for any attempt what the policy of a session allows for one, so
 * that a session can do no more than both say. What is the same for all attempts stands here: STS limits the size of the
 * policy of a session.
 * @param lenderRoleArn the role of the function that lends, which alone may assume it
 */
export function addAttemptRole(
  scope: Construct,
  config: Pick<Config, 'stage' | 'keyArn'>,
  { bucket, table }: DataResources,
  lenderRoleArn: string,
): Role {
  const { trainings } = bucketPrefixes;
  return new Role(scope, 'AttemptRole', {
    path: attemptRolePath(config.stage),
    assumedBy: new ArnPrincipal(lenderRoleArn),
    ...keyPolicyOf(scope, config),
    description: 'For attempts of trainers, by sessions that are narrowed to one attempt.',
    inlinePolicies: {
      AnyAttempt: new PolicyDocument({
        statements: [
          new PolicyStatement({
            sid: 'ReadObjects',
            actions: ['s3:GetObject'],
            resources: [bucket.arnForObjects(`${trainings}*`)],
          }),
          new PolicyStatement({
            sid: 'WriteOutputs',
            // Deleted is the checkpoint before the newest one.
            actions: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:DeleteObject'],
            resources: [bucket.arnForObjects(`${trainings}*/iterations/*/attempts/*`)],
          }),
          // A job lies below the output, and is the service's: whoever gives the attempt up reads its task token there.
          new PolicyStatement({
            sid: 'KeepJobs',
            effect: Effect.DENY,
            actions: ['s3:PutObject', 's3:DeleteObject'],
            resources: [bucket.arnForObjects(`${trainings}*/iterations/*/attempts/*/job.json`)],
          }),
          new PolicyStatement({
            sid: 'KeepAttemptsAlive',
            actions: ['dynamodb:UpdateItem'],
            resources: [table.tableArn],
            // Only the ForAllValues form passes on an emulator that does not know the keys; on AWS both are always there,
            // since the attributes include those of the item's key.
            conditions: {
              'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ATTEMPT#*'] },
              // With others, such as the key of a list, an item would stand in the lists of teams.
              'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...ATTEMPT_ATTRIBUTES] },
            },
          }),
        ],
      }),
    },
  });
}
