import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

export interface FunctionInvoker {
  /** Invokes the function asynchronously; Lambda retries it if it fails, unless its trigger says `retries: 0`. */
  start(payload: unknown): Promise<void>;
}

export function createFunctionInvoker(functionName: string, client = new LambdaClient({})): FunctionInvoker {
  return {
    async start(payload) {
      await client.send(
        new InvokeCommand({
          FunctionName: functionName,
          InvocationType: 'Event',
          Payload: Buffer.from(JSON.stringify(payload)),
        }),
      );
    },
  };
}
