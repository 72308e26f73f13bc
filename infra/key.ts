import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';

type Keyed = Pick<Config, 'keyArn'>;

/** The operator's key, as something of a stack refers to it; null without one. */
export function keyFor(scope: Construct, id: string, { keyArn }: Keyed): IKey | null {
  return keyArn === null ? null : Key.fromKeyArn(scope, `${id}Key`, keyArn);
}

/** How a queue is encrypted. */
export function queueEncryption(
  scope: Construct,
  id: string,
  config: Keyed,
): Pick<QueueProps, 'encryption' | 'encryptionMasterKey'> {
  const key = keyFor(scope, id, config);
  return key === null
    ? { encryption: QueueEncryption.SQS_MANAGED }
    : { encryption: QueueEncryption.KMS, encryptionMasterKey: key };
}

/** The use of the operator's key through the services that store something, and by itself for nothing. */
export function keyStatement(scope: Construct, keyArn: string): PolicyStatement {
  const { region } = Stack.of(scope);
  return new PolicyStatement({
    sid: 'UseKey',
    actions: [
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:Encrypt',
      'kms:GenerateDataKey',
      'kms:GenerateDataKeyWithoutPlaintext',
      'kms:ReEncryptFrom',
      'kms:ReEncryptTo',
    ],
    resources: [keyArn],
    // China's names of services end in `.cn`.
    conditions: {
      StringLike: {
        'kms:ViaService': ['dynamodb', 's3', 'sqs'].map((service) => `${service}.${region}.amazonaws.com*`),
      },
    },
  });
}

/** What every role needs that reads or writes something of a stage with the operator's key; null without one. */
export function addKeyPolicy(scope: Construct, { keyArn }: Keyed): ManagedPolicy | null {
  if (keyArn === null) return null;
  return new ManagedPolicy(scope, 'KeyPolicy', {
    description: 'For roles that read or write what is stored: the use of the key.',
    statements: [keyStatement(scope, keyArn)],
  });
}

/** The managed policies of a role that reads or writes what is stored. */
export const keyPolicyOf = ({
  keyPolicy,
}: {
  readonly keyPolicy: ManagedPolicy | null;
}): { readonly managedPolicies: ManagedPolicy[] } => ({
  managedPolicies: keyPolicy === null ? [] : [keyPolicy],
});
