import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localDirectory } from './paths.ts';

/** Formats variables as lines for `source` in any POSIX shell. */
export function renderEnvFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join('');
}

/**
 * Parses the output of `renderEnvFile`.
 * @throws {Error} on a malformed line, quoting it.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const match = /^export ([A-Z][A-Z0-9_]*)='(.*)'$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) {
      throw new Error(`"${line}" is not a line of the form export NAME='value'.`);
    }
    variables[match[1]] = match[2].replaceAll("'\\''", "'");
  }
  return variables;
}

/**
 * Reads the variables that the local cloud leaves for its clients.
 * @throws {Error} if it has not been started
 */
export function readLocalEnvironment(): Record<string, string> {
  const envFile = join(localDirectory, 'env');
  if (!existsSync(envFile)) throw new Error('The local cloud has not been started: npm run local');
  return parseEnvFile(readFileSync(envFile, 'utf8'));
}
