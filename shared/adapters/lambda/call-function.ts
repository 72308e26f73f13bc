import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

/**
 * Invokes a function and waits for its answer, unless `signal` ends the wait.
 * @throws Error with what the function threw
 */
export async function callFunction(
  functionName: string,
  payload: unknown,
  { client = new LambdaClient({}), signal }: { client?: LambdaClient; signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  const { FunctionError, Payload } = await client.send(
    new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(payload)) }),
    signal === undefined ? {} : { abortSignal: signal },
  );
  const answer: unknown = JSON.parse(Buffer.from(Payload ?? []).toString() || 'null');
  if (FunctionError === undefined) return answer;
  const { errorMessage } = answer as { errorMessage?: string };
  throw new Error(`${functionName} failed: ${errorMessage ?? FunctionError}`);
}
