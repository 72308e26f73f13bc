import { spawn } from 'node:child_process';
import { repositoryRoot } from '#local/paths.ts';
import { bytecodeEnvironment, ensurePython } from '#local/python.ts';

/** Runs the tests' Python with `args`, in the checkout unless told otherwise; answers how it ended and what it printed. */
export async function runPython(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  directory: string = repositoryRoot,
): Promise<{ code: number; output: string }> {
  const python = await ensurePython(['emulator', 'test']);
  const child = spawn(python, args, {
    cwd: directory,
    env: { ...process.env, ...bytecodeEnvironment, NO_PROXY: '127.0.0.1,localhost', ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  return { code, output };
}
