import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { attemptPolicy } from '../decide/attempt-policy.ts';
import { type CredentialLender, LENT_SECONDS } from '../decide/credential-lender.ts';
import type { AttemptId } from '../decide/repository.ts';

export interface CredentialLenderSettings {
  /** ARN of the role that may do for any attempt what a session may do for one. */
  readonly roleArn: string;
  readonly bucket: string;
  readonly itemOf: (id: AttemptId) => { readonly pk: string };
  /** Told how much of the space that STS has for policies one has taken, in percent. At more than 100 STS refuses. */
  readonly onPacked: (percent: number) => void;
}

/** Sessions of the attempts' role, each narrowed to its attempt and named by it in the account's trail. */
export function createCredentialLender(
  { roleArn, bucket, itemOf, onPacked }: CredentialLenderSettings,
  client = new STSClient({}),
): CredentialLender {
  const [, partition] = roleArn.split(':');
  return {
    async lend(id) {
      const { Credentials: lent, PackedPolicySize } = await client.send(
        new AssumeRoleCommand({
          RoleArn: roleArn,
          RoleSessionName: `${id.experiment_id}-${id.iteration}-${id.attempt}`,
          DurationSeconds: LENT_SECONDS,
          Policy: attemptPolicy(id, {
            bucketArn: `arn:${partition}:s3:::${bucket}`,
            itemPartition: itemOf(id).pk,
          }),
        }),
      );
      if (PackedPolicySize !== undefined) onPacked(PackedPolicySize);
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = lent ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken || Expiration === undefined) {
        throw new Error('STS has answered without credentials.');
      }
      return {
        access_key_id: AccessKeyId,
        secret_access_key: SecretAccessKey,
        session_token: SessionToken,
        expires_at: Expiration.toISOString(),
      };
    },
  };
}
