import { createRequire, syncBuiltinESMExports } from 'node:module';

/** What reaches out of the thread. */
const MODULES = [
  'child_process',
  'cluster',
  'dgram',
  'dns',
  'dns/promises',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'inspector',
  'module',
  'net',
  'os',
  'repl',
  'tls',
  'tty',
  'v8',
  'vm',
  'wasi',
  'worker_threads',
];

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
  const modules = MODULES.map((name) => require(`node:${name}`) as object);
  for (const module of modules) {
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
