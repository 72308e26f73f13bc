import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { AttemptId } from './repository.ts';

export interface AttemptResources {
  /** ARN of the data bucket. */
  readonly bucketArn: string;
  /** Partition key of the attempt's item. */
  readonly itemPartition: string;
}

/**
 * What the trainer of one attempt may, as an IAM policy: read the data of its training and the checkpoints of all attempts
 * at the iteration, read and write its own output, and update its own item. STS packs the policy into the session's
 * token, where space is short. So it says only what differs between attempts. The role that it narrows names the actions,
 * the table and the attributes, and denies to write jobs.
 */
export function attemptPolicy(
  { experiment_id: experimentId, iteration, attempt }: AttemptId,
  { bucketArn, itemPartition }: AttemptResources,
): string {
  const below = (prefix: string): string => `${bucketArn}/${prefix}*`;
  const output = below(objectKeys.trainerOutput(experimentId, iteration, attempt));
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: 's3:GetObject',
        Resource: [
          below(objectKeys.trainingInputs(experimentId)),
          below(objectKeys.trainerCheckpoints(experimentId, iteration, '*')),
        ],
      },
      // Whatever the role allows of objects, and of the key with which they are encrypted, if the operator has one.
      { Effect: 'Allow', Action: 's3:*', Resource: output },
      { Effect: 'Allow', Action: 'kms:*', Resource: '*' },
      {
        Effect: 'Allow',
        Action: 'dynamodb:UpdateItem',
        Resource: '*',
        // Only the ForAllValues form passes on an emulator that does not know the key; on AWS the key is always there.
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [itemPartition] } },
      },
    ],
  });
}
