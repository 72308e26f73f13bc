import { CommanderError } from 'commander';
import { TunesmithError } from '../errors.ts';
import { isTransient } from '../retry.ts';
import { WaitTimeoutError } from '../wait.ts';
import { CommandFailed, EXIT, type Io } from './io.ts';
import { createProgram } from './program.ts';

/** Runs a command, tells how it failed, and returns its exit code. `argv` holds the arguments alone. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    const { exitCode, ...failure } = failureOf(error, io.signal);
    if (exitCode === EXIT.done) return exitCode;
    if (argv.includes('--json')) io.writeOut(`${JSON.stringify({ error: failure }, null, 2)}\n`);
    // The library of commands has told of wrong usage already.
    if (!(error instanceof CommanderError)) {
      const details = (failure.details ?? [])
        .map(({ path, message }) => `${path}: ${message}`)
        .filter((detail) => !failure.message.includes(detail))
        .map((detail) => `\n  ${detail}`);
      const request = failure.request_id == null ? '' : ` (request ${failure.request_id})`;
      io.writeError(`\nError: ${failure.message}${details.join('')}${request}\n`);
    }
    return exitCode;
  }
}

interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly request_id?: string | null;
  readonly details?: TunesmithError['details'];
}

function failureOf(error: unknown, signal: AbortSignal): Failure {
  // An interrupted command that began nothing at the service says so itself.
  if (signal.aborted && !(error instanceof CommandFailed && error.exitCode === EXIT.interrupted))
    return {
      exitCode: EXIT.interrupted,
      code: 'interrupted',
      message: 'Interrupted. What the service has begun goes on; repeat the command to go on from here.',
    };
  if (error instanceof CommanderError)
    // Help that was asked for is no failure.
    return {
      exitCode: error.exitCode === 0 ? EXIT.done : EXIT.usage,
      code: 'usage',
      message: error.message,
    };
  if (error instanceof CommandFailed)
    return { exitCode: error.exitCode, code: error.code, message: error.message };
  if (error instanceof WaitTimeoutError)
    return { exitCode: EXIT.timedOut, code: 'timed_out', message: error.message };
  if (error instanceof TunesmithError) {
    const { status, code, message, requestId, details } = error;
    return { exitCode: exitCodeOf(error), status, code, message, request_id: requestId, details };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: error instanceof TypeError ? EXIT.usage : EXIT.failed, code: 'failed', message };
}

function exitCodeOf(error: TunesmithError): number {
  if (error.code === 'column_unknown') return EXIT.usage;
  // The base URL lacks its stage.
  if (error.status === 403 && error.code === 'unknown') return EXIT.usage;
  if (error.status === 401 || error.status === 403) return EXIT.keyRefused;
  if (error.status === 402) return EXIT.creditsInsufficient;
  return isTransient(error) ? EXIT.unreachable : EXIT.failed;
}
