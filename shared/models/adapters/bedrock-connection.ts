import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { type AwsConnection, type AwsConnectionOptions, createAwsConnection } from './aws-connection.ts';
import { toModelError } from './bedrock-errors.ts';

export type BedrockConnection = AwsConnection<
  typeof import('@aws-sdk/client-bedrock-runtime'),
  BedrockRuntimeClient
>;

/** Calls of models of Amazon Bedrock. */
export function createBedrockConnection(options: AwsConnectionOptions): BedrockConnection {
  return createAwsConnection(
    {
      name: 'Bedrock',
      async load() {
        const sdk = await import('@aws-sdk/client-bedrock-runtime');
        // The service uses HTTP/2, whose handler only has these options.
        const client = new sdk.BedrockRuntimeClient({
          region: options.region,
          maxAttempts: 1,
          requestHandler: {
            // A session is idle during reasoning, so this exceeds the timeout of any call.
            sessionTimeout: (options.timeoutSeconds + 10) * 1000,
            maxConcurrentStreams: options.connectionsMax,
          },
        });
        return { sdk, client };
      },
      toModelError,
    },
    options,
  );
}
