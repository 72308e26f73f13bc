import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createConnectionReader } from '#shared/platform/adapters/connection-reader.ts';

const secrets = mockClient(SecretsManagerClient);
afterAll(() => secrets.restore());
const find = createConnectionReader(
  'tunesmith/dev/connections',
  new SecretsManagerClient({ region: 'us-east-1' }),
);

beforeEach(() => {
  secrets.reset();
});

test('a team’s connection is found by team and provider, and read anew each time', async () => {
  secrets
    .on(GetSecretValueCommand, { SecretId: 'tunesmith/dev/connections/team-1/kaggle' })
    .resolvesOnce({ SecretString: 'old' })
    .resolves({ SecretString: ' new\n' });

  expect(await find('team-1', 'kaggle')).toBe('old');
  expect(await find('team-1', 'kaggle')).toBe('new');
});

test('a team without a connection has none, which is no failure', async () => {
  secrets
    .on(GetSecretValueCommand)
    .rejects(new ResourceNotFoundException({ message: 'none', $metadata: {} }));

  expect(await find('team-1', 'kaggle')).toBeNull();
});

test.each([undefined, '', ' \n'])('a secret without text (%j) is none', async (SecretString) => {
  secrets.on(GetSecretValueCommand).resolves(SecretString === undefined ? {} : { SecretString });

  expect(await find('team-1', 'kaggle')).toBeNull();
});

test('any other failure is one', async () => {
  secrets.on(GetSecretValueCommand).rejects(new Error('throttled'));

  await expect(find('team-1', 'kaggle')).rejects.toThrow('throttled');
});
