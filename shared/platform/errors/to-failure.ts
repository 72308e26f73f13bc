import type { ErrorData } from '../schema/common.ts';
import { type ErrorCode, errorCatalog } from './catalog.ts';
import { ServiceError } from './service-error.ts';

/** A run whose execution is gone without having said why. */
export const runInterrupted: ErrorData = {
  code: 'run_interrupted',
  message: 'The run was interrupted before it ended. Start it again.',
  level: 'error',
};

/** A run whose launch broke off before its execution began. */
export const runNotStarted: ErrorData = {
  code: 'run_not_started',
  message: 'The run could not be started. Start it again.',
  level: 'error',
};

/** A run whose execution, or one of its tasks, had no time left. */
export const runTimedOut: ErrorData = {
  code: 'run_timed_out',
  message: 'The run took too long and was stopped. Start it again with fewer rows (max_rows).',
  level: 'error',
};

/**
 * Converts an error to what a task throws to its state machine. The code is the error's name, which Retry and Catch
 * match, and also starts the message, since not every engine passes the name on. Lambda logs thrown errors, so a
 * syntax error, which quotes the unparsable text, is replaced.
 */
export function toTaskError(error: unknown): unknown {
  if (error instanceof SyntaxError) return new Error('A stored text could not be parsed.');
  if (isTransient(error)) {
    return named(
      'service_unavailable',
      'A store of the service did not respond. Start the run again.',
      error,
    );
  }
  return error instanceof ServiceError ? named(error.code, error.message, error) : error;
}

function named(code: ErrorCode, message: string, cause: unknown): Error {
  const shown = new Error(`${code}: ${message}`, { cause });
  shown.name = code;
  return shown;
}

const CONNECTION_ERRORS: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
]);

/** Whether an error of an AWS client or of a connection may be gone at the next attempt. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $retryable, $metadata } = error as {
    code?: unknown;
    $retryable?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  return $retryable !== undefined || ($metadata?.httpStatusCode ?? 0) >= 500 || CONNECTION_ERRORS.has(code);
}

const TRAINER_SENTENCE_MAX = 500;

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errorCatalog, text);

/**
 * Converts an error caught by a state machine to the error of a dataset or run. A message that no `ServiceError`
 * wrote is not shown, because it may contain internals.
 */
export function readFailure(caught: ErrorData | null): ErrorData | null {
  if (caught === null) return null;
  const [, prefix = '', rest = ''] = /^([a-z_]+): (.*)$/s.exec(caught.message) ?? [];
  if (isCode(prefix)) return { code: prefix, message: rest, level: 'error' };
  // A trainer's word: it names its failure, and its cause is a sentence.
  if (isCode(caught.code) && caught.code.startsWith('trainer_')) {
    return { code: caught.code, message: caught.message.slice(0, TRAINER_SENTENCE_MAX), level: 'error' };
  }
  if (caught.code === 'States.HeartbeatTimeout') {
    return { code: 'trainer_lost', message: 'The trainer has fallen silent.', level: 'error' };
  }
  if (/^(States\.Timeout|Sandbox\.Timedout)$/.test(caught.code)) {
    return runTimedOut;
  }
  return {
    code: 'run_interrupted',
    message: 'The run was interrupted by a failure of the service. Start it again.',
    level: 'error',
  };
}
