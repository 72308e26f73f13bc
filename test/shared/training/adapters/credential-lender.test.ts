import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { createCredentialLender } from '#shared/training/adapters/credential-lender.ts';
import { attemptPolicy } from '#shared/training/decide/attempt-policy.ts';

const sts = mockClient(STSClient);
afterAll(() => sts.restore());
const id = { experiment_id: '5a3f9a54-9d0c-4d3e-8f0b-1d7f6f0c2b11', iteration: 10, attempt: 3 };
const roleArn = 'arn:aws-us-gov:iam::111122223333:role/tunesmith/dev/attempts/r';
const onPacked = vi.fn();
const lender = createCredentialLender(
  { roleArn, bucket: 'data', itemOf: ({ attempt }) => ({ pk: `ATTEMPT#${attempt}` }), onPacked },
  new STSClient({ region: 'us-gov-west-1' }),
);

beforeEach(() => {
  sts.reset();
  onPacked.mockClear();
});

test('credentials are lent for an hour, by a session that is narrowed to the attempt and named by it', async () => {
  const Expiration = new Date('2026-03-01T13:00:00.000Z');
  sts.on(AssumeRoleCommand).resolves({
    Credentials: { AccessKeyId: 'id', SecretAccessKey: 'key', SessionToken: 'token', Expiration },
    PackedPolicySize: 41,
  });

  expect(await lender.lend(id)).toEqual({
    access_key_id: 'id',
    secret_access_key: 'key',
    session_token: 'token',
    expires_at: '2026-03-01T13:00:00.000Z',
  });

  const { input } = sts.commandCalls(AssumeRoleCommand)[0]?.args[0] ?? {};
  expect(input).toEqual({
    RoleArn: roleArn,
    RoleSessionName: expect.stringMatching(/^[\w+=,.@-]{2,64}$/),
    DurationSeconds: 3600,
    Policy: attemptPolicy(id, { bucketArn: 'arn:aws-us-gov:s3:::data', itemPartition: 'ATTEMPT#3' }),
  });
  expect(input?.RoleSessionName).toBe(`${id.experiment_id}-10-3`);
  expect(onPacked.mock.calls).toEqual([[41]]);
});

const lent = {
  AccessKeyId: 'id',
  SecretAccessKey: 'key',
  SessionToken: 'token',
  Expiration: new Date('2026-03-01T13:00:00.000Z'),
};

test.each([undefined, {}, ...Object.keys(lent).map((name) => ({ ...lent, [name]: undefined }))])(
  'an answer without whole credentials is an error: %j',
  async (Credentials) => {
    sts.on(AssumeRoleCommand).resolves({ Credentials: Credentials as typeof lent });

    await expect(lender.lend(id)).rejects.toThrow('without credentials');
  },
);

test('an answer that does not say how large its policy is tells nothing of it', async () => {
  sts.on(AssumeRoleCommand).resolves({ Credentials: lent });

  expect(await lender.lend(id)).toMatchObject({ session_token: 'token' });
  expect(onPacked).not.toHaveBeenCalled();
});
