import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { startFront } from './front.ts';
import { loadStreamingFunction } from './streaming-runtime.ts';

/**
 * The process of the local front: see front.ts. It has the environment of the function that answers, and these settings
 * besides. It prints its address as a line of JSON, and ends with its stdin.
 */
function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The front was started without ${name}.`);
  return value;
}

const apiUrl = setting('FRONT_API_URL');
const authorizer = setting('FRONT_AUTHORIZER');
const lambda = new LambdaClient({});

/** Asks the deployed authorizer, as API Gateway does. */
async function authorize(authorizationToken: string): Promise<object | null> {
  const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:local/local/POST/api/v1/responses';
  const { Payload, FunctionError } = await lambda.send(
    new InvokeCommand({
      FunctionName: authorizer,
      Payload: JSON.stringify({ type: 'TOKEN', authorizationToken, methodArn }),
    }),
  );
  // It fails for a header without a key, which the API then refuses in its own words.
  if (FunctionError !== undefined) return null;
  const { context } = JSON.parse(Buffer.from(Payload ?? []).toString()) as { context?: object };
  return context ?? null;
}

const front = await startFront({
  port: Number(setting('FRONT_PORT')),
  apiUrl,
  stagePath: new URL(apiUrl).pathname.replace(/^.*\//, '/'),
  respond: await loadStreamingFunction(setting('FRONT_RESPOND')),
  chat: await loadStreamingFunction(setting('FRONT_CHAT')),
  mcp: await loadStreamingFunction(setting('FRONT_MCP')),
  follow: await loadStreamingFunction(setting('FRONT_FOLLOW')),
  authorize,
});
process.stdout.write(`${JSON.stringify({ url: front.url })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
