import { LambdaClient } from '@aws-sdk/client-lambda';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import { LendCredentialsReply, type TrainerMessage } from '#shared/training/schema/training-job.ts';
import { AttemptOverError } from './errors.ts';

/** As clients of the AWS SDK take credentials; they ask again before those that they have expire. */
export type LentProvider = () => Promise<{
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiration: Date;
}>;

/**
 * The credentials that the service lends for the attempt of a message.
 * @param client of the trainer's own credentials, which may invoke the lender
 * @returns a provider, which throws {@link AttemptOverError} where there are none any more
 */
export function lentCredentials(
  { lender, job_key, secret }: TrainerMessage,
  client = new LambdaClient(),
): LentProvider {
  return async () => {
    const { credentials } = LendCredentialsReply.parse(
      await callFunction(lender, { job_key, secret }, { client }),
    );
    if (credentials === null) throw new AttemptOverError('No credentials are lent for this attempt.');
    return {
      accessKeyId: credentials.access_key_id,
      secretAccessKey: credentials.secret_access_key,
      sessionToken: credentials.session_token,
      expiration: new Date(credentials.expires_at),
    };
  };
}
