import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { emulatorIdentity } from './emulator.ts';

/** The address of an emulator, and the credentials for it. */
export interface AwsEnvironment extends Readonly<Record<string, string>> {
  readonly AWS_ENDPOINT_URL: string;
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
  readonly AWS_REGION: string;
  readonly AWS_DEFAULT_REGION: string;
}

/** The environment variables with which AWS clients find the emulator at this address. */
export function awsEnvironmentOf(endpoint: string): AwsEnvironment {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: emulatorIdentity.accessKeyId,
    AWS_SECRET_ACCESS_KEY: emulatorIdentity.secretAccessKey,
    AWS_REGION: emulatorIdentity.region,
    AWS_DEFAULT_REGION: emulatorIdentity.region,
  };
}

/** Options of a client that must not read the environment of this process. */
export function clientOptions(aws: AwsEnvironment) {
  return {
    endpoint: aws.AWS_ENDPOINT_URL,
    region: aws.AWS_REGION,
    credentials: { accessKeyId: aws.AWS_ACCESS_KEY_ID, secretAccessKey: aws.AWS_SECRET_ACCESS_KEY },
  };
}

/** This process's environment without variables of real AWS: a profile or session in it must never be used here. */
export function environmentFor(
  aws: AwsEnvironment,
  settings: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  return {
    ...Object.fromEntries(own),
    ...aws,
    ...settings,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
}

/** Creates the assets bucket, the only resource of `cdk bootstrap` that the local environment needs. */
export async function createAssetBucket(aws: AwsEnvironment): Promise<void> {
  const client = new S3Client({ ...clientOptions(aws), forcePathStyle: true });
  const { account, region } = emulatorIdentity;
  // In us-east-1 creating one's own bucket again is not an error.
  await client.send(new CreateBucketCommand({ Bucket: `cdk-hnb659fds-assets-${account}-${region}` }));
  client.destroy();
}
