import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

/** The result of an invoked function as JSON text, with `functionError` if it threw. */
export interface InvocationResult {
  readonly text: string;
  readonly functionError: string | undefined;
}

/**
 * Invokes a function and waits for its result, unless `signal` aborts the wait.
 * @throws the signal's reason, or the error of the invocation
 */
export async function invoke(
  client: LambdaClient,
  functionName: string,
  payload: unknown,
  signal: AbortSignal | undefined,
): Promise<InvocationResult> {
  signal?.throwIfAborted();
  const command = new InvokeCommand({
    FunctionName: functionName,
    Payload: Buffer.from(JSON.stringify(payload)),
  });
  try {
    const { FunctionError, Payload } = await client.send(
      command,
      signal === undefined ? {} : { abortSignal: signal },
    );
    return { text: Buffer.from(Payload ?? []).toString(), functionError: FunctionError };
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

/**
 * As `invoke`, with the parsed result.
 * @throws Error with the function's error
 */
export async function callFunction(
  functionName: string,
  payload: unknown,
  { client = new LambdaClient({}), signal }: { client?: LambdaClient; signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  const { text, functionError } = await invoke(client, functionName, payload, signal);
  const answer: unknown = JSON.parse(text || 'null');
  if (functionError === undefined) return answer;
  const { errorMessage } = answer as { errorMessage?: string };
  throw new Error(`${functionName} failed: ${errorMessage ?? functionError}`);
}

/** Calls functions as `callFunction` does, with one client for all calls, which is made with the first. */
export function createFunctionCaller(): (
  functionName: string,
  payload: unknown,
  signal?: AbortSignal,
) => Promise<unknown> {
  let client: LambdaClient | undefined;
  return (functionName, payload, signal) => {
    client ??= new LambdaClient({});
    return callFunction(functionName, payload, { client, signal });
  };
}
