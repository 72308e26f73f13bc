import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Reads a secret once and caches it for the life of the process. */
export function createSecretReader(
  secretArn: string,
  client = new SecretsManagerClient({}),
): () => Promise<string> {
  let value: Promise<string> | undefined;
  const read = async (): Promise<string> => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
    if (SecretString === undefined) throw new Error('The secret holds no text.');
    return SecretString;
  };
  return () => {
    value ??= read().catch((error) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
