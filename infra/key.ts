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

/** The managed policies of a role that reads or writes what is stored: the use of the operator's key, if there is one. */
export function keyPolicyOf(
  scope: Construct,
  { keyArn }: Keyed,
): { readonly managedPolicies: ManagedPolicy[] } {
  if (keyArn === null) return { managedPolicies: [] };
  const policy = policyOfStack(
    scope,
    'KeyPolicy',
    (stack) =>
      new ManagedPolicy(stack, 'KeyPolicy', {
        description: 'For roles that read or write what is stored: the use of the key.',
        statements: [keyStatement(stack, keyArn)],
      }),
  );
  return { managedPolicies: [policy] };
}

/**
 * A managed policy of the stack of roles, made for the first one that needs it. Each stack has its own: one of another stack
 * could not be removed with its setting, since exports in use cannot be deleted, and roles get the right before data changes.
 */
export function policyOfStack(
  scope: Construct,
  id: string,
  make: (stack: Stack) => ManagedPolicy,
): ManagedPolicy {
  let stack = Stack.of(scope);
  while (stack.nestedStackParent !== undefined) stack = stack.nestedStackParent;
  return (stack.node.tryFindChild(id) as ManagedPolicy | undefined) ?? make(stack);
}
