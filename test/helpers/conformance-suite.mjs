import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * A process that runs commands of the conformance suite of the Model Context Protocol, one after the other: each message
 * holds the arguments of one, each answer what it prints. Loading the suite's packages takes longer than most scenarios.
 */

const SUITE = pathToFileURL('node_modules/@modelcontextprotocol/conformance/dist/index.js').href;

// The suite imports `globSync` of `node:fs`, which Node.js 20 does not have, for a command that no test uses.
const hooks = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.startsWith('${SUITE}')) return loaded;
  return { ...loaded, source: String(loaded.source).replace(/globSync as \\w+,/, '') };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

let runs = 0;
let printed = '';
let exited = () => undefined;
process.stdout.write = (text) => {
  printed += text;
  return true;
};
// A command ends its process; here it ends itself.
const ENDED = new Error('The command has ended.');
process.exit = () => {
  exited();
  throw ENDED;
};
/** Answers with what went wrong, which is no report. */
const answerError = (error) => {
  if (error !== ENDED) process.send(`The suite failed: ${error?.stack ?? error}`);
};
process.on('unhandledRejection', answerError);
process.on('message', (args) => runCommand(args).catch(answerError));

async function runCommand(args) {
  printed = '';
  process.argv = [process.execPath, SUITE, ...args];
  const ended = new Promise((resolve) => {
    exited = resolve;
  });
  runs += 1;
  // The module is the program: another query makes Node.js run it again.
  await import(`${SUITE}?${runs}`);
  // The list of scenarios is printed at once, and ends nothing.
  if (args[0] !== 'list') await ended;
  process.send(printed);
}
