import { env } from './env.ts';

type Level = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

/** From the least to the one of which there are no lines. */
const LEVELS: readonly string[] = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'];

type Fields = Readonly<Record<string, unknown>>;

/** Keys of every line, until the next invocation begins. */
let common: Fields = {};

/**
 * Writes a line of the log as it is. Lambda's console would put the time, an id and the level before it, and CloudWatch then
 * reads neither fields nor metrics.
 */
export function writeLine(level: Level, text: string): void {
  if (LEVELS.indexOf(level) < LEVELS.indexOf(env.logLevel())) return;
  if (env.isInLambda()) process.stdout.write(`${text}\n`);
  else console[level.toLowerCase() as Lowercase<Level>](text);
}

function log(level: Level, message: string, fields: Fields): void {
  const [, trace] = /(?:^|;)Root=([^;]+)/.exec(env.xray().trace) ?? [];
  const own = {
    level,
    message,
    timestamp: new Date().toISOString(),
    service: 'tunesmith',
    xray_trace_id: trace,
  };
  // Its own keys come first, and no others replace them.
  writeLine(level, JSON.stringify({ ...own, ...common, ...fields, ...own }));
}

/**
 * Structured log of a function, one JSON object a line. Never log credentials, row text or request bodies: operators
 * need ids, counts, codes and durations.
 */
export const logger = {
  debug: (message: string, fields: Fields = {}): void => log('DEBUG', message, fields),
  info: (message: string, fields: Fields = {}): void => log('INFO', message, fields),
  warn: (message: string, fields: Fields = {}): void => log('WARN', message, fields),
  error: (message: string, fields: Fields = {}): void => log('ERROR', message, fields),

  /** Adds keys to the later lines of this invocation. */
  appendKeys(keys: Fields): void {
    common = { ...common, ...keys };
  },

  resetKeys(): void {
    common = {};
  },
};

/** Starts the log of an invocation: every line of it carries these ids. */
export function beginLog(ids: Fields): void {
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
