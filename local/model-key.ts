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
  const client = new SecretsManagerClient(connection);
  await client.send(
    new PutSecretValueCommand({
      SecretId: requireOutput(outputs, 'ModelApiKeySecretName'),
      SecretString: apiKey,
    }),
  );
  client.destroy();
}
