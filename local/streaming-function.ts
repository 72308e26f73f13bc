import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface StreamingFunction extends AsyncDisposable {
  readonly url: string;
  /** The function's log so far. */
  log(): string;
}

/** Starts a function under a Lambda-like streaming runtime, in a separate process. */
export async function startStreamingFunction(
  modulePath: string,
  environment: Readonly<Record<string, string>>,
): Promise<StreamingFunction> {
  const helper = fileURLToPath(new URL('./lambda-stream.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', helper, modulePath], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const written: string[] = [];
  child.stderr?.on('data', (part: Buffer) => written.push(part.toString()));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The function ended with ${code}: ${written.join('')}`)));
    lines.on('line', (line) => {
      written.push(`${line}\n`);
      if (line.startsWith('{"port"')) resolve((JSON.parse(line) as { port: number }).port);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => written.join(''),
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
