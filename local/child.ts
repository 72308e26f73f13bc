import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A command that exited with a nonzero status; the message contains the end of its output. */
export class CommandError extends Error {
  constructor(what: string, status: string, output: string, hint?: string) {
    super([`${what} failed (${status}).`, lastLines(output, 30), hint].filter(Boolean).join('\n'));
    this.name = 'CommandError';
  }
}

export interface CommandOptions {
  /** The step, for the error message. */
  readonly what: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly directory?: string;
  /** How to fix a failure. */
  readonly hint?: string;
}

/**
 * Runs a command and returns its stdout.
 * @throws {CommandError} if it cannot be started or exits with a nonzero status.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const child = spawn(command, args, {
    env: options.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.directory === undefined ? {} : { cwd: options.directory }),
  });
  let stdout = '';
  let everything = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    everything += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    everything += text;
  });
  const status = await endOf(child);
  if (status !== 'exit status 0') throw new CommandError(options.what, status, everything, options.hint);
  return stdout;
}

export interface ServiceOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  readonly logFile: string;
  /** Polled until it returns true. */
  readonly isReady: () => Promise<boolean>;
  readonly readyTimeoutSeconds: number;
  /** Seconds for a clean shutdown before it is killed. */
  readonly stopTimeoutSeconds: number;
}

export interface Service {
  readonly pid: number;
  /** Resolves with a description of how the process ended. */
  readonly ended: Promise<string>;
  /** Ends the process and its child processes. */
  stop(): Promise<void>;
}

/**
 * Starts a long-lived process in its own process group and waits until it is ready. Its stdin is a pipe that closes
 * when this process ends for any reason, which tells the service to stop.
 * @throws {CommandError} if it ends or is not ready in time, with the end of its log.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'w');
  const child = spawn(options.command, options.args, {
    cwd: options.directory,
    env: options.environment,
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  let endedAs: string | undefined;
  const ended = endOf(child).then((status) => {
    endedAs = status;
    return status;
  });
  const stop = async () => {
    if (endedAs === undefined) {
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(options.stopTimeoutSeconds * 1000, undefined, { ref: false })]);
    }
    killGroup(child);
    await ended;
  };
  const failure = (status: string) =>
    new CommandError(
      options.name,
      status,
      existsSync(options.logFile) ? readFileSync(options.logFile, 'utf8') : '',
      `The whole log is in ${options.logFile}.`,
    );

  const deadline = performance.now() + options.readyTimeoutSeconds * 1000;
  while (!(await options.isReady())) {
    if (endedAs !== undefined) {
      killGroup(child);
      throw failure(endedAs);
    }
    if (performance.now() > deadline) {
      await stop();
      throw failure(`not ready after ${options.readyTimeoutSeconds} s`);
    }
    await sleep(50);
  }
  if (endedAs !== undefined || child.pid === undefined) throw failure(endedAs ?? 'not started');
  return { pid: child.pid, ended, stop };
}

/** Whether a URL returns a status below 500; connection failures count as no. */
export async function answersHttp(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status < 500;
  } catch {
    return false;
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the process group has already ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`cannot be started: ${error.message}`));
    child.once('close', (code, signal) =>
      resolve(signal === null ? `exit status ${code}` : `ended by ${signal}`),
    );
  });
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
