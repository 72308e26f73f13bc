import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/**
 * Reads the credential of a team for a provider from the secret `<prefix>/<team id>/<provider>`; null if there is none.
 * It is not cached, so that a replaced token is not used again.
 */
export function createConnectionReader(
  prefix: string,
  client = new SecretsManagerClient({}),
): (teamId: string, provider: string) => Promise<string | null> {
  return async (teamId, provider) => {
    try {
      const { SecretString: secret } = await client.send(
        new GetSecretValueCommand({ SecretId: `${prefix}/${teamId}/${provider}` }),
      );
      return secret?.trim() || null;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return null;
      throw error;
    }
  };
}
