import { STSClient } from '@aws-sdk/client-sts';

/** No region is configured. */
export class NoRegionError extends Error {
  constructor() {
    super(
      'No region is named: set AWS_REGION, or give the profile a region (aws configure set region REGION --profile NAME).',
    );
    this.name = 'NoRegionError';
  }
}

const first = (...values: readonly (string | undefined)[]): string | undefined =>
  values.find((value) => value !== undefined && value !== '');

/**
 * Variables with which every AWS client of this process and of its child processes, including the CDK command, uses the
 * same profile and region. The SDK, the CDK and the AWS CLI each read others, in another order: the SDK for JavaScript
 * ignores `AWS_DEFAULT_REGION`, and `--profile` only affects the CDK command.
 * @param regionOfProfile the configured region of a profile
 * @throws {NoRegionError}
 */
export async function awsVariables(
  profileArgument: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  regionOfProfile: (profile: string) => Promise<string | undefined>,
): Promise<Record<string, string>> {
  const profile = first(profileArgument, environment.AWS_PROFILE, environment.AWS_DEFAULT_PROFILE);
  const region =
    first(environment.AWS_REGION, environment.AWS_DEFAULT_REGION) ??
    (await regionOfProfile(profile ?? 'default'));
  if (region === undefined) throw new NoRegionError();
  return {
    ...(profile === undefined ? {} : { AWS_PROFILE: profile }),
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
  };
}

/** The region that the AWS configuration has for a profile. */
export async function regionOfProfile(profile: string): Promise<string | undefined> {
  const client = new STSClient({ profile });
  try {
    return await client.config.region();
  } catch (error) {
    if (/region is missing/i.test((error as Error).message)) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}
