import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, type Service, startService } from '#local/child.ts';
import { localDirectory } from '#local/paths.ts';
import { answersConnections, findFreePort } from '#local/ports.ts';

/** AWS's emulator of the runtime interface, a public Go module: https://github.com/aws/aws-lambda-runtime-interface-emulator */
const EMULATOR =
  'github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie@v0.0.0-20261030222936-bef5c4ba774d';
/** The client with which Lambda's runtime of Node.js runs handlers: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client */
const CLIENT = 'aws-lambda-ric@4.0.2';

const folder = join(localDirectory, 'runtime-emulator');
const emulator = join(folder, 'bin', 'aws-lambda-rie');
const clientFolder = join(folder, 'node_modules', 'aws-lambda-ric');
const client = join(clientFolder, 'index.mjs');
/** What is compiled last of the client. */
const addOn = join(clientFolder, 'rapid-client.node');

/** Whether the machine can build AWS's emulator, which is written in Go. */
export const hasGo = (): boolean => spawnSync('go', ['version']).status === 0;

/** Builds the emulator and the client, once: the client compiles curl, which takes minutes. */
export async function installRuntimeEmulator(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(emulator)) {
    await runCommand('go', ['install', EMULATOR], {
      what: 'Building AWS’s runtime interface emulator',
      environment: { ...process.env, GOBIN: join(folder, 'bin') },
      hint: 'It needs Go and a proxy of Go modules.',
    });
  }
  if (!existsSync(addOn)) {
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
    await runCommand('npm', ['install', '--prefix', folder, '--foreground-scripts', '--no-audit', CLIENT], {
      what: 'Compiling AWS’s runtime interface client',
      environment: process.env,
      hint: 'It needs a C++ compiler, make and cmake.',
    });
  }
}

export interface EmulatedFunction extends AsyncDisposable {
  /** Invokes it, and returns what API Gateway reads of a streamed answer: the head, and the body after eight zero bytes. */
  invoke(
    event: unknown,
  ): Promise<{ readonly statusCode: number; readonly headers: object; readonly body: string }>;
}

/** Runs a bundle as Lambda does: AWS's emulator starts AWS's client, which loads `index.handler`. */
export async function startEmulatedFunction(
  bundle: string,
  environment: Readonly<Record<string, string>>,
  logFile: string,
): Promise<EmulatedFunction> {
  const [port, apiPort] = [await findFreePort(), await findFreePort()];
  const service: Service = await startService({
    name: 'AWS’s runtime interface emulator',
    command: emulator,
    args: [
      ...['--runtime-interface-emulator-address', `127.0.0.1:${port}`],
      ...['--runtime-api-address', `127.0.0.1:${apiPort}`],
      ...[process.execPath, client, 'index.handler'],
    ],
    environment: {
      PATH: process.env.PATH,
      ...environment,
      LAMBDA_TASK_ROOT: bundle,
      AWS_LAMBDA_FUNCTION_TIMEOUT: '900',
    },
    directory: bundle,
    logFile,
    isReady: () => answersConnections(port),
    readyTimeoutSeconds: 300,
    stopTimeoutSeconds: 10,
  });
  return {
    async invoke(event) {
      const answer = await fetch(`http://127.0.0.1:${port}/2015-03-31/functions/function/invocations`, {
        method: 'POST',
        body: JSON.stringify(event),
      });
      const text = await answer.text();
      const end = text.indexOf(HEAD_END);
      if (end < 0) throw new Error(`The function answered without a head: ${text.slice(0, 500)}`);
      const head = JSON.parse(text.slice(0, end)) as { statusCode: number; headers: object };
      return { ...head, body: text.slice(end + HEAD_END.length) };
    },
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

/** What separates the head of a streamed answer from its body. */
const HEAD_END = '\0'.repeat(8);
