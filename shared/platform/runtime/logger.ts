import { Logger } from '@aws-lambda-powertools/logger';

/**
 * Structured log of a function, one JSON object a line. Never log credentials, row text or request bodies: operators
 * need ids, counts, codes and durations.
 */
export const logger = new Logger({ serviceName: 'tunesmith' });

/** Starts the log of an invocation: every line of it carries these ids. */
export function beginLog(ids: Readonly<Record<string, unknown>>): void {
  logger.resetKeys();
  logger.appendKeys(ids);
}

/**
 * The loggable part of an unexpected error: class, message and stack, not its values. A syntax error quotes the
 * unparsable text, which may be a row, so only its position is logged: the stack without the message before it.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error_name: typeof error };
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  const stack = error.stack ?? '';
  const quoting = `${error.name}: ${error.message}\n`;
  const frames = stack.startsWith(quoting) ? stack.slice(quoting.length) : '';
  return error instanceof SyntaxError
    ? { error_name: error.name, error_stack: frames, ...cause }
    : { error_name: error.name, error_message: error.message, error_stack: error.stack, ...cause };
}
