import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { createGate } from '#shared/platform/gate.ts';

/** An untrusted function, and its arguments. */
export interface CodeCase {
  readonly code: string;
  readonly entry: string;
  readonly args: readonly (readonly unknown[])[];
}

const CodeOutcome = z.union([
  z.object({
    results: z.array(z.union([z.object({ value: z.unknown() }), z.object({ error: z.string() })])),
  }),
  z.object({ error: z.string() }),
]);
/** One result for each call, or why there is none. */
export type CodeOutcome = z.infer<typeof CodeOutcome>;

const WALL_MILLISECONDS = 5000;
const START_MILLISECONDS = 5000;
const OUTPUT_BYTES_MAX = 1_000_000;
const BATCH_CASES_MAX = 64;
const PROCESSES_MAX = 2;

const sourceOf = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

const gate = createGate(PROCESSES_MAX);

/** Runs a program with an empty environment in an empty directory; null if it had to be killed. */
async function runConfined(
  command: string,
  args: readonly string[],
  input: unknown,
  limits: { readonly milliseconds: number; readonly bytes: number },
): Promise<string | null> {
  const directory = await mkdtemp(join(tmpdir(), 'tunesmith-effect-'));
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: directory,
        env: {},
        stdio: ['pipe', 'pipe', 'ignore'],
        detached: true,
      });
      const parts: Buffer[] = [];
      let bytes = 0;
      let isEnded = false;
      const end = () => {
        isEnded = true;
        // Kill the whole process group, including child processes.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      };
      const timer = setTimeout(end, limits.milliseconds);
      child.stdout.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > limits.bytes && !isEnded) end();
        else parts.push(part);
      });
      child.once('error', reject);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(isEnded ? null : Buffer.concat(parts).toString('utf8'));
      });
      // A program that ends before it has read everything reports the reason in its output.
      child.stdin.on('error', () => undefined);
      child.stdin.end(JSON.stringify(input));
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function readOutcome(line: string | undefined): CodeOutcome {
  try {
    return CodeOutcome.parse(JSON.parse(line ?? ''));
  } catch {
    return { error: 'its process ended early' };
  }
}

/** Runs JavaScript, each case in a separate process. */
export function runJavascript(given: CodeCase): Promise<CodeOutcome> {
  return gate(async () => {
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const source = await sourceOf('./sandbox-javascript.mjs');
    const flags = [permission, '--max-old-space-size=128', '--input-type=module', '--eval', source];
    const limits = { milliseconds: WALL_MILLISECONDS, bytes: OUTPUT_BYTES_MAX };
    const said = await runConfined(process.execPath, flags, given, limits);
    return said === null ? { error: 'it ran for more than 5 seconds or said too much' } : readOutcome(said);
  });
}

interface Waiting {
  readonly given: CodeCase;
  readonly resolve: (outcome: CodeOutcome) => void;
  readonly reject: (error: unknown) => void;
}
let waiting: Waiting[] = [];

/**
 * Runs Python, each case in a separate process. Cases at about the same time share an interpreter that forks for each
 * of them, because its start takes longer than most cases.
 */
export function runPython(given: CodeCase): Promise<CodeOutcome> {
  return new Promise((resolve, reject) => {
    waiting.push({ given, resolve, reject });
    if (waiting.length === 1) setTimeout(flush, 5);
  });
}

function flush(): void {
  const all = waiting;
  waiting = [];
  for (let first = 0; first < all.length; first += BATCH_CASES_MAX) {
    const batch = all.slice(first, first + BATCH_CASES_MAX);
    gate(() => runBatch(batch)).catch((error: unknown) => {
      for (const { reject } of batch) reject(error);
    });
  }
}

async function runBatch(batch: readonly Waiting[]): Promise<void> {
  const source = await sourceOf('./sandbox_python.py');
  const limits = {
    milliseconds: START_MILLISECONDS + batch.length * (WALL_MILLISECONDS + 500),
    bytes: batch.length * (OUTPUT_BYTES_MAX + 100),
  };
  const cases = batch.map(({ given }) => given);
  const said = await runConfined(await findInterpreter(), ['-I', '-S', '-B', '-c', source], cases, limits);
  const lines = (said ?? '').split('\n');
  for (const [n, { resolve }] of batch.entries()) resolve(readOutcome(lines[n]));
}

let interpreter: Promise<string> | null = null;

/** The real executable of `python3`, which may be a wrapper script that needs an environment. */
function findInterpreter(): Promise<string> {
  interpreter ??= promisify(execFile)('python3', ['-I', '-c', 'import sys; print(sys.executable)']).then(
    ({ stdout }) => stdout.trim(),
  );
  return interpreter;
}
