import { join } from 'node:path';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { AUTHORIZER_FUNCTION_ID, bundlePath, functionName } from '#infra/names.ts';
import { type AwsEnvironment, clientOptions } from './aws-environment.ts';
import { answersHttp, type Service, startService } from './child.ts';
import { repositoryRoot, typescriptLoader } from './paths.ts';
import { loopback } from './ports.ts';

export const defaultFrontPort = 4580;
export const frontPortVariable = 'TUNESMITH_PORT';

const ANSWERING = 'api/responses/create';
const CHATTING = 'api/chat/completions/create';
const TELLING = 'api/events/list';
const TOOLING = 'api/mcp/call';

const modulePath = (functionId: string): string =>
  join(bundlePath(join(repositoryRoot, 'dist'), functionId), 'index.mjs');

/** Starts the front of a deployed stage: see front.ts. */
export async function startFrontProcess(options: {
  readonly port: number;
  readonly stage: string;
  /** Base URL of the emulator's API, with its stage. */
  readonly apiUrl: string;
  readonly awsEnvironment: AwsEnvironment;
  readonly logFile: string;
}): Promise<{ readonly url: string; readonly service: Service }> {
  const { port, stage, apiUrl, awsEnvironment } = options;
  const lambda = new LambdaClient(clientOptions(awsEnvironment));
  // Each has the names of the functions that it invokes; what both have is the same.
  const configurations = await Promise.all(
    [ANSWERING, TOOLING].map((id) =>
      lambda.send(new GetFunctionConfigurationCommand({ FunctionName: functionName(stage, id) })),
    ),
  );
  const url = `http://${loopback}:${port}/${stage}`;
  const service = await startService({
    name: 'The front',
    command: process.execPath,
    args: ['--import', typescriptLoader, join(repositoryRoot, 'local', 'serve-front.ts')],
    environment: {
      PATH: process.env.PATH,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      ...Object.assign({}, ...configurations.map(({ Environment }) => Environment?.Variables)),
      ...awsEnvironment,
      FRONT_PORT: String(port),
      FRONT_API_URL: apiUrl,
      FRONT_AUTHORIZER: functionName(stage, AUTHORIZER_FUNCTION_ID),
      FRONT_RESPOND: modulePath(ANSWERING),
      FRONT_CHAT: modulePath(CHATTING),
      FRONT_FOLLOW: modulePath(TELLING),
      FRONT_MCP: modulePath(TOOLING),
    },
    directory: repositoryRoot,
    logFile: options.logFile,
    isReady: () => answersHttp(`${url}/docs`),
    readyTimeoutSeconds: 60,
    stopTimeoutSeconds: 5,
  });
  return { url, service };
}
