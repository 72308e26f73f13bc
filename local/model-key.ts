import {
  PutSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import { requireOutput, type StackOutputs } from './deployment.ts';

/** Stores the key of the model endpoint in the stacks' secret, if there is a key. */
export async function storeModelKey(
  outputs: StackOutputs,
  apiKey: string | undefined,
  connection: SecretsManagerClientConfig,
): Promise<void> {
  if (apiKey === undefined || apiKey === '') return;
  await storeSecret(requireOutput(outputs, 'ModelApiKeySecretName'), apiKey, connection);
}

/** Puts a value into a secret that the stacks made. */
export async function storeSecret(
  name: string,
  value: string,
  connection: SecretsManagerClientConfig = {},
): Promise<void> {
  const client = new SecretsManagerClient(connection);
  await client.send(new PutSecretValueCommand({ SecretId: name, SecretString: value }));
  client.destroy();
}
