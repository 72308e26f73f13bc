import { parentPort } from 'node:worker_threads';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';
import type { Check, CodeJob, Outcome, Ran } from '../decide/execution/sandbox.ts';
import { boundMemory, disarm, freezeClock } from './disarm.ts';
import { JAVASCRIPT_HARNESS } from './javascript-harness.ts';
import type { ThreadMessage } from './thread-messages.ts';

const HEAP_BYTES_MAX = 64 * 1024 * 1024;
const STACK_BYTES_MAX = 256 * 1024;
/** Less than the time after which the thread is terminated: an interrupted interpreter needs no new thread. */
const JOB_MILLISECONDS = 900;

type End = Omit<Ran, 'outcomes'>;

const port = parentPort;
if (port !== null) {
  const say = (message: ThreadMessage): void => port.postMessage(message);
  boundMemory(2 * HEAP_BYTES_MAX);
  freezeClock();
  const quickjs = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'));
  // The first interpreter loads what it needs.
  quickjs.newContext().dispose();
  disarm();

  port.on('message', (job: CodeJob) => {
    const runtime = quickjs.newRuntime();
    runtime.setMemoryLimit(HEAP_BYTES_MAX);
    runtime.setMaxStackSize(STACK_BYTES_MAX);
    const start = performance.now();
    let isLate = false;
    runtime.setInterruptHandler(() => {
      isLate ||= performance.now() - start > JOB_MILLISECONDS;
      return isLate;
    });
    try {
      const context = runtime.newContext();
      const end = runJob(context, job, (outcome) => {
        // What was interrupted has no outcome.
        if (!isLate) say({ kind: 'outcome', outcome });
      });
      say({ kind: 'end', ...(isLate ? { end: 'timeout', message: 'it took too long' } : end) });
      context.dispose();
      runtime.dispose();
      say({ kind: 'ready', snapshot: null });
    } catch {
      // The interpreter itself broke off.
      say({ kind: 'end', end: isLate ? 'timeout' : 'crashed', message: 'the interpreter broke off' });
      say({ kind: 'spent' });
    }
  });
  say({ kind: 'ready', snapshot: null });
}

function runJob(context: QuickJSContext, { code, checks }: CodeJob, tell: (outcome: Outcome) => void): End {
  const harness = context.unwrapResult(context.evalCode(JAVASCRIPT_HARNESS, 'harness.js'));
  try {
    const loaded = context.evalCode(asScript(code), 'answer.js', { type: 'global', strict: false });
    if (loaded.error !== undefined) return describeFault(context, harness, loaded.error);
    loaded.value.dispose();
    for (const check of checks) tell(runCheck(context, harness, check));
    return { end: 'done', message: '' };
  } finally {
    harness.dispose();
  }
}

/** A module without its imports and exports: QuickJS reports an import that is left as a syntax error. */
const asScript = (code: string): string =>
  code
    .replaceAll(/^export (?:default )?(?=(?:async )?function\b|class\b|const\b|let\b|var\b)/gm, '')
    .replaceAll(/^export (?:\{[^}\n]*\}|default [\w$]+);?$/gm, '');

function describeFault(context: QuickJSContext, harness: QuickJSHandle, error: QuickJSHandle): End {
  const name = context.getProp(error, 'name').consume((handle) => context.dump(handle)) as unknown;
  const message = context.getProp(error, 'message').consume((handle) => context.dump(handle)) as unknown;
  if (name === 'SyntaxError') {
    error.dispose();
    return { end: 'invalid', message: String(message).slice(0, 200) };
  }
  if (message === 'out of memory') {
    error.dispose();
    return { end: 'memory', message: 'it took too much memory' };
  }
  const outcome = callHarness(context, harness, context.newString('begin'), error);
  return { end: outcome.is as 'raised', message: outcome.came };
}

/** Calls the harness with handles, which it disposes of. */
function callHarness(context: QuickJSContext, harness: QuickJSHandle, ...args: QuickJSHandle[]): Outcome {
  const result = context.callFunction(harness, context.undefined, args);
  for (const each of args) each.dispose();
  if (result.error !== undefined) {
    result.error.dispose();
    return { is: 'unclear', came: 'it cannot be compared' };
  }
  return JSON.parse(result.value.consume((handle) => context.getString(handle))) as Outcome;
}

function runCheck(context: QuickJSContext, harness: QuickJSHandle, check: Check): Outcome {
  const unclear: Outcome = { is: 'unclear', came: 'the example cannot be read' };
  if (check.type !== 'example') {
    const result = context.evalCode(check.code, 'test.js');
    (result.error ?? result.value).dispose();
    return unclear;
  }
  const called = /^(?:new )?([\w$]+)/.exec(check.expression)?.[1] ?? 'undefined';
  const thunk = context.evalCode(`(() => (${check.expression}\n))`, 'example.js');
  if (thunk.error !== undefined) {
    thunk.error.dispose();
    return unclear;
  }
  const { text, literal, raises, notation, anyOrder } = check;
  const given = context.evalCode(
    `({ ...${JSON.stringify({ text, literal: literal ?? '', raises, notation, anyOrder })}, expected: (${literal ?? 'undefined'}\n), isDefined: typeof ${called} === 'function' && ((...args) => args.length)${check.expression.slice(called.length)} >= ${called}.length })`,
    'expected.js',
  );
  if (given.error !== undefined) {
    given.error.dispose();
    thunk.value.dispose();
    return unclear;
  }
  return callHarness(context, harness, context.newString('run'), thunk.value, given.value);
}
