// Runs an untrusted function in a separate context: reads {code, entry, args} from stdin and prints {results: [{value}
// or {error}]} in the order of args, or {error}. It does not know the expected results. Node runs this text with --eval
// under the permission model, without access to files, processes or threads.
import { createContext, runInContext } from 'node:vm';

const MILLISECONDS = 2000;

for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) delete globalThis[name];

/** Only strings pass between the two contexts, so that the answer gets no object of this one. */
const context = createContext(Object.create(null), { microtaskMode: 'afterEvaluate' });
/** A string, not an error: an error object of this context would give access to it. */
const refuseImport = () => {
  throw 'an answer may not import';
};
const evaluate = (code) =>
  runInContext(code, context, { timeout: MILLISECONDS, importModuleDynamically: refuseImport });

function run({ code, entry, args }) {
  evaluate(`
    globalThis.module = { exports: {} };
    globalThis.exports = globalThis.module.exports;
    globalThis.console = new Proxy({}, { get: () => () => undefined });
    globalThis.structuredClone = (value) => (value === undefined ? value : JSON.parse(JSON.stringify(value)));
  `);
  evaluate(code.replace(/^export (default )?(?=(async )?function|class|const|let)/gm, ''));
  const found = `(typeof ${entry} !== 'undefined' ? ${entry} : module.exports.${entry} ?? module.exports)`;
  if (evaluate(`typeof ${found}`) !== 'function') return { error: `the code does not define ${entry}` };
  const results = args.map((these) => {
    try {
      const given = JSON.stringify(JSON.stringify(these));
      const value = evaluate(`JSON.stringify(${found}(...JSON.parse(${given})))`);
      return typeof value === 'string' ? { value: JSON.parse(value) } : { error: 'it returned nothing' };
    } catch (error) {
      return { error: describe(error) };
    }
  });
  return { results };
}

function describe(error) {
  try {
    return `${error?.name}: ${error?.message}`.slice(0, 200);
  } catch {
    return 'it threw something';
  }
}

let text = '';
for await (const part of process.stdin) text += part;
let answer;
try {
  answer = run(JSON.parse(text));
} catch (error) {
  answer = { error: describe(error) };
}
process.stdout.write(JSON.stringify(answer));
