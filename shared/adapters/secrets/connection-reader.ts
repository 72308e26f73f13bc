import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/**
 * Reads what a team has stored to reach a provider by: a secret `<prefix>/<team id>/<provider>`; null where there is
 * none. It is read anew each time, so that a token which was replaced is not used again.
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
