import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  EntityAlreadyExistsException,
  GetPolicyCommand,
  GetPolicyVersionCommand,
  IAMClient,
  type IAMClientConfig,
  ListAccessKeysCommand,
  NoSuchEntityException,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';

/** Credentials as environment variables for the AWS SDK. */
export interface TrainerCredentials extends Readonly<Record<string, string>> {
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
}

const policyName = 'trainer';

/**
 * A user with exactly the permissions of a policy, and with a new key. A trainer on this machine runs as this user, so
 * that missing permissions show here and not only on AWS.
 */
export async function provideTrainerUser(
  userName: string,
  policyDocument: string,
  connection: IAMClientConfig,
): Promise<TrainerCredentials> {
  const iam = new IAMClient(connection);
  try {
    await iam.send(new CreateUserCommand({ UserName: userName })).catch((error: unknown) => {
      if (!(error instanceof EntityAlreadyExistsException)) throw error;
    });
    await deleteKeys(iam, userName);
    await iam.send(
      new PutUserPolicyCommand({
        UserName: userName,
        PolicyName: policyName,
        PolicyDocument: policyDocument,
      }),
    );
    const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName: userName }));
    if (AccessKey?.AccessKeyId === undefined || AccessKey.SecretAccessKey === undefined) {
      throw new Error(`IAM has given ${userName} no key.`);
    }
    return { AWS_ACCESS_KEY_ID: AccessKey.AccessKeyId, AWS_SECRET_ACCESS_KEY: AccessKey.SecretAccessKey };
  } finally {
    iam.destroy();
  }
}

/** Deletes the user of `provideTrainerUser`, if it exists. */
export async function removeTrainerUser(userName: string, connection: IAMClientConfig): Promise<void> {
  const iam = new IAMClient(connection);
  try {
    await deleteKeys(iam, userName);
    await iam.send(new DeleteUserPolicyCommand({ UserName: userName, PolicyName: policyName }));
    await iam.send(new DeleteUserCommand({ UserName: userName }));
  } catch (error) {
    if (!(error instanceof NoSuchEntityException)) throw error;
  } finally {
    iam.destroy();
  }
}

/** The current document of a managed policy, as JSON. */
export async function readPolicy(policyArn: string, connection: IAMClientConfig): Promise<string> {
  const iam = new IAMClient(connection);
  try {
    const { Policy } = await iam.send(new GetPolicyCommand({ PolicyArn: policyArn }));
    const { PolicyVersion } = await iam.send(
      new GetPolicyVersionCommand({ PolicyArn: policyArn, VersionId: Policy?.DefaultVersionId }),
    );
    return decodeURIComponent(PolicyVersion?.Document ?? '');
  } finally {
    iam.destroy();
  }
}

async function deleteKeys(iam: IAMClient, userName: string): Promise<void> {
  const { AccessKeyMetadata = [] } = await iam.send(new ListAccessKeysCommand({ UserName: userName }));
  for (const { AccessKeyId } of AccessKeyMetadata) {
    await iam.send(new DeleteAccessKeyCommand({ UserName: userName, AccessKeyId }));
  }
}
