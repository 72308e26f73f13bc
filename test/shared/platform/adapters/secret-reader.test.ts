import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSecretReader } from '#shared/platform/adapters/secret-reader.ts';

const secrets = mockClient(SecretsManagerClient);
afterAll(() => secrets.restore());
const createReader = () => createSecretReader('the-arn', new SecretsManagerClient({ region: 'us-east-1' }));

beforeEach(() => {
  secrets.reset();
});

test('a secret is read once, also when several ask at the same time', async () => {
  secrets.on(GetSecretValueCommand, { SecretId: 'the-arn' }).resolves({ SecretString: 'a secret' });
  const read = createReader();

  expect(await Promise.all([read(), read()])).toEqual(['a secret', 'a secret']);
  expect(await read()).toBe('a secret');
  expect(secrets.commandCalls(GetSecretValueCommand)).toHaveLength(1);
});

test('a failure is not kept', async () => {
  secrets
    .on(GetSecretValueCommand)
    .rejectsOnce(new Error('throttled'))
    .resolves({ SecretString: 'a secret' });
  const read = createReader();

  await expect(read()).rejects.toThrow('throttled');
  expect(await read()).toBe('a secret');
});

test('a secret without text is an error that tells nothing of it', async () => {
  secrets.on(GetSecretValueCommand).resolves({ SecretBinary: Buffer.from('canary') });

  await expect(createReader()()).rejects.toThrow(/^The secret holds no text\.$/);
});
