import { homedir } from 'node:os';
import { join } from 'node:path';
import { loadChecker } from './checker.ts';
import { EXIT } from './io.ts';
import { runCli } from './run-cli.ts';

const interrupted = new AbortController();
// The second Ctrl-C ends the process at once.
process.once('SIGINT', () => interrupted.abort(new DOMException('Interrupted', 'AbortError')));
// The reader of a pipe has enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  fetch: globalThis.fetch,
  signal: interrupted.signal,
  stateFolder: join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'tunesmith'),
  terminal: process.stderr.isTTY ? process.stderr : null,
  writeOut: (text) => {
    process.stdout.write(text);
  },
  writeError: (text) => {
    process.stderr.write(text);
  },
  readInput: async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  },
  loadChecker,
});
