import { builtinModules, createRequire, syncBuiltinESMExports } from 'node:module';

/** Modules of Node that reach nothing outside of the thread. All others are taken away, also those of later versions. */
export const HARMLESS_MODULES: ReadonlySet<string> = new Set([
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'console',
  'constants',
  'crypto',
  'diagnostics_channel',
  'domain',
  'events',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'process',
  'punycode',
  'querystring',
  'stream',
  'stream/consumers',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'sys',
  'timers',
  'timers/promises',
  'trace_events',
  'url',
  'util',
  'util/types',
  'zlib',
]);

/** Modules that have their prefix alone as a name, and are in no list of some versions. */
const PREFIXED_MODULES = ['sea', 'sqlite', 'test', 'test/reporters'];

/** What reaches out of the thread, by the running version of Node. */
function reachingModules(): string[] {
  const names = builtinModules.map((name) => name.replace(/^node:/, ''));
  // Names with a line below are the insides of public modules.
  const all = new Set([...names.filter((name) => !name.startsWith('_stream')), ...PREFIXED_MODULES]);
  return [...all].filter((name) => !HARMLESS_MODULES.has(name));
}

/** A module of Node; null if the running version has none of this name. */
function loadBuiltin(require: NodeJS.Require, name: string): object | null {
  try {
    return require(name.startsWith('_') ? name : `node:${name}`) as object;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'ERR_UNKNOWN_BUILTIN_MODULE' || code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** A process without these still runs its event loop. */
const OF_PROCESS = [
  'abort',
  'binding',
  '_linkedBinding',
  'chdir',
  'constrainedMemory',
  'dlopen',
  'execve',
  'exit',
  'getBuiltinModule',
  'kill',
  'loadEnvFile',
  'mainModule',
  'reallyExit',
  'report',
  'setUncaughtExceptionCaptureCallback',
  'umask',
];

const GLOBALS = [
  'BroadcastChannel',
  'EventSource',
  'MessageChannel',
  'WebSocket',
  'Worker',
  'XMLHttpRequest',
  'fetch',
  'module',
  'process',
  'require',
];

function refuse(): never {
  throw new Error('This thread has no such function.');
}

/**
 * Takes files, network, processes and threads from all JavaScript of this thread, for good: what escapes from an
 * interpreter finds nothing to use. Call it once everything is loaded.
 */
export function disarm(): void {
  const require = createRequire(import.meta.url);
  // Loading one module calls functions of others.
  const modules = reachingModules().map((name) => loadBuiltin(require, name));
  for (const module of modules) {
    if (module === null) continue;
    for (const key of Object.getOwnPropertyNames(module)) {
      if (typeof Object.getOwnPropertyDescriptor(module, key)?.value === 'function') replace(module, key);
    }
  }
  syncBuiltinESMExports();
  for (const name of OF_PROCESS) replace(process, name);
  for (const name of GLOBALS) Reflect.deleteProperty(globalThis, name);
}

function replace(holder: object, key: string): void {
  // Some are read-only.
  Reflect.set(holder, key, refuse);
}

/** Lets no memory of WebAssembly grow beyond `bytes`, as if the machine had no more. Call it before a module is loaded. */
export function boundMemory(bytes: number): void {
  const prototype = WebAssembly.Memory.prototype as unknown as GrowingMemory;
  const { grow } = prototype;
  prototype.grow = function growBounded(pages) {
    if (this.buffer.byteLength + pages * 65_536 > bytes) throw new RangeError('The memory is full.');
    return grow.call(this, pages);
  };
}

interface GrowingMemory {
  readonly buffer: ArrayBuffer;
  grow(this: GrowingMemory, pages: number): number;
}

/** 1 January 2024, when every job begins and ends. */
export const FROZEN_MILLISECONDS = 1_704_067_200_000;

/** Stops the clock of this thread for all that is loaded afterwards. */
export function freezeClock(): void {
  Date.now = () => FROZEN_MILLISECONDS;
}
